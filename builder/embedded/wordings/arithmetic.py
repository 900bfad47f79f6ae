"""Adding, subtracting, multiplying, dividing, powers, signs."""

from builder.embedded.forms import Form
from builder.embedded.wordings.phrases import noun_phrases

ADD = Form(
    "add({a}, {b})",
    "a:int b:int",
    noun_phrases("sum|total|addition|sum total", "{a} and {b}")
    + (
        "<whatis> {a} (+|plus|plus) {b}",
        "<whatis> {a} (+|plus|plus) {b}",
        "<whatis> {a} (+|plus|plus) {b}",
        "{a}( + |+|+ | +){b}( =| = ?|)",
        "{a} (plus|added to|and another|and) {b} (is|makes|gives|equals|comes to) (what|how much)",
        "(add|sum|sum up|total|add up|total up) {a}<and>{b}( together| up|)",
        "(put|throw|pile|count|lump|bring) {a}<and>{b} together( <result>|)",
        "how much (is|are|do|does) {a} and {b} (make|together|altogether|in all|in total|combined|give)",
        "what do {a} and {b} (make|come to|add up to|total|give|amount to)( together| altogether|)",
        "(if|when) <who> (add|put|join|count) {a} (to|and|with) {b}(,|) (what do <who> get|<result>)",
        "(increase|raise|grow|bump|boost) {a} by {b}",
        "{a} (increased|raised|grown|boosted) by {b}",
        "{a} with {b} (on top|more|extra|added|more on top)",
        "what (number|value|figure) is {b} (more|greater|larger|bigger|higher) than {a}",
        "(start|begin|go) (with|at|from) {a} and (add|go up by|put on|count up) {b}",
        "{b} (onto|on top of|added onto) {a} (gives|makes|is) what",
        "(combine|join) {a}<and>{b} by (adding|addition)",
        "{a} and {b} (combined|added together|summed|added|in sum|in total|all together|altogether)",
        "if {a} (goes up|grows|rises|climbs|gets bigger) by {b}(,|) (where does it end|what is it then|<result>)",
        "what number (do i reach|comes) {b} (after|past|above|up from) {a}",
        "i (have|had) {a} and (got|get|receive|find|win) {b} more(, how many now|, how much is that|)",
        "(do|perform|carry out) the addition {a} (+|plus) {b}",
    ),
    2.0,
)
ADD_EACH = Form(
    "add({L}, {a})",
    "L:enclosed a:pos",
    (
        "add {a} to <each> <item> (of|in) {L}",
        "(increase|raise|lift|bump|boost) (all|every one|each <item>|<each> <item>|all <items>) (of|in) {L} by {a}",
        "add {a} to (each of|all of|everything in|every one of) {L}",
        "{L} plus {a} (<elementwise>|for each|on every entry)",
        "<find> {L} (+|plus) {a}",
        "make (all the <items>|everything|each <item>) in {L} {a} (larger|bigger|more)",
        "put {a} on top of <each> <item> of {L}",
        "{L}, with {a} added to (each|all|every <item>)",
        "raise {L} by {a}",
    ),
    0.7,
)
ADD_LISTS = Form(
    "add({x}, {y})",
    "x:vector y:vector",
    noun_phrases("vector sum|elementwise sum|entrywise sum|componentwise sum|vector addition|sum of the vectors", "{x} and {y}")
    + (
        "<find> {x} (+|plus) {y}",
        "<find> {x} (+|plus) {y}",
        "{x}( + |+){y}",
        "add( up|) <vectors>{x} (and|to|with) {y}( <elementwise>|)",
        "add <vectors>{x} and {y} <elementwise>",
        "(sum|combine by adding) <vectors>{x} and {y} <elementwise>",
        "<elementwise>, what is {x} plus {y}",
        "<each> <item> of {x} plus the (same|matching) <item> of {y}",
    ),
    1.0,
)
SUB = Form(
    "sub({a}, {b})",
    "a:int b:int",
    (
        "<whatis> {a} (-|minus|minus) {b}",
        "<whatis> {a} (-|minus|minus) {b}",
        "<whatis> {a} (-|minus|minus) {b}",
        "{a}( - |-| -|- ){b}( =| = ?|)",
        "subtract {b} (from|off|out of|away from) {a}",
        "subtract {b} from {a}( please| now| <result>|)",
        "take {b} (away |off |)(from|out of) {a}( <result>|)",
        "take {b} (away |off |)from {a}",
        "take {a} and (take|subtract|remove) {b}( away| from it|)",
        "{a} (take away|takeaway|take off|less|minus|reduced by|decreased by|lowered by|diminished by|without) {b}( <result>|)",
        "<find> the difference (between|of) {a} and {b}",
        "difference (between|of) {a} (and|to) {b}",
        "(deduct|remove|drop|strip|knock|cut|withdraw|pull|dock) {b} (from|off|out of|off of) {a}(, what is left|, what remains|)",
        "(reduce|decrease|lower|drop|shrink|cut|diminish) {a} by {b}",
        "how much (bigger|more|larger|greater|higher) is {a} than {b}",
        "by how much (is {a} (above|over|more than|bigger than|larger than) {b}|does {a} (exceed|beat|top) {b})",
        "how much (smaller|less|lower) is {b} than {a}",
        "from {a} (take|subtract|deduct|remove) {b}( away|)",
        "(start|begin) (with|at|from) {a} and (subtract|take away|remove|go down by|count down) {b}",
        "what (remains|is left|stays|do i have left|is left over) (of|from) {a} (after|when|if) (taking|removing|<who> take|<who> subtract) {b}( away|)",
        "what's left (if|when) <who> (take|remove|subtract|deduct) {b} from {a}",
        "what (number|value|figure) is {b} (less|fewer|smaller|lower) than {a}",
        "{b} (less|fewer|lower) than {a}",
        "(if|when) {a} (drops|falls|shrinks|goes down|sinks) by {b}(,|) (what is it then|<result>|where is it)",
        "what (do i|must i|should i|do you) add to {b} to (get|reach|make|have|arrive at) {a}",
        "how (much|many|far) (is it |)from {b} (up |)to {a}",
        "how (much|many) (is missing|more is needed|do i need|more) (from {b} |)to (get|go|come) from {b} to {a}",
        "i (have|had) {a} and (lose|lost|spend|spent|give away|gave away|use) {b}(, how (much|many) (is|are) left|, what is left|)",
        "{a} minus {b} (makes|gives|is|equals) what",
        "(do|perform|carry out) the subtraction {a} (-|minus) {b}",
    ),
    2.4,
)
SUB_LISTS = Form(
    "sub({x}, {y})",
    "x:vector y:vector",
    (
        "<find> {x} (-|minus) {y}",
        "{x}( - |-){y}",
        "subtract <vectors>{y} from {x}( <elementwise>|)",
        "take {y} (away |)from {x} <elementwise>",
        "from {x} (subtract|take|remove|deduct) {y} <elementwise>",
        "<elementwise> difference (of|between) {x} and {y}",
        "<find> the (difference of the vectors|vector difference|elementwise difference) {x} and {y}",
        "{x} less {y}, <elementwise>",
        "<elementwise>, what is {x} minus {y}",
    ),
    0.7,
)
SUB_EACH = Form(
    "sub({L}, {a})",
    "L:enclosed a:pos",
    (
        "(subtract|deduct|take away|take|remove) {a} from <each> <item> (of|in) {L}",
        "(reduce|lower|decrease|shrink|cut) (every one|each <item>|all <items>|<each> <item>) (of|in) {L} by {a}",
        "subtract {a} from (each of|all of|everything in) {L}",
        "<find> {L} (-|minus) {a}",
        "make (all the <items>|everything) in {L} {a} (smaller|less|lower)",
        "{L} with {a} taken off (each|every <item>)",
    ),
    0.7,
)
MUL = Form(
    "mul({a}, {b})",
    "a:int b:int",
    noun_phrases("product|multiplication", "{a} and {b}")
    + (
        "<whatis> {a} (*|x|times|×|multiplied by|times|multiplied with) {b}",
        "<whatis> {a} (*|x|times|times) {b}",
        "<whatis> {a} (*|x|times|times) {b}",
        "{a}(*| * |x| x |×| × ){b}( =| = ?|)",
        "{a} (times|multiplied by|multiplied with) {b} (is|makes|gives|equals|comes to) (what|how much)",
        "multiply {a} (by|with|and|times) {b}( <result>|)",
        "how much (is|are) {a} (times|x|lots of|multiplied by) {b}",
        "{a} (lots|sets|groups|bunches|batches|piles|times|packs|heaps) of {b}( <result>| how much is that| in total| altogether|)",
        "how (much|many) (is|are|do|does) {a} (lots|sets|groups|bunches|batches|packs|heaps) of {b}( make| come to| give|)",
        "(if|when) <who> multiply {a} (by|with) {b}(,|) (what do <who> get|<result>)",
        "{a} taken {b} times",
        "scale {a} (up |)by( a factor of|) {b}",
        "{a} (by|scaled by) {b} multiplication",
        "(the |){a} fold of {b}",
        "make {a} {b} times (as big|bigger|larger|as large|as much|greater)",
        "(area|surface) of a (rectangle|room|field|plot|garden|floor|table) (of |that is |measuring |)(with sides |){a} (by|x|times|and) {b}",
        "a (rectangle|room|field|plot|garden|floor) is {a} (m|metres|meters|cm|feet|) (long and|by) {b} (m|metres|meters|cm|feet|) wide, what is (the|its) area",
        "(do|perform|carry out) the multiplication {a} (*|times|x) {b}",
    ),
    2.0,
)
DOUBLE = Form("mul({a}, 2)", "a:int", (
    "(double|twice|two times|the double of) {a}", "<find> (twice|double|the double of) {a}", "double {a}( for me| please|)",
    "{a} doubled", "what is (twice as much as|two times) {a}", "how much is (twice|double) {a}", "double the number {a}",
    "make {a} twice as (big|large|much)",
), 0.7)
TRIPLE = Form("mul({a}, 3)", "a:int", (
    "(triple|three times|thrice|the triple of) {a}", "<find> (triple|three times|thrice|the triple of) {a}", "{a} tripled",
    "triple the number {a}", "how much is (triple|thrice|three times) {a}", "make {a} three times as (big|much)",
), 0.5)
QUADRUPLE = Form("mul({a}, 4)", "a:int", (
    "(quadruple|four times|the quadruple of) {a}", "<find> (quadruple|four times) {a}", "{a} quadrupled",
    "make {a} four times (as big|bigger|as much)",
), 0.25)
TENFOLD = Form("mul({a}, 10)", "a:int", ("ten times {a}", "<find> ten times {a}", "{a} times ten", "tenfold {a}"), 0.15)
MUL_EACH = Form(
    "mul({L}, {a})",
    "L:enclosed a:int",
    (
        "multiply <each> <item> (of|in) {L} (by|with) {a}",
        "multiply (all of|everything in|the list|the vector|) {L} (by|with) {a}",
        "scale {L} (by|with) {a}",
        "scale (the vector|the list|vector) {L} (by|with|up by) (a factor of|the factor|) {a}",
        "<find> {L} (*|times|x) {a}",
        "<find> {a} (*|times|x) {L}",
        "make <each> <item> (of|in) {L} {a} times (as big|bigger|larger)",
        "{L} scaled by {a}",
        "stretch {L} by (a factor of|) {a}",
    ),
    0.8,
)
DOUBLE_EACH = Form("mul({L}, 2)", "L:enclosed", (
    "double <each> <item> (of|in) {L}", "double (all|everything) in {L}", "twice <each> <item> of {L}", "{L} with all <items> doubled",
), 0.25)
MUL_LISTS = Form(
    "mul({x}, {y})",
    "x:vector y:vector",
    noun_phrases("elementwise product|hadamard product|entrywise product|componentwise product|element-wise product", "{x} and {y}")
    + (
        "multiply <vectors>{x} (and|with|by) {y} <elementwise>",
        "multiply <vectors>{x} (and|with|by) {y} <elementwise>",
        "<find> {x} (*|times) {y} <elementwise>",
        "<elementwise>, what is {x} times {y}",
        "{x} times {y}, <elementwise>",
        "<each> <item> of {x} times the (same|matching) <item> of {y}",
    ),
    0.9,
)
DIV = Form(
    "div({a}, {b})",
    "a:int b:divisor",
    noun_phrases("quotient|integer quotient|whole quotient|integer division|division|floor division", "{a} and {b}")
    + (
        "<whatis> {a} (/|divided by|over|div|//|÷|divided by) {b}",
        "<whatis> {a} (/|divided by|over|div|//|÷|divided by) {b}",
        "<whatis> {a} (/|divided by) {b}",
        "{a}(/| / |//| // |÷| ÷ |:| : ){b}( =| = ?|)",
        "divide {a} by {b}( <result>|)",
        "divide {a} (by|into|through|among|with) {b}( equal parts| parts|)",
        "how (many times|often) does {b} (go into|fit into|fit in|go in|fit inside|divide into) {a}",
        "how many (whole |full |complete |)(times|) (does |can |){b} (go into|fit into|fit in|goes into) {a}",
        "how many {b}s (are there in|fit in|fit into|go into|are in) {a}",
        "(split|share|distribute|cut|break|chop|part) {a} (into|among|between|in|over|up into|equally among|evenly between|equally into) {b}( equal|) (parts|people|groups|pieces|friends|portions|persons|piles|)",
        "{a} (split|shared|distributed|cut|parted) (equally |evenly |)(into|among|between|by|in) {b}( <result>| how much each| what does each get|)",
        "(integer|whole|floor|whole number) (part|quotient|division|result) of {a} (divided by|over|/|by) {b}",
        "(if|when) <who> (divide|split|share|cut) {a} (by|into|among) {b}(,|) (what do <who> get|<result>|how much is each|what does each get)",
        "{a} divided by {b} (is|makes|gives|equals) (what|how much)",
        "the (quotient|whole result) when {a} (is|gets) (divided|cut|split) by {b}",
        "one {b}th of {a}",
        "(do|perform|carry out) the division {a} (/|by|over|divided by) {b}",
        "{b} into {a} goes how (often|many times)",
    ),
    2.2,
)
HALF = Form("div({a}, 2)", "a:int", (
    "half of {a}", "<find> (half|half of|one half of|the half of) {a}", "halve {a}", "{a} halved", "cut {a} in (half|two|halves)",
    "what's half (of|) {a}", "how much is half (of|) {a}", "half the number {a}", "split {a} (in two|down the middle|in half)",
), 0.7)
THIRD = Form("div({a}, 3)", "a:int", (
    "(a|one) third of {a}", "<find> (a|one|the) third (of|part of) {a}", "split {a} in three", "how much is a third of {a}",
), 0.3)
QUARTER = Form("div({a}, 4)", "a:int", (
    "(a|one) (quarter|fourth) of {a}", "<find> (a|one|the) (quarter|fourth) (of|part of) {a}", "quarter {a}", "how much is a quarter of {a}",
), 0.3)
TENTH = Form("div({a}, 10)", "a:int", ("(a|one) tenth of {a}", "<find> (a|one) tenth of {a}"), 0.15)
DIV_EACH = Form("div({L}, {a})", "L:enclosed a:few", (
    "divide <each> <item> (of|in) {L} by {a}", "divide (all of|everything in|the list|) {L} by {a}", "<find> {L} (/|divided by) {a}",
), 0.4)
MOD = Form(
    "mod({a}, {b})",
    "a:int b:divisor",
    noun_phrases("remainder|division remainder|modulus|modulo", "{a} (divided by|by|over|and|/) {b}")
    + (
        "<whatis> {a} (mod|%|modulo|mod) {b}",
        "<whatis> {a} (mod|%|modulo|mod) {b}",
        "{a}( mod |%| % | modulo ){b}( =|)",
        "<find> the (remainder|rest) (of|when|if|in) {a} (divided by|is divided by|gets divided by|/|over) {b}",
        "what (remains|is left|is left over|is the rest|stays over|is the leftover) (when|if|after) {a} (is|gets) (divided|split|shared) (by|among|into) {b}",
        "{a} divided by {b} (leaves|has) (what|which) (remainder|rest)",
        "(which|what) (remainder|rest) (does {a} leave|is left by {a}|do <who> get for {a}|does {a} give) (when divided by|divided by|by|over|modulo) {b}",
        "(remainder|rest) (after|of|from|on|when|in) (dividing|division of) {a} (by|through) {b}",
        "reduce {a} (mod|modulo) {b}",
        "{a} (reduced|taken) (mod|modulo) {b}",
        "what is left( over|) (when|if|after) <who> (divide|split|share) {a} (by|into|among) {b}",
        "(leftover|remainder|rest) (of|from|for) {a} (by|over|/|divided by) {b}",
        "take {a} (modulo|mod) {b}",
        "divide {a} by {b} and (tell me|give me|keep|report|say) (only |)(the (remainder|rest)|what is left|what remains)",
        "if {a} (is|gets) (divided|split) by {b}, what is the (remainder|rest|leftover)",
        "only the remainder: {a} (/|by|divided by|over) {b}",
    ),
    1.8,
)
MOD_EACH = Form("mod({L}, {a})", "L:enclosed a:few", (
    "<find> {L} (mod|modulo|%) {a}", "take <each> <item> (of|in) {L} (mod|modulo) {a}", "reduce (all of|everything in|) {L} (mod|modulo) {a}",
    "the remainders of {L} (by|divided by|modulo) {a}",
), 0.3)
POW = Form(
    "pow({a}, {b})",
    "a:base b:exponent",
    noun_phrases("power", "{a} to the {b}")
    + (
        "<whatis> {a}(^| ^ |**| ** ){b}",
        "<whatis> {a} (to the power of|to the power|raised to the power of|raised to|to the exponent|to the) {b}",
        "<whatis> {a} (to the power of|to the power|raised to) {b}",
        "{a}(^|**| ^ | ** ){b}( =|)",
        "raise {a} to (the power |the power of |power |the exponent |the |exponent |){b}",
        "take {a} to the power (of |){b}",
        "(power|exponent) {b} of {a}",
        "(base|with base) {a}(,| and| with) (exponent|power) {b}",
        "multiply {a} (by itself|with itself) so that there are {b} factors",
        "{a} multiplied by itself {b} times as a power",
        "exponentiate {a} (by|with|to) {b}",
        "pow {a} {b}",
    ),
    1.2,
)
POW_NTH = Form("pow({a}, {b})", "a:base b:nthpower", (
    "<whatis> {a} (to the|raised to the) {b}( power|)", "the {b} power of {a}", "<find> the {b} power of {a}",
    "raise {a} to the {b}( power|)", "{a} to the {b}( power|)", "take {a} to its {b} power",
), 0.7)
SQUARE = Form("pow({a}, 2)", "a:int", (
    "<whatis> {a} squared", "{a} squared", "square {a}( for me| please|)", "<find> the square of {a}", "the square of {a}",
    "{a}²", "(square the number|take the square of) {a}", "multiply {a} (by|with) itself", "{a} times itself", "square of {a}",
    "{a} to the power of two", "what do i get (if|when) i square {a}", "area of a square (with|of) side( length|) {a}",
), 0.9)
CUBE = Form("pow({a}, 3)", "a:int", (
    "<whatis> {a} cubed", "{a} cubed", "cube {a}( for me| please|)", "<find> the cube of {a}", "the cube of {a}", "{a}³",
    "cube the number {a}", "(volume|content) of a cube (with|of) (side|edge)( length|) {a}", "{a} to the third( power|)",
), 0.6)
SQUARE_EACH = Form("pow({L}, 2)", "L:enclosed", (
    "square <each> <item> (of|in) {L}", "the squares of (all of|all the <items> in|) {L}", "<find> the squares of {L}", "square (all of|everything in|) {L}",
    "{L} squared", "<find> {L} squared <elementwise>", "square {L} <elementwise>",
), 0.5)
CUBE_EACH = Form("pow({L}, 3)", "L:enclosed", (
    "cube <each> <item> (of|in) {L}", "the cubes of {L}", "<find> the cubes of {L}", "cube (all of|everything in|) {L}",
), 0.3)
POW_EACH = Form("pow({L}, {b})", "L:enclosed b:exponent", (
    "raise <each> <item> (of|in) {L} to the power (of |){b}", "<find> {L} (^|**|to the power of) {b}", "raise (all of|everything in) {L} to (the power |){b}",
), 0.3)
ABS = Form(
    "abs({a})",
    "a:negative",
    noun_phrases("absolute value|magnitude|modulus without sign|absolute|size without the sign", "{a}")
    + (
        "abs( of|) {a}", "abs({a})", "|{a}|", "<find> |{a}|", "<find> abs({a})", "{a} without (its|the) (sign|minus)", "drop the (minus|sign) (of|from|in) {a}",
        "(remove|strip|ignore|forget|leave off|lose) the (minus|sign|negative sign) (of|from|in) {a}", "make {a} positive",
        "how far (away |)is {a} from (zero|0)", "distance (of|from) {a} (from|to) (zero|0)", "how big is {a} (ignoring|without) the sign",
        "{a} as a positive number", "the positive (version|form) of {a}", "turn {a} positive",
    ),
    1.0,
)
ABS_POSITIVE = Form("abs({a})", "a:int", ("absolute value of {a}", "<find> the absolute value of {a}", "abs({a})", "|{a}|", "magnitude of {a}"), 0.4)
ABS_EACH = Form("abs({L})", "L:enclosed", (
    "<find> the absolute values of {L}", "absolute values of {L}", "abs( of|) {L}", "make (all|everything|all <items>) in {L} positive",
    "(drop|remove|strip) (the|all) (signs|minus signs) (from|in|of) {L}", "the magnitudes of {L}", "<find> the absolute value of <each> <item> (of|in) {L}",
    "{L} without the signs",
), 0.5)
DISTANCE = Form("abs(sub({a}, {b}))", "a:int b:int", (
    "<find> the distance (between|from) {a} (and|to) {b}", "distance (between|from) {a} (and|to) {b}", "how far apart are {a} and {b}",
    "<find> the absolute difference (of|between) {a} and {b}", "absolute difference (of|between) {a} and {b}", "how far is {a} (away |)from {b}",
    "how far is it (between|from) {a} (and|to) {b} on the number line", "|{a} - {b}|", "<find> |{a} - {b}|",
), 0.6)
NEG = Form(
    "neg({a})",
    "a:int",
    noun_phrases("negative|opposite|additive inverse|negation|opposite number", "{a}")
    + (
        "negate {a}", "(flip|change|switch|invert|turn|reverse|swap|toggle) the sign (of|on|in) {a}", "{a} with (the|its) (opposite|other|flipped|reversed) sign",
        "{a} negated", "multiply {a} by minus one, so its negative", "what is minus {a}, i mean the negative", "make {a} negative",
        "what is the number that cancels {a}", "put a minus (in front of|before) {a}", "turn {a} into its negative",
        "<find> the negative of {a}", "<find> the opposite of {a}", "the inverse of {a} under addition",
    ),
    1.1,
)
NEG_EACH = Form("neg({L})", "L:enclosed", (
    "negate (all of|everything in|each <item> of|<each> <item> in|the list|) {L}", "(flip|change|switch|invert|reverse) (the|all|all the) signs? (of|in) {L}".replace("s?", "s"),
    "(flip|change|switch) the sign of <each> <item> (of|in) {L}", "the negatives of {L}", "<find> the negatives of {L}", "{L} with (opposite|flipped|other) signs",
), 0.5)

FORMS = (
    ADD, ADD_EACH, ADD_LISTS, SUB, SUB_LISTS, SUB_EACH, MUL, DOUBLE, TRIPLE, QUADRUPLE, TENFOLD, MUL_EACH, DOUBLE_EACH, MUL_LISTS,
    DIV, HALF, THIRD, QUARTER, TENTH, DIV_EACH, MOD, MOD_EACH, POW, POW_NTH, SQUARE, CUBE, SQUARE_EACH, CUBE_EACH, POW_EACH,
    ABS, ABS_POSITIVE, ABS_EACH, DISTANCE, NEG, NEG_EACH,
)
