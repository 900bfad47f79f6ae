"""Second questions that lean on the first: its result, its list, or its operation with other numbers."""

from random import Random

from builder.embedded.chat import Turn
from builder.embedded.expressions import Call, Value, parse, write
from builder.embedded.forms import Form, Request, draw, fill_call, fill_text
from builder.embedded.numbers import NumberSource
from builder.embedded.signatures import SIGNATURES
from builder.embedded.templates import expand

_START = "(now |and now |and |then |ok, |great, |good, |next, |ok now |please |nice, now |thanks, now |so |||||)"
_IT = "(it|that|this|the result|that number|the answer|it|that)"
_THEM = "(them|it|that|these|those|the list|this list|the result|that list)"
ON_NUMBER = (
    Form("mul({R}, {c})", "c:few", (_START + "multiply " + _IT + " (by|with) {c}", _START + "times {c}", _START + "{c} times " + _IT, "what('s| is) " + _IT + " times {c}", "(scale|blow) " + _IT + " up by {c}")),
    Form("mul({R}, 2)", "", (_START + "(double|twice) " + _IT, _START + "double " + _IT + "( please|)", "twice (that|as much)", "what is twice " + _IT, _START + "times two")),
    Form("mul({R}, 3)", "", (_START + "(triple|thrice|three times) " + _IT, _START + "times three")),
    Form("add({R}, {c})", "c:nat", (_START + "add {c}( to " + _IT + "|)", _START + "plus {c}", "what (is|if i add) {c} more", "(increase|raise) " + _IT + " by {c}", _START + "put {c} (on top|more on it)", "what('s| is) " + _IT + " plus {c}", "and if i add {c} (to|on) " + _IT)),
    Form("sub({R}, {c})", "c:nat", (_START + "(subtract|take away|take off|deduct|remove) {c}( from " + _IT + "|)", _START + "minus {c}", _START + "take {c} (away |off |)from " + _IT, "{c} less( than " + _IT + "|)", "what('s| is) " + _IT + " minus {c}", "(reduce|lower|decrease) " + _IT + " by {c}", _START + "minus another {c}")),
    Form("div({R}, {c})", "c:few", (_START + "divide " + _IT + " by {c}", _START + "divided by {c}", _START + "split " + _IT + " (in|into|by) {c}", "what('s| is) " + _IT + " (over|divided by) {c}", _START + "share " + _IT + " among {c}")),
    Form("div({R}, 2)", "", (_START + "halve " + _IT, _START + "half (of |)" + _IT, "what is half of " + _IT, "cut " + _IT + " in half")),
    Form("mod({R}, {c})", "c:few", (_START + "(mod|modulo) {c}", _START + "take " + _IT + " (mod|modulo) {c}", "what is the remainder (of " + _IT + " (by|divided by)|when " + _IT + " is divided by|if i divide " + _IT + " by) {c}", "what('s| is) " + _IT + " mod {c}")),
    Form("pow({R}, 2)", "", (_START + "square " + _IT, _START + "squared", "what is " + _IT + " squared", "the square of " + _IT)),
    Form("pow({R}, 3)", "", (_START + "cube " + _IT, _START + "cubed", "the cube of " + _IT)),
    Form("pow({R}, {c})", "c:exponent", (_START + "raise " + _IT + " to (the power (of |)|){c}", _START + "to the power (of |){c}", _START + "take " + _IT + " to the power {c}")),
    Form("neg({R})", "", (_START + "negate " + _IT, _START + "(flip|change) (its|the) sign", "the (negative|opposite) of " + _IT)),
    Form("abs({R})", "", (_START + "the absolute value( of " + _IT + "|)", _START + "(drop|ignore|remove) (the|its) (sign|minus)", "(now |and |)without the (sign|minus)")),
    Form("isprime({R})", "", ("is " + _IT + " (prime|a prime|a prime number)", _START + "(check|tell me|say) (if|whether) " + _IT + " is (prime|a prime)")),
    Form("gt({R}, {c})", "c:nat", ("is " + _IT + " (greater than|more than|above|bigger than|over|larger than) {c}", "does " + _IT + " exceed {c}")),
    Form("lt({R}, {c})", "c:nat", ("is " + _IT + " (less than|below|smaller than|under) {c}",)),
    Form("eq({R}, {c})", "c:nat", ("is " + _IT + " (equal to|the same as) {c}", "does " + _IT + " equal {c}")),
    Form("eq(mod({R}, 2), 0)", "", ("is " + _IT + " (even|an even number)",)),
    Form("eq(mod({R}, {c}), 0)", "c:few", ("is " + _IT + " (divisible by|a multiple of) {c}", "does {c} divide " + _IT)),
    Form("popcount({R})", "", ("how many (ones|1 bits|set bits|1s) (has " + _IT + "|are in " + _IT + "|does " + _IT + " have)( in binary|)", _START + "the popcount of " + _IT)),
    Form("factorial({R})", "", (_START + "the factorial of " + _IT, _IT + " factorial")),
    Form("gcd({R}, {c})", "c:pos", (_START + "the gcd of " + _IT + " and {c}", _START + "(its |the |)(gcd|greatest common divisor) with {c}")),
    Form("xor({R}, {c})", "c:nat", (_START + "xor " + _IT + " (with|and) {c}",)),
    Form("shl({R}, {c})", "c:shift", (_START + "shift " + _IT + " (left by|to the left by) {c}( bits|)", _START + "shift " + _IT + " left( again|) by {c}")),
    Form("shr({R}, {c})", "c:shift", (_START + "shift " + _IT + " (right by|to the right by) {c}( bits|)", _START + "shift " + _IT + " (right|back) by {c}")),
)
ON_LIST = tuple(
    Form(f"{name}({{R}})", "", tuple(f"{_START}{wording}" for wording in wordings))
    for name, wordings in {
        "sort": ("sort " + _THEM, "put " + _THEM + " in order", "order " + _THEM, "sorted please", "in ascending order"),
        "reverse": ("reverse " + _THEM, "(backwards|in reverse|the other way round|reversed)", "turn " + _THEM + " around", "from back to front"),
        "sum": ("(add|sum)( up|) " + _THEM, "add " + _THEM + " up", "the (sum|total)( of " + _THEM + "|)", "what do they add up to", "what is (their|the) (sum|total)", "sum of " + _THEM),
        "max": ("the (largest|maximum|biggest|highest)( of " + _THEM + "|)", "which( one|) is (the |)(largest|biggest|highest)", "what is the (largest|maximum|biggest)", "their (maximum|largest)"),
        "min": ("the (smallest|minimum|lowest)( of " + _THEM + "|)", "which( one|) is (the |)(smallest|lowest)", "what is the (smallest|minimum)", "their (minimum|smallest)"),
        "mean": ("(the|their) (average|mean)( of " + _THEM + "|)", "average " + _THEM, "what is (the|their) (average|mean)"),
        "prod": ("(the|their) product( of " + _THEM + "|)", "multiply " + _THEM + "( together|)", "what is (the|their) product"),
        "cumsum": ("(the|their) (running totals|cumulative sums|cumulative sum|partial sums)( of " + _THEM + "|)", "accumulate " + _THEM),
        "diff": ("(the|their) differences( of " + _THEM + "|)", "the gaps between " + _THEM, "the steps between " + _THEM),
        "unique": ("(the|their) (unique|distinct|different) values", "remove the duplicates", "without (duplicates|repeats)"),
        "argmax": ("where is the (largest|biggest|maximum)", "the index of the (largest|biggest)"),
        "argmin": ("where is the (smallest|minimum)", "the index of the (smallest|lowest)"),
        "histogram": ("a histogram( of " + _THEM + "|)", "how often is each there"),
        "argsort": ("the indices that sort " + _THEM, "argsort " + _THEM),
        "abs": ("the absolute values( of " + _THEM + "|)",),
        "neg": ("negate " + _THEM,),
    }.items()
) + (
    Form("reverse(sort({R}))", "", (_START + "sort " + _THEM + " (descending|from high to low|in descending order)",)),
    Form("mul({R}, {c})", "c:few", (_START + "multiply " + _THEM + " (by|with) {c}", _START + "times {c}")),
    Form("add({R}, {c})", "c:few", (_START + "add {c} to (each|all of them|every one|them)",)),
    Form("count({R}, {c})", "c:few", (_START + "count the {c}s", "how many {c}s are (there|in it|in the list)", _START + "how often is {c} (in it|there)")),
)
ON_MATRIX = (
    Form("transpose({R})", "", (_START + "transpose (it|that|this)", _START + "the transpose( of (it|that)|)")),
    Form("trace({R})", "", (_START + "(the|its) trace( of (it|that)|)", "what is (the|its) trace", _START + "sum the diagonal")),
)
_AGAIN = "(and|what about|how about|now|same for|same with|and what about|now with|ok, and|and for|do the same with|now use|try|and how about|then|also|and also|what if it were|repeat with|once more with|as well for)"
_BETWEEN = {"add": "(and|plus|+)", "sub": "(and|minus|-)", "mul": "(and|times|*|x)", "div": "(and|divided by|/|over)", "mod": "(and|mod|%)", "pow": "(and|^|to the power of|to the)",
            "and": "(and|&)", "or": "(and|or)", "xor": "(and|xor)", "gcd": "and", "lcm": "and"}
_NAMES = {"add": "(sum|total)", "sub": "difference", "mul": "product", "gcd": "(gcd|greatest common divisor)", "lcm": "(lcm|least common multiple)",
          "div": "quotient", "mod": "(remainder|rest)", "xor": "xor"}


def _filled(random: Random, wording: str, call: str, slots: str, source: NumberSource) -> Request:
    values = draw(slots, source)
    return Request(fill_text(expand(random, wording), values), fill_call(call, values))


def _on_value(forms: tuple[Form, ...], value: Value, source: NumberSource) -> Request:
    form = source.random.choice(forms)
    request = _filled(source.random, source.random.choice(form.wordings), form.call.replace("{R}", "<R>"), form.slots, source)
    return Request(request.text, request.call.replace("<R>", write(value)))


def _again(random: Random, call: Call, source: NumberSource) -> Request | None:
    """The same function with other numbers, or another function of the same numbers."""
    arguments = call.arguments
    if len(arguments) == 2 and all(isinstance(argument, int) for argument in arguments):
        a, b = arguments
        kind = random.random()
        if kind < 0.4 and call.name in _BETWEEN:
            wording = f"{_AGAIN} {{a}} {_BETWEEN[call.name]} {{b}}( then| please| too| instead|)"
            return _filled(random, wording, f"{call.name}({{a}}, {{b}})", "a:nat b:few", source)
        if kind < 0.55 and call.name in _BETWEEN and call.name not in ("gcd", "lcm"):
            operator = _BETWEEN[call.name].replace("(and|", "(")
            return _filled(random, f"{_AGAIN} {a} {operator} {{b}}", f"{call.name}({a}, {{b}})", "b:few", source)
        if call.name in _NAMES:
            name = random.choice([name for name in _NAMES if name != call.name])
            wording = f"{_START}(the|their|its|what is the|what is their|give me the) {_NAMES[name]}( of them| of (those|these|the two|both)( numbers|)| instead| of the same numbers|)"
            return _filled(random, wording, f"{name}({a}, {b})", "", source)
    if len(arguments) == 1 and isinstance(arguments[0], int):
        kind = "upto20" if call.name == "factorial" else "index" if call.name == "fib" else "upto1000"
        return _filled(random, f"{_AGAIN} {{a}}( then| please| too| instead|)", f"{call.name}({{a}})", f"a:{kind}", source)
    if len(arguments) == 3 and call.name == "clamp" and isinstance(arguments[0], int):
        return _filled(random, f"{_AGAIN} {{a}}", f"clamp({{a}}, {arguments[1]}, {arguments[2]})", "a:nat", source)
    if call.name == "count" and isinstance(arguments[0], list):
        return _filled(random, f"(and|now|what about|how many|count|and count) the {{a}}s( then| too|)", f"count({write(arguments[0])}, {{a}})", "a:few", source)
    if SIGNATURES[call.name].kinds == "l" and isinstance(arguments[0], list) and all(isinstance(x, int) for x in arguments[0]):
        form = random.choice(ON_LIST)
        wording = random.choice(form.wordings)
        request = _filled(random, wording + "( instead| of the same (list|numbers)| too| as well|)", form.call.replace("{R}", "<R>"), form.slots, source)
        return Request(request.text, request.call.replace("<R>", write(arguments[0])))
    return None


def make_followup(before: Turn, value: Value, source: NumberSource) -> Request | None:
    """A question that leans on the turn before, if it has something to lean on."""
    random, call = source.random, parse(before.call)
    if not isinstance(call, Call):
        return None
    # "and the sum?" after a list means the list of the question where its result is one number, else the result.
    if not isinstance(value, list):
        again = _again(random, call, source) if random.random() < 0.45 else None
        return again or (_on_value(ON_NUMBER, value, source) if abs(value) < 10**12 else None)
    if value and isinstance(value[0], list):
        return _on_value(ON_MATRIX, value, source) if call.name in ("matmul", "transpose", "outer") and len(value) < 4 else None
    return _on_value(ON_LIST, value, source) if 1 < len(value) <= 12 else None
