% Matching pennies
role(alice).
role(bob).
legal(P, choose(X)) :-
    true(control(P),
    side(X).
next(coin(P, X)) :-
    does(P, choose(X)), side X).
next(coin(P, X)) :- does(P, ?x).
terminal :- not true(coin(P, unset)))
