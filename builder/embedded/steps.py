"""Questions of two steps: something said of the result of something else, in one call."""

from random import Random

from builder.embedded.forms import Form, Request, draw, fill_call, fill_text
from builder.embedded.numbers import NumberSource
from builder.embedded.templates import expand

# Phrases that name a number; an outer phrase says something about it as {X}.
NUMBERS = (
    Form("add({a}, {b})", "a:nat b:nat", ("the sum of {a} and {b}", "{a} plus {b}", "the total of {a} and {b}", "the sum of {a} and {b}")),
    Form("sub({a}, {b})", "a:nat b:nat", ("the difference of {a} and {b}", "{a} minus {b}", "the difference between {a} and {b}")),
    Form("mul({a}, {b})", "a:nat b:nat", ("the product of {a} and {b}", "{a} times {b}", "{a} multiplied by {b}")),
    Form("div({a}, {b})", "a:nat b:divisor", ("the quotient of {a} and {b}", "{a} divided by {b}", "{a} over {b}")),
    Form("mod({a}, {b})", "a:nat b:divisor", ("the remainder of {a} by {b}", "{a} mod {b}", "the rest of {a} divided by {b}")),
    Form("gcd({a}, {b})", "a:pos b:pos", ("the gcd of {a} and {b}", "the greatest common divisor of {a} and {b}", "gcd({a}, {b})")),
    Form("lcm({a}, {b})", "a:pos b:pos", ("the lcm of {a} and {b}", "the least common multiple of {a} and {b}")),
    Form("pow({a}, 2)", "a:nat", ("the square of {a}", "{a} squared")),
    Form("pow({a}, {b})", "a:few b:exponent", ("{a} to the power of {b}", "{a}^{b}")),
    Form("factorial({n})", "n:upto20", ("{n} factorial", "{n}!", "the factorial of {n}")),
    Form("fib({n})", "n:nth", ("the {n} fibonacci number",)),
    Form("fib({n})", "n:index", ("fib({n})", "fibonacci number {n}")),
    Form("sum({L})", "L:enclosed", ("the sum of {L}", "the total of {L}", "the sum of {L}")),
    Form("prod({L})", "L:enclosed", ("the product of {L}",)),
    Form("max({L})", "L:enclosed", ("the (largest|biggest|highest) of {L}", "the (maximum|max) of {L}", "the (largest|biggest|greatest) (number|value|entry) in {L}")),
    Form("min({L})", "L:enclosed", ("the (smallest|lowest|least) of {L}", "the (minimum|min) of {L}", "the (smallest|lowest) (number|value|entry) in {L}")),
    Form("mean({L})", "L:enclosed", ("the (average|mean) of {L}",)),
    Form("dot({x}, {y})", "x:vector y:vector", ("the dot product of {x} and {y}", "the (inner|scalar) product of {x} and {y}", "the dot product of {x} and {y}")),
    Form("popcount({a})", "a:nat", ("the number of ones in binary {a}", "the popcount of {a}")),
    Form("collatz({a})", "a:pos", ("the number of collatz steps of {a}",)),
    Form("xor({a}, {b})", "a:nat b:nat", ("{a} xor {b}", "the xor of {a} and {b}")),
    Form("abs({a})", "a:negative", ("the absolute value of {a}",)),
    Form("neg({a})", "a:nat", ("the negative of {a}",)),
    Form("trace({P})", "P:square", ("the trace of {P}",)),
)
# Phrases that name a list.
LISTS = (
    Form("pow({L}, 2)", "L:list3", ("the squares of {L}", "the squares of {L}", "the squared values of {L}")),
    Form("pow({L}, 3)", "L:list3", ("the cubes of {L}",)),
    Form("abs({L})", "L:list3", ("the absolute values of {L}", "the magnitudes of {L}")),
    Form("primes({n})", "n:upto1000", ("(all |the |all the |)(primes|prime numbers) (up to|until|below|to) {n}",)),
    Form("cumsum({L})", "L:enclosed", ("the running totals of {L}", "the cumulative sums of {L}", "the partial sums of {L}", "the prefix sums of {L}")),
    Form("diff({L})", "L:enclosed", ("the (consecutive |)differences of {L}", "the gaps in {L}", "the steps between neighbours in {L}")),
    Form("unique({L})", "L:repeats", ("the (distinct|different|unique) values (of|in) {L}",)),
    Form("sort({L})", "L:enclosed", ("{L} sorted", "the sorted list {L}")),
    Form("reverse({L})", "L:enclosed", ("{L} reversed", "the reverse of {L}")),
    Form("add({x}, {y})", "x:vector y:vector", ("{x} plus {y}", "the vector sum of {x} and {y}")),
    Form("mul({x}, {y})", "x:vector y:vector", ("the elementwise product of {x} and {y}",)),
    Form("neg({L})", "L:enclosed", ("the negatives of {L}",)),
)
OF_NUMBER = (
    Form("mul({X}, {c})", "c:few", ("(<find> |){X} (times|multiplied by|*) {c}", "multiply {X} by {c}", "(what is|compute|) {c} times {X}", "<find> {X}, (then |)(times|multiplied by) {c}", "(compute|take|work out|find|calculate) {X}(,|) (and |then |and then |)multiply (it|that|the result|this) (by|with) {c}"), 2.0),
    Form("mul({X}, 2)", "", ("(twice|double|two times) {X}", "<find> (twice|double) {X}", "{X}, (doubled|times two|then double it)", "{X} doubled", "(compute|take|work out|find) {X}(,|) (and |then |and then |)double (it|that|the result)"), 1.0),
    Form("mul({X}, 3)", "", ("(three times|triple|thrice) {X}", "{X}, tripled"), 0.3),
    Form("add({X}, {c})", "c:nat", ("(<find> |){X} (plus|+) {c}", "add {c} to {X}", "{c} more than {X}", "(compute|take|work out|find|calculate) {X}(,|) (and |then |and then |)add {c}( to it| to the result|)", "<find> {X}, (increased by|plus) {c}"), 1.6),
    Form("sub({X}, {c})", "c:nat", ("(<find> |){X} (minus|-|less) {c}", "subtract {c} from {X}", "take {c} (away |)from {X}", "{c} less than {X}", "(compute|take|work out|find|calculate) {X}(,|) (and |then |and then |)(subtract|take away) {c}( from it| from that|)", "<find> {X}, (decreased by|minus) {c}"), 1.6),
    Form("div({X}, {c})", "c:divisor", ("(<find> |){X} (divided by|over|/) {c}", "divide {X} by {c}", "(compute|take|work out|find|calculate) {X}(,|) (and |then |and then |)divide (it|that|the result|this) by {c}", "<find> {X}, (then |)divided by {c}"), 1.6),
    Form("div({X}, 2)", "", ("half (of |){X}", "<find> half (of |){X}", "{X}, halved", "halve {X}"), 0.7),
    Form("mod({X}, {c})", "c:divisor", ("(<find> |){X} (mod|modulo|%) {c}", "the (remainder|rest) of {X} (divided by|by|modulo) {c}", "(compute|take|work out|find|calculate) {X}(,|) (and |then |and then |)(take|reduce) (it|that|the result) (mod|modulo) {c}", "<find> the remainder (when|if) {X} is divided by {c}"), 1.3),
    Form("pow({X}, 2)", "", ("the square of {X}", "square {X}", "{X}, squared", "(compute|take|work out|find) {X}(,|) (and |then |and then |)square (it|that|the result)", "<find> the square of {X}"), 1.0),
    Form("pow({X}, {c})", "c:exponent", ("{X}, (raised |)to the power (of |){c}", "raise {X} to (the power |){c}", "{X} raised to {c}"), 0.5),
    Form("neg({X})", "", ("the (negative|opposite|additive inverse) of {X}", "negate {X}", "minus {X}", "<find> the (negative|opposite) of {X}"), 0.6),
    Form("abs({X})", "", ("the absolute value of {X}", "<find> the (absolute value|magnitude) of {X}", "|{X}|"), 0.5),
    Form("isprime({X})", "", ("is {X} (prime|a prime|a prime number)", "(check|tell me) (if|whether) {X} is (prime|a prime)", "(compute|take|find) {X}(,|) (and|then|and then) (check|tell me|say) (if|whether) it('s| is) (prime|a prime)"), 0.9),
    Form("gt({X}, {c})", "c:nat", ("is {X} (greater than|more than|above|larger than|bigger than|over) {c}", "(compute|take|find|work out) {X}(,|) (and|then|and then) (check|tell me|say) (if|whether) it('s| is) (greater|more|larger|bigger) than {c}"), 0.7),
    Form("lt({X}, {c})", "c:nat", ("is {X} (less than|below|under|smaller than) {c}", "(compute|take|find|work out) {X}(,|) (and|then|and then) (check|tell me|say) (if|whether) it('s| is) (less|smaller) than {c}"), 0.6),
    Form("eq(mod({X}, 2), 0)", "", ("is {X} (even|an even number)", "is {X} even"), 0.3),
    Form("eq(mod({X}, {c}), 0)", "c:few", ("is {X} (divisible by|a multiple of) {c}",), 0.3),
    Form("popcount({X})", "", ("how many (ones|1 bits|set bits) are in {X}", "the popcount of {X}", "the number of one bits in {X}"), 0.3),
    Form("factorial({X})", "", ("the factorial of {X}",), 0.2),
)
OF_LIST = (
    Form("sum({X})", "", ("the (sum|total) of {X}", "the sum of {X}", "<find> the (sum|total) of {X}", "(add up|sum|sum up|total|add) {X}", "(compute|take|make|find) {X}(,|) (and |then |and then |)(add|sum) (them|the results|it|everything)( up|)", "how much are {X} (in total|together|altogether)"), 4.0),
    Form("max({X})", "", ("the (largest|maximum|biggest|highest) of {X}", "<find> the (largest|maximum|biggest|highest) (of|among|in) {X}", "(compute|take|find) {X}(,|) (and |then |and then |)(give|tell|show) (me |)the (largest|biggest|maximum)"), 1.2),
    Form("min({X})", "", ("the (smallest|minimum|lowest) of {X}", "<find> the (smallest|minimum|lowest) (of|among|in) {X}"), 1.0),
    Form("mean({X})", "", ("the (average|mean) of {X}", "<find> the (average|mean) of {X}", "average {X}"), 1.2),
    Form("prod({X})", "", ("the product of {X}", "multiply {X} together"), 0.6),
    Form("sort({X})", "", ("sort {X}", "{X}, sorted", "(compute|take|find) {X}(,|) (and |then |and then |)sort (them|it|the result)"), 1.0),
    Form("reverse({X})", "", ("reverse {X}", "{X} in reverse order", "(compute|take|find) {X}(,|) (and |then |and then |)reverse (them|it|the result)"), 0.8),
    Form("cumsum({X})", "", ("the running totals of {X}", "the cumulative sums of {X}", "(compute|take|find) {X}(,|) (and |then |and then |)(the running totals|take the cumulative sum)"), 0.8),
    Form("diff({X})", "", ("the differences of {X}", "the gaps between {X}"), 0.5),
    Form("argmax({X})", "", ("where is the (largest|maximum) of {X}", "the index of the largest of {X}"), 0.3),
    Form("unique({X})", "", ("the distinct values of {X}",), 0.3),
)
# Whole questions of two steps whose wording is one piece.
WHOLE = (
    Form("sum(pow({L}, 2))", "L:list3", (
        "(square|take the squares of) {L}(,| and|, and) (then |)(add|sum|total)( up|)( the results| them| everything| it all|)( together| up|)", "sum of squares(:| of| for) {L}", "<find> the sum of the squares of {L}", "<find> the sum of the squared <items> of {L}", "square <each> <item> of {L} and (sum|add|total)( up|)( the results| them| it all|)", "add the squares of {L}", "{L}: sum of squares",
    ), 2.0),
    Form("sum(pow({L}, 3))", "L:list3", ("<find> the sum of the cubes of {L}", "sum of cubes of {L}", "cube <each> <item> of {L} and add (them|the results)( up|)"), 0.5),
    Form("sum(abs({L}))", "L:list3", ("<find> the sum of the absolute values of {L}", "(sum|add) up {L} without the signs", "add the absolute values of {L}"), 0.5),
    Form("sub(max({L}), min({L}))", "L:list3", (
        "<find> the (difference|gap|distance|spread) between the (largest|biggest|highest|maximum) and (the |)(smallest|lowest|minimum)( <item>|) (of|in) {L}", "the (maximum|largest|biggest|max|highest) minus the (minimum|smallest|min|lowest) of {L}", "<find> (max|the maximum) minus (min|the minimum) of {L}", "how far apart are the (largest|biggest) and (the |)(smallest|lowest) (of|in) {L}", "how much (bigger|larger|more) is the (largest|biggest|maximum) than the (smallest|minimum) (of|in) {L}", "subtract the (smallest|minimum) of {L} from the (largest|maximum)",
    ), 1.3),
    Form("add(max({L}), min({L}))", "L:list3", ("<find> the sum of the (largest|biggest|maximum) and (the |)(smallest|minimum) of {L}", "add the (largest|maximum) and the (smallest|minimum) of {L}"), 0.3),
    Form("mul(add({a}, {b}), {c})", "a:nat b:nat c:few", ("({a} + {b}) (*|x|times) {c}", "<find> ({a} + {b}) * {c}", "add {a} and {b}(,|) (and |then |and then )multiply (the result |it |that |)(by|with) {c}", "{a} plus {b}, (then |all |)times {c}", "{c} times the sum of {a} and {b}", "first add {a} and {b}, then multiply by {c}", "({a}+{b})*{c}"), 1.2),
    Form("mul(sub({a}, {b}), {c})", "a:nat b:nat c:few", ("({a} - {b}) (*|x|times) {c}", "<find> ({a} - {b}) * {c}", "subtract {b} from {a}(,|) (and |then |and then )multiply (the result |it |that |)(by|with) {c}", "{c} times the difference of {a} and {b}", "take {b} from {a}(,|) then multiply by {c}"), 0.9),
    Form("add(mul({a}, {b}), {c})", "a:few b:nat c:nat", ("{a} (*|times|x) {b} (+|plus) {c}", "<find> {a} (*|times|x) {b} (+|plus) {c}", "multiply {a} (by|and|with) {b}(,|) (and |then |and then )add {c}( to it|)", "add {c} to {a} times {b}", "first multiply {a} and {b}, then add {c}", "{a}*{b}+{c}", "{a} * {b} + {c}"), 1.3),
    Form("sub(mul({a}, {b}), {c})", "a:few b:nat c:nat", ("{a} (*|times|x) {b} (-|minus) {c}", "<find> {a} (*|times|x) {b} (-|minus) {c}", "multiply {a} (by|and|with) {b}(,|) (and |then |and then )(subtract|take away|take off) {c}( from it| from that|)", "{a} * {b} - {c}", "{a}*{b}-{c}"), 1.0),
    Form("add({c}, mul({a}, {b}))", "c:nat a:few b:nat", ("{c} (+|plus) {a} (*|times|x) {b}", "<find> {c} (+|plus) {a} (*|times) {b}", "{c}+{a}*{b}", "{c} plus the product of {a} and {b}"), 0.9),
    Form("sub({c}, mul({a}, {b}))", "c:nat a:few b:few", ("{c} (-|minus) {a} (*|times|x) {b}", "<find> {c} (-|minus) {a} (*|times) {b}", "{c}-{a}*{b}", "{c} minus the product of {a} and {b}", "subtract the product of {a} and {b} from {c}", "i (pay|have|start) (with |){c} (euros |dollars |)and buy {a} (things|books|pens|cakes) (at|for) {b} each(.|,|;) (what is left|how much (change|is left))", "{a} (pens|books|cakes|tickets) (for|at) {b} (each|euros each|dollars each), (i pay with|paid with|i give) {c}(.|,|;) (how much change|what change do i get|what comes back)"), 1.0),
    Form("div(add({a}, {b}), {c})", "a:nat b:nat c:few", ("({a} + {b}) / {c}", "<find> ({a} + {b}) / {c}", "add {a} and {b}(,|) (and |then |and then )divide (the result |it |that |)by {c}", "the sum of {a} and {b} divided by {c}"), 0.8),
    Form("div(sub({a}, {b}), {c})", "a:nat b:nat c:few", ("({a} - {b}) / {c}", "<find> ({a} - {b}) / {c}", "subtract {b} from {a}(,|) (and |then |and then )divide (the result |it |that |)by {c}", "take {a}(,|) (subtract|minus) {b}(,|) (and |then )divide (the result |it |that |)by {c}", "the difference of {a} and {b} divided by {c}"), 0.8),
    Form("div(mul({a}, {b}), {c})", "a:nat b:nat c:few", ("{a} (*|times) {b} (/|divided by) {c}", "<find> {a} * {b} / {c}", "multiply {a} (by|and) {b}(,|) (and |then |and then )divide (the result |it |that |)by {c}"), 0.6),
    Form("sub(add({a}, {b}), {c})", "a:nat b:nat c:nat", ("{a} (+|plus) {b} (-|minus) {c}", "<find> {a} (+|plus) {b} (-|minus) {c}", "add {a} and {b}(,|) (and |then |and then )(subtract|take away) {c}"), 0.8),
    Form("sub(sub({a}, {b}), {c})", "a:nat b:nat c:nat", ("{a} (-|minus) {b} (-|minus) {c}", "<find> {a} (-|minus) {b} (-|minus) {c}", "subtract {b} and {c} from {a}", "take {b} and then {c} (away |)from {a}"), 0.7),
    Form("add(sub({a}, {b}), {c})", "a:nat b:nat c:nat", ("{a} (-|minus) {b} (+|plus) {c}", "<find> {a} (-|minus) {b} (+|plus) {c}"), 0.6),
    Form("mul({a}, add({b}, {c}))", "a:few b:nat c:nat", ("{a} * ({b} + {c})", "<find> {a} (*|times) ({b} + {c})", "{a}*({b}+{c})", "multiply {a} by the sum of {b} and {c}"), 0.7),
    Form("add(pow({a}, 2), pow({b}, 2))", "a:nat b:nat", ("{a} squared plus {b} squared", "<find> {a} squared plus {b} squared", "{a}^2 + {b}^2", "the square of {a} plus the square of {b}"), 0.6),
    Form("add({X}, {Y})", "", ("the sum of {X} and {Y}", "{X} plus {Y}", "add {X} (and|to) {Y}", "<find> {X} plus {Y}"), 0.8),
    Form("sub({X}, {Y})", "", ("{X} minus {Y}", "<find> {X} minus {Y}", "the difference between {X} and {Y}"), 0.6),
    Form("mul({X}, {Y})", "", ("the product of {X} and {Y}", "{X} times {Y}", "multiply {X} (by|with) {Y}"), 0.5),
    Form("unique(sort({L}))", "L:repeats", ("sort {L} (and|, then|and then) (remove|drop|delete|throw out) (the |)(duplicates|repeats|doubles)", "sort {L} without (duplicates|repeats)", "sort and (dedupe|deduplicate) {L}"), 0.6),
    Form("trace(matmul({P}, {P}))", "P:square", ("the trace of the square of (the matrix |){P}", "<find> the trace of {P} squared"), 0.2),
    Form("trace(transpose({P}))", "P:square", ("transpose {P} (and|, then|and then) (take|give|compute|find) the trace", "<find> the trace of the transpose of {P}", "the trace of {P} transposed"), 0.3),
    Form("matmul({P}, {P})", "P:square", ("square the matrix {P}", "the square of the matrix {P}", "{P} times itself", "matrix {P} squared"), 0.3),
    Form("cumsum(sort({L}))", "L:list3", ("sort {L} (and|, then|and then) (take|give|compute|show) (the |)(running totals|cumulative sums|prefix sums)",), 0.3),
    Form("cumsum(reverse({L}))", "L:list3", ("reverse {L} (and|, then|and then) (take|give|compute|show) (the |)(running totals|cumulative sums|prefix sums)",), 0.3),
    Form("max(abs({L}))", "L:list3", ("<find> the largest absolute value (in|of) {L}", "the (biggest|largest) magnitude in {L}"), 0.3),
    Form("count(primes({n}), 2)", "n:upto1000", ("how many times is 2 among the primes up to {n}",), 0.05),
)


def _nested(outer: Form, inner: dict[str, Request], source: NumberSource) -> Request:
    values = draw(outer.slots, source)
    text, call = expand(source.random, source.random.choice(outer.wordings)), outer.call
    for name, request in inner.items():
        text, call = text.replace("{" + name + "}", request.text), call.replace("{" + name + "}", request.call)
    return Request(fill_text(text, values), fill_call(call, values))


def _phrase(forms: tuple[Form, ...], source: NumberSource) -> Request:
    form = source.random.choice(forms)
    values = draw(form.slots, source)
    return Request(fill_text(expand(source.random, source.random.choice(form.wordings)), values), fill_call(form.call, values))


def make_steps(source: NumberSource, random: Random) -> Request:
    """One question of two steps."""
    kind = random.random()
    if kind < 0.42:
        outer = random.choices(WHOLE, weights=[form.weight for form in WHOLE])[0]
        return _nested(outer, {name: _phrase(NUMBERS, source) for name in ("X", "Y")}, source)
    forms, phrases = (OF_NUMBER, NUMBERS) if kind < 0.76 else (OF_LIST, LISTS)
    outer = random.choices(forms, weights=[form.weight for form in forms])[0]
    return _nested(outer, {"X": _phrase(phrases, source)}, source)
