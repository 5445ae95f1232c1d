// What a new editor starts with: a small game that shows every part of a rulesheet.
export const EXAMPLE = `; Three in a row: two players mark the cells of a line in turn. Three of your marks side by side win.

(role left)
(role right)

; The line, and what can stand on it.
(index 1) (index 2) (index 3) (index 4) (index 5) (index 6) (index 7)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(other left right) (other right left)

(init (cell 1 empty)) (init (cell 2 empty)) (init (cell 3 empty)) (init (cell 4 empty))
(init (cell 5 empty)) (init (cell 6 empty)) (init (cell 7 empty))
(init (control left))

; Who may do what.
(<= (legal ?role (put ?n))
    (true (control ?role))
    (true (cell ?n empty)))
(<= (legal ?role noop)
    (other ?role ?turn)
    (true (control ?turn)))

; What follows.
(<= (next (cell ?n ?role))
    (does ?role (put ?n)))
(<= (next (cell ?n ?mark))
    (true (cell ?n ?mark))
    (does ?role (put ?m))
    (distinct ?n ?m))
(<= (next (control ?other))
    (true (control ?role))
    (other ?role ?other))

; When it is over, and who gets what.
(<= (line ?role)
    (true (cell ?a ?role))
    (succ ?a ?b)
    (true (cell ?b ?role))
    (succ ?b ?c)
    (true (cell ?c ?role))
    (role ?role))
(<= open (true (cell ?n empty)))

(<= terminal (line ?role))
(<= terminal (not open))

(<= (goal ?role 100) (line ?role))
(<= (goal ?role 0) (other ?role ?winner) (line ?winner))
(<= (goal ?role 50) (role ?role) (not (line left)) (not (line right)))
`;
