"""What the model says in each mode: a list of turns, each a list of pieces. The same for all frameworks."""

LONG = [f"Line {i} of a long text, with ümlauts and 🎉.\n" for i in range(24)]


def text(*pieces):
    return [("text", piece) for piece in pieces]


def think(*pieces):
    return [("think", piece) for piece in pieces]


def call(name, id, args):
    return [("call", name, id, args)]


DONE = text("All ", "done.")
MODES = {
    "text": [text("Hello ", "wörld.")],
    "think": [think("Let me ", "think.") + text("The answer ", "is 42.")],
    "parallel": [
        text("Looking. ")
        + call("weather", "p0", '{"place": "Paris"}')
        + call("weather", "p1", '{"place": "Brest"}')
        + call("weather", "p2", '{"place": "Nice"}'),
        DONE,
    ],
    "fails": [call("broken", "b0", '{"place": "Paris"}'), text("It has ", "failed.")],
    "mixed": [call("broken", "b0", '{"place": "Paris"}') + call("weather", "p0", '{"place": "Nice"}'), DONE],
    "chain": [
        think("First.") + text("One. ") + call("weather", "c0", '{"place": "Paris"}'),
        think("Second.") + text("Two. ") + call("weather", "c1", '{"place": "Brest"}'),
        text("Three."),
    ],
    "long": [text(*LONG)],
    "slow": [text("Half ", "a ") + [("wait", 1.5)] + text("text, ", "and the rest.")],
    "error": [text("Half ", "a ") + [("raise", "boom: key=secret")]],
    "late": [call("weather", "l0", '{"place": "Paris"}'), text("Half ") + [("raise", "boom: key=secret")]],
    "silent": [call("weather", "s0", '{"place": "Paris"}') + call("note", "s1", '{"text": "sun"}'), DONE],
    "state": [call("note", "n0", '{"text": "one"}'), call("note", "n1", '{"text": "two"}'), DONE],
    "approve": [text("I will pay. ") + call("pay", "a0", '{"amount": 5}'), DONE],
    "client": [text("Where? ") + call("locate", "k0", '{"precise": true}'), DONE],
    "empty": [call("clock", "e0", "{}"), DONE],
}
