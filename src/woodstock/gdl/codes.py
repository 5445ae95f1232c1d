"""The diagnostic codes and their pages: what each checks, why, a wrong example and a right one.

Codes are stable: a code that falls out of use is never given a new meaning. 0xx syntax, 02x safety, 03x recursion,
04x spelling and arity, 05x keywords, 06x names and presence, 1xx found by playing. The examples are run by the tests.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """The explanation of one code. The examples are KIF unless `syntax` says infix."""

    code: str
    severity: str
    title: str
    what: str
    why: str
    wrong: str
    right: str
    syntax: str = "kif"


_E, _W = "error", "warning"

_PAGES = (
    Page(
        "GDL001", _E, "closing bracket missing",
        "Every ( needs its ). The place shown is where one fits best, judged by layout and by how the names in it are "
        "used elsewhere in the file.",
        "Without it the rest of the file becomes part of one rule.",
        "(role white)\n(<= (legal white noop\n    (true (control black)))\n(init (control white))",
        "(role white)\n(<= (legal white noop)\n    (true (control black)))\n(init (control white))",
    ),
    Page(
        "GDL002", _E, "opening bracket missing",
        "Every ) needs its (. The place shown is where one fits best; if the ) itself is too much, remove it.",
        "A rule that ends too early leaves its last conditions outside, where they mean something else.",
        "(role white)\n(<= (legal white noop)\n    true (control black)))",
        "(role white)\n(<= (legal white noop)\n    (true (control black)))",
    ),
    Page(
        "GDL003", _W, "name outside all brackets",
        "A name on its own between the rules is read as a fact without arguments.",
        "More often a bracket before it got lost.",
        "(role white)\nopen",
        "(role white)\n(open)",
    ),
    Page(
        "GDL004", _E, "empty brackets",
        "Brackets hold at least a name.",
        "() says nothing.",
        "(<= (legal white noop) ())",
        "(<= (legal white noop) (true (control white)))",
    ),
    Page(
        "GDL005", _E, "bracket in the place of a name",
        "The first thing after ( is the name of a predicate, a function or a connective.",
        "Usually there is one bracket too many.",
        "(<= (legal white noop) ((true (control white))))",
        "(<= (legal white noop) (true (control white)))",
    ),
    Page(
        "GDL006", _E, "variable in the place of a name",
        "Predicates and functions are named; only arguments can be variables.",
        "GDL is first-order: a rule cannot range over predicates.",
        "(<= (legal ?p noop) (?condition ?p))",
        "(<= (legal ?p noop) (role ?p))",
    ),
    Page(
        "GDL007", _E, "nesting too deep",
        "Brackets may be nested 100 levels deep.",
        "Rules by people need about ten. Deeper text is a mistake or an attack, and would exhaust later stages.",
        "(role " + "(f " * 101 + "a" + ")" * 101 + ")",
        "(role a)",
    ),
    Page(
        "GDL008", _E, "<= in the wrong place",
        "<= opens a rule and is followed by its head. It stands nowhere else.",
        "A rule inside a rule means that a bracket is missing.",
        "(<=)",
        "(<= (legal white noop) (role white))",
    ),
    Page(
        "GDL009", _E, "variable without a name",
        "A question mark starts a variable and is followed by its name.",
        "A nameless variable cannot be told from another.",
        "(<= (legal ? noop) (role white))",
        "(<= (legal ?p noop) (role ?p))",
    ),
    Page(
        "GDL010", _E, "not a text of rules",
        "A rulesheet is plain text, in UTF-8, UTF-16 with a mark, or Latin-1, of at most 32 million characters.",
        "Control characters mean that the file is something else: an archive, an image, a word processor's file.",
        "(role \x00white)",
        "(role white)",
    ),
    Page(
        "GDL011", _E, "wrong number of arguments",
        "role init true next take one argument, does legal goal sees two, terminal none, not one condition, distinct two "
        "terms, or and and at least one condition.",
        "The keyword would not be recognised and the rule would have no effect.",
        "(<= (legal white) (true (control white)))",
        "(<= (legal white noop) (true (control white)))",
    ),
    Page(
        "GDL012", _E, "not a head",
        "The head of a rule, or a fact, is a plain predicate; not, or, and, distinct are for bodies.",
        "Rules can only conclude that something holds.",
        "(<= (not (legal white noop)) (true (control black)))",
        "(<= (legal white noop) (not (true (control black))))",
    ),
    Page(
        "GDL013", _E, "variable in the place of a condition",
        "A condition is a predicate with its arguments, or a connective.",
        "GDL is first-order: a variable stands for a thing, not for a condition.",
        "(<= (legal white noop) ?x)",
        "(<= (legal white noop) (true ?x))",
    ),
    Page(
        "GDL014", _E, "unexpected text",
        "In the infix syntax a statement is `head.` or `head :- condition, condition.`",
        "What stands here fits no statement.",
        "legal(white noop) :- true(control(white)).",
        "legal(white, noop) :- true(control(white)).",
        "infix",
    ),
    Page(
        "GDL015", _E, "full stop missing",
        "In the infix syntax every statement ends with a full stop.",
        "Without it two statements run together.",
        "role(white)\nlegal(white, noop) :- true(control(white)).",
        "role(white).\nlegal(white, noop) :- true(control(white)).",
        "infix",
    ),
    Page(
        "GDL016", _E, "no rules",
        "The text has no rule and no fact.",
        "There is nothing to play.",
        "; only a comment",
        "(role white)",
    ),
    Page(
        "GDL017", _E, "not one term",
        "A move or a fluent is given as one term, in either syntax.",
        "More than one, or none, cannot be a move.",
        "",
        "",
    ),
    Page(
        "GDL018", _E, "term with a variable",
        "A move or a fluent given by a person is ground: it has no variables.",
        "A variable stands for many moves.",
        "",
        "",
    ),
    Page(
        "GDL019", _E, "wrong quoted name",
        "In the infix syntax quotes spell out odd names; they close on their line and hold no white space, brackets or "
        "semicolons.",
        "Every name must be writable in KIF too.",
        "role('white player').",
        "role('White').",
        "infix",
    ),
    Page(
        "GDL021", _E, "head variable not bound",
        "Each variable of a head stands in a positive condition of the body; with or, in every branch. not and distinct "
        "bind nothing.",
        "Otherwise the rule would conclude something about everything there is.",
        "(row 1)\n(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (row ?x))",
        "(row 1)\n(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (row ?x) (row ?y))",
    ),
    Page(
        "GDL022", _W, "variable only under not",
        "A variable of a negated condition should stand in a positive one too.",
        "Engines differ on what it means. Here (not (p ?x)) then says that p holds for no ?x at all.",
        "(<= terminal (not (true (piece ?p unknown))))",
        "(<= open (true (piece ?p unknown)))\n(<= terminal (not open))",
    ),
    Page(
        "GDL023", _W, "variable only in distinct",
        "A variable of distinct should stand in a positive condition too.",
        "distinct compares, it does not choose: with nothing to compare it is always true.",
        "(<= (legal white noop) (distinct ?x a))",
        "(<= (legal white noop) (true (last ?x)) (distinct ?x a))",
    ),
    Page(
        "GDL024", _E, "variable in a fact",
        "Facts name their values.",
        "A fact with a variable would hold for everything there is.",
        "(adjacent ?x ?x)",
        "(<= (adjacent ?x ?x) (cell ?x))",
    ),
    Page(
        "GDL025", _W, "declaration with an unbound variable",
        "base and input declare the fluents and moves there can be; their variables should have a range.",
        "The declaration cannot be used. Fluents and moves are found from the rules instead.",
        "(base (step ?n))",
        "(<= (base (step ?n)) (number ?n))",
    ),
    Page(
        "GDL026", _W, "role variable not bound",
        "The first argument of legal, goal and sees in a head should be bound by the body.",
        "Engines ask these for each role in turn, so the variable is taken to range over the roles.",
        "(<= (legal ?p noop) (not (true (control ?p))))",
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))",
    ),
    Page(
        "GDL027", _W, "unsafe rule that never applies",
        "A variable of the head is not bound, but a condition of the body is never defined, so the rule has no effect.",
        "It becomes an error as soon as the condition is defined.",
        "(<= (tried ?x) fail)",
        "(<= (tried ?x) (true (mark ?x)))",
    ),
    Page(
        "GDL028", _W, "declaration with a wrong number of arguments",
        "base takes one argument and input two.",
        "The declaration is ignored. Often its conditions slipped inside the head's bracket.",
        "(<= (base (control ?p) (role ?p)))",
        "(<= (base (control ?p)) (role ?p))",
    ),
    Page(
        "GDL031", _E, "negation through recursion",
        "No predicate may depend on its own negation, directly or through others.",
        "Such rules contradict themselves or have several meanings: there is no single next state.",
        "(<= (open ?x) (cell ?x) (not (closed ?x)))\n(<= (closed ?x) (cell ?x) (not (open ?x)))\n(cell 1)",
        "(<= (open ?x) (cell ?x) (not (closed ?x)))\n(<= (closed ?x) (true (stone ?x)))\n(cell 1)",
    ),
    Page(
        "GDL032", _E, "recursion that builds terms without end",
        "In a recursive rule each argument of the recursive condition is a constant, an argument of the head, or bound by a "
        "condition outside the recursion.",
        "Otherwise the rule makes ever larger terms and the game is infinite.",
        "(number zero)\n(<= (number (s ?n)) (number ?n))",
        "(number zero)\n(number one)",
    ),
    Page(
        "GDL033", _W, "recursion that nothing limits",
        "In a recursive rule each argument of the recursive condition should be a constant, an argument of the head, or "
        "bound by a condition outside the recursion.",
        "No larger terms are built here, so the game stays finite, but the relation may become large.",
        "(link a b)\n(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))\n(<= (path ?x ?y) (link ?x ?y))",
        "(link a b)\n(<= (path ?x ?z) (link ?x ?y) (path ?y ?z))\n(<= (path ?x ?y) (link ?x ?y))",
    ),
    Page(
        "GDL034", _W, "negation through recursion, kept apart by arguments",
        "A predicate depends on its own negation, but never for the same arguments.",
        "The meaning is clear, yet other engines may refuse it.",
        "(<= (goal ?p 100) (line ?p))\n(<= (goal ?p 0) (role ?p) (not (goal ?p 100)))",
        "(<= (goal ?p 100) (line ?p))\n(<= (goal ?p 0) (role ?p) (not (line ?p)))",
    ),
    Page(
        "GDL041", _W, "predicate with two arities",
        "A predicate should always have the same number of arguments.",
        "Each number of arguments makes a predicate of its own; usually an argument or a bracket is missing.",
        "(succ 1 2)\n(succ 2)",
        "(succ 1 2)\n(succ 2 3)",
    ),
    Page(
        "GDL042", _W, "function with two arities",
        "A function should always have the same number of arguments.",
        "(cell 1 1) and (cell 1 1 b) are different things, never equal.",
        "(init (cell 1 1 b))\n(init (cell 1 2))",
        "(init (cell 1 1 b))\n(init (cell 1 2 b))",
    ),
    Page(
        "GDL043", _W, "one name in two spellings",
        "Upper and lower case make no difference: the first spelling in the file is used everywhere.",
        "Some engines tell them apart, so the game may play differently there.",
        "(role white)\n(<= (legal White noop) (role White))",
        "(role white)\n(<= (legal white noop) (role white))",
    ),
    Page(
        "GDL051", _E, "role that is not a fact",
        "Roles are given by facts with plain names.",
        "The players must be known before the rules are run.",
        "(<= (role ?p) (seat ?p))\n(seat white)",
        "(role white)",
    ),
    Page(
        "GDL052", _E, "init depends on the state",
        "init may not depend on true, does, next, legal, goal or terminal.",
        "It defines the first state; there is none before.",
        "(<= (init (control ?p)) (true (seat ?p)))",
        "(<= (init (control ?p)) (seat ?p))\n(seat white)",
    ),
    Page(
        "GDL053", _E, "true or does as a head",
        "true and does stand in bodies only.",
        "They are given: the state and the players' moves. Rules conclude next, init and legal.",
        "(<= (true (open ?x)) (cell ?x))",
        "(<= (next (open ?x)) (cell ?x))",
    ),
    Page(
        "GDL054", _E, "legal, goal or terminal depends on does",
        "legal, goal and terminal may depend on the state only.",
        "They are asked before the players move.",
        "(<= terminal (does white resign))",
        "(<= (next resigned) (does white resign))\n(<= terminal (true resigned))",
    ),
    Page(
        "GDL055", _E, "goal value out of range",
        "A goal is an integer from 0 to 100.",
        "Scores of different games are compared on this scale.",
        "(goal white 1000)",
        "(goal white 100)",
    ),
    Page(
        "GDL056", _E, "no role",
        "A game has at least one role.",
        "Without a player nothing can happen. Chance is the role named random.",
        "(init (control white))",
        "(role white)\n(init (control white))",
    ),
    Page(
        "GDL057", _E, "no legal, terminal or goal",
        "A game says when a move is legal, when it ends and who gets what.",
        "Without one of them no match can be played.",
        "(role white)",
        "(role white)\n(legal white noop)\n(<= terminal (true done))\n(goal white 100)\n(init done)",
    ),
    Page(
        "GDL058", _W, "next in a body",
        "next normally stands in heads only.",
        "Here it asks what will be true in the next state; few engines agree on that.",
        "(<= (next (a)) (true (b)))\n(<= (next (c)) (next (a)))",
        "(<= will_a (true (b)))\n(<= (next (a)) will_a)\n(<= (next (c)) will_a)",
    ),
    Page(
        "GDL059", _W, "keyword inside a term",
        "Keywords have a meaning as predicates and connectives only; inside a term they are plain names.",
        "Usually a bracket is misplaced.",
        "(<= (next (control white)) (true (not (control white))))",
        "(<= (next (control white)) (not (true (control white))))",
    ),
    Page(
        "GDL060", _W, "no init",
        "No fluent is true at the beginning.",
        "Some games are meant so; in most, the first state is forgotten.",
        "(role white)",
        "(role white)\n(init (control white))",
    ),
    Page(
        "GDL061", _W, "undefined predicate",
        "A condition uses a predicate that no fact or rule defines with this number of arguments.",
        "It is always false. Usually the name is misspelt.",
        "(row 1)\n(<= (legal white (mark ?x)) (rwo ?x))",
        "(row 1)\n(<= (legal white (mark ?x)) (row ?x))",
    ),
    Page(
        "GDL062", _W, "not a role",
        "The first argument of legal, goal, does, sees and input is a role.",
        "The rule has no effect. Usually the name is misspelt.",
        "(role white)\n(legal withe noop)",
        "(role white)\n(legal white noop)",
    ),
    Page(
        "GDL063", _W, "fluent that never becomes true",
        "A condition asks for a fluent that no init or next rule makes.",
        "It is always false. Usually the name or the number of arguments is wrong.",
        "(init (step 1))\n(<= terminal (true (stpe 9)))",
        "(init (step 1))\n(<= terminal (true (step 9)))",
    ),
    Page(
        "GDL064", _W, "move that is never legal",
        "A condition asks for a move that no legal rule allows.",
        "It is always false. Usually the name or the number of arguments is wrong.",
        "(legal white (mark 1))\n(<= (next done) (does white (makr 1)))",
        "(legal white (mark 1))\n(<= (next done) (does white (mark 1)))",
    ),
    Page(
        "GDL101", _E, "role without a legal move",
        "In every state that can be reached and is not terminal, every role has at least one legal move.",
        "No joint move can be made there, so the match can neither go on nor end.",
        "(role walker)\n(init (at 0))\n(<= (legal walker go) (true (at 0)))\n(<= (next (at 1)) (true (at 0)))\n"
        "(<= terminal (true (at 2)))\n(goal walker 100)",
        "(role walker)\n(init (at 0))\n(<= (legal walker go) (true (at 0)))\n(<= (next (at 1)) (true (at 0)))\n"
        "(<= terminal (true (at 1)))\n(goal walker 100)",
    ),
    Page(
        "GDL102", _W, "no goal, or several, at the end",
        "In every terminal state that can be reached, every role has exactly one goal.",
        "Such a match has no result for the role. Players count it as they like.",
        "(role walker)\n(init start)\n(legal walker go)\n(<= (next end) (true start))\n(<= terminal (true end))\n"
        "(<= (goal walker 100) (true start))",
        "(role walker)\n(init start)\n(legal walker go)\n(<= (next end) (true start))\n(<= terminal (true end))\n"
        "(<= (goal walker 100) (true end))",
    ),
    Page(
        "GDL103", _W, "match that does not end",
        "Every match ends, whatever is played. Found are matches in which a state comes again, and random ones that "
        "are still going on after very many moves.",
        "A match that may go on for ever is never scored. A counter of steps is the usual cure.",
        "(role walker)\n(init left)\n(legal walker go)\n(<= (next right) (true left))\n(<= (next left) (true right))\n"
        "(<= terminal (true middle))\n(goal walker 100)",
        "(role walker)\n(init left)\n(legal walker go)\n(<= (next right) (true left))\n(<= terminal (true right))\n"
        "(goal walker 100)",
    ),
    Page(
        "GDL104", _W, "role that can never win",
        "For every role there is some match, with the others helping, that ends with goal 100.",
        "Usually a goal rule is wrong; if not, the scale of the goals is not used up.",
        "(role walker)\n(init start)\n(legal walker go)\n(<= (next end) (true start))\n(<= terminal (true end))\n"
        "(goal walker 50)",
        "(role walker)\n(init start)\n(legal walker go)\n(<= (next end) (true start))\n(<= terminal (true end))\n"
        "(goal walker 100)",
    ),
    Page(
        "GDL105", _W, "goal that no match ends with",
        "Every value that a goal rule gives is the result of some match.",
        "The rule has no effect on results. Usually one of its conditions is wrong.",
        "(role walker)\n(init start)\n(legal walker go)\n(<= (next end) (true start))\n(<= terminal (true end))\n"
        "(<= (goal walker 100) (true end))\n(<= (goal walker 50) (true start))",
        "(role walker)\n(init start)\n(legal walker go)\n(<= (next end) (true start))\n(<= terminal (true end))\n"
        "(<= (goal walker 100) (true end))",
    ),
    Page(
        "GDL106", _W, "fluent outside base",
        "Where base facts are given, they list every fluent that can become true.",
        "Programs that trust base will miss the fluent and play another game.",
        "(role walker)\n(base start)\n(init start)\n(legal walker go)\n(<= (next end) (true start))\n"
        "(<= terminal (true end))\n(goal walker 100)",
        "(role walker)\n(base start)\n(base end)\n(init start)\n(legal walker go)\n(<= (next end) (true start))\n"
        "(<= terminal (true end))\n(goal walker 100)",
    ),
    Page(
        "GDL107", _W, "move outside input",
        "Where input facts are given, they list every move that can become legal.",
        "Programs that trust input will miss the move and play another game.",
        "(role walker)\n(input walker wait)\n(init start)\n(legal walker go)\n(legal walker wait)\n"
        "(<= (next end) (true start))\n(<= terminal (true end))\n(goal walker 100)",
        "(role walker)\n(input walker wait)\n(input walker go)\n(init start)\n(legal walker go)\n(legal walker wait)\n"
        "(<= (next end) (true start))\n(<= terminal (true end))\n(goal walker 100)",
    ),
)

PAGES: dict[str, Page] = {page.code: page for page in _PAGES}
"""Every code that woodstock gives for a rulesheet."""
