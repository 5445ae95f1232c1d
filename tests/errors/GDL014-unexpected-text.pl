legal(white noop) :- true(control(white)).
