role(white)
legal(white, noop) :- true(control(white)).
