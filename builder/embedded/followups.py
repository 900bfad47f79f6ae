"""Second questions that lean on the first: its result, its list, or its operation with other numbers."""

from random import Random

from builder.embedded.chat import Turn
from builder.embedded.expressions import Call, Value, parse, write
from builder.embedded.forms import Form, Request, draw, fill_call, fill_text
from builder.embedded.numbers import NumberSource
from builder.embedded.signatures import SIGNATURES
from builder.embedded.tables import read_forms
from builder.embedded.templates import expand

_START = "(now |and now |and |then |ok, |great, |good, |next, |ok now |please |nice, now |thanks, now |so |||||)"
ON_NUMBER = read_forms("followups_number")
ON_LIST = read_forms("followups_list")
ON_MATRIX = read_forms("followups_matrix")
_AGAIN = (
    "(and|what about|how about|now|same for|same with|and what about|now with|ok, and|and for|do the same with|now use|try"
    "|and how about|then|also|and also|what if it were|repeat with|once more with|as well for)"
)
_BETWEEN = {
    "add": "(and|plus|+)",
    "sub": "(and|minus|-)",
    "mul": "(and|times|*|x)",
    "div": "(and|divided by|/|over)",
    "mod": "(and|mod|%)",
    "pow": "(and|^|to the power of|to the)",
    "and": "(and|&)",
    "or": "(and|or)",
    "xor": "(and|xor)",
    "gcd": "and",
    "lcm": "and",
}
_NAMES = {
    "add": "(sum|total)",
    "sub": "difference",
    "mul": "product",
    "gcd": "(gcd|greatest common divisor)",
    "lcm": "(lcm|least common multiple)",
    "div": "quotient",
    "mod": "(remainder|rest)",
    "xor": "xor",
}


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
        chance = random.random()
        if chance < 0.4 and call.name in _BETWEEN:
            wording = f"{_AGAIN} {{a}} {_BETWEEN[call.name]} {{b}}( then| please| too| instead|)"
            return _filled(random, wording, f"{call.name}({{a}}, {{b}})", "a:nat b:few", source)
        if chance < 0.55 and call.name in _BETWEEN and call.name not in ("gcd", "lcm"):
            operator = _BETWEEN[call.name].replace("(and|", "(")
            return _filled(random, f"{_AGAIN} {a} {operator} {{b}}", f"{call.name}({a}, {{b}})", "b:few", source)
        if call.name in _NAMES:
            name = random.choice([name for name in _NAMES if name != call.name])
            ending = "( of them| of (those|these|the two|both)( numbers|)| instead| of the same numbers|)"
            wording = f"{_START}(the|their|its|what is the|what is their|give me the) {_NAMES[name]}{ending}"
            return _filled(random, wording, f"{name}({a}, {b})", "", source)
    if len(arguments) == 1 and isinstance(arguments[0], int):
        kind = "upto20" if call.name == "factorial" else "index" if call.name == "fib" else "upto1000"
        return _filled(random, f"{_AGAIN} {{a}}( then| please| too| instead|)", f"{call.name}({{a}})", f"a:{kind}", source)
    if len(arguments) == 3 and call.name == "clamp" and isinstance(arguments[0], int):
        return _filled(random, f"{_AGAIN} {{a}}", f"clamp({{a}}, {arguments[1]}, {arguments[2]})", "a:nat", source)
    if call.name == "count" and isinstance(arguments[0], list):
        wording = "(and|now|what about|how many|count|and count) the {a}s( then| too|)"
        return _filled(random, wording, f"count({write(arguments[0])}, {{a}})", "a:few", source)
    if SIGNATURES[call.name].kinds == "l" and isinstance(arguments[0], list) and all(isinstance(x, int) for x in arguments[0]):
        form = random.choice(ON_LIST)
        wording = random.choice(form.wordings) + "( instead| of the same (list|numbers)| too| as well|)"
        request = _filled(random, wording, form.call.replace("{R}", "<R>"), form.slots, source)
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
