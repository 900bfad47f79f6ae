"""Equal, less, greater; divisible, even, odd; counting what fulfils a condition."""

from builder.embedded.forms import Form

EQ = Form(
    "eq({a}, {b})",
    "a:int b:int",
    (
        "(is|are) {a} (equal to|the same as|identical to|the same number as|equal with|exactly|the same thing as) {b}", "(does|do) {a} (equal|match|coincide with) {b}", "are {a} and {b} (equal|the same|identical|the same number|the same value|alike)", "eq({a}, {b})", "is {a} (==|=) {b}", "{a} == {b}", "<find> {a} == {b}", "(check|test|tell me|say|find out|see) (if|whether) {a} (equals|is equal to|is the same as|matches|and {b} are equal, i.e. equals) {b}", "compare {a} and {b}(:|,|;) (are they|is it) (equal|the same)", "true or false: {a} (=|==|equals) {b}", "{a} equals {b}, (right|true or false|is that true|correct)", "{a} and {b}, (same|equal) or (not|different)",
    ),
    1.2,
)
EQ_LISTS = Form("eq({x}, {y})", "x:vector y:vector", (
    "(compare|check|test) {x} and {y} <elementwise>( for equality|)", "where (are|is) {x} (and|equal to) {y} (equal|the same|)", "(mark|show|tell me) where {x} (equals|and|matches) {y}( agree| are equal|)", "which (<items>|positions) of {x} (equal|match|are the same as|agree with) (those|the ones) (of|in) {y}", "are {x} and {y} equal <elementwise>", "<elementwise> equality of {x} and {y}", "<find> {x} == {y}",
), 0.6)
EQ_EACH = Form("eq({L}, {a})", "L:enclosed a:member", (
    "which (<items>|ones) (of|in) {L} (are|equal|are equal to|are the same as) {a}", "(mark|flag|show) (the|all|every) <items> (of|in) {L} (that|which) (are|equal|are equal to) {a}", "<find> {L} == {a}", "where is {L} equal to {a}",
), 0.4)
LT = Form(
    "lt({a}, {b})",
    "a:int b:int",
    (
        "is {a} (less than|smaller than|below|under|lower than|fewer than|beneath|littler than) {b}", "is {a} (less than|smaller than|below|under|lower than) {b}", "{a} < {b}", "is {a} < {b}", "<find> {a} < {b}", "lt({a}, {b})", "(check|test|tell me|say|find out|see|verify) (if|whether) {a} is (less than|smaller than|below|under|lower than) {b}", "true or false: {a} (<|is less than|is smaller than|is below) {b}", "{a} is (less than|smaller than|below|under) {b}, (right|true or false|is that true|correct|isn't it)", "does {a} (lie|come|fall|stay|rank) (below|under|before|short of) {b}", "(would|could) you say (that |){a} is (less than|lower than|below|under|smaller than) {b}",
    ),
    1.2,
)
LT_EACH = Form("lt({L}, {a})", "L:enclosed a:int", (
    "which (<items>|ones|) (of|in|from) {L} are (less than|smaller than|below|under|lower than) {a}", "(mark|flag|show|tell me) (the|all|every|which|the) <items> (of|in) {L} (that are|which are|being|) (less than|smaller than|below|under) {a}", "<find> {L} < {a}", "where is {L} (less than|below|under|smaller than) {a}", "compare {L} with {a}: which are (smaller|less|below)",
), 0.7)
LT_LISTS = Form("lt({x}, {y})", "x:vector y:vector", ("where is {x} (less than|below|smaller than) {y}", "which <items> of {x} are (less than|below|smaller than) (those|the ones) (of|in) {y}", "<find> {x} < {y}"), 0.3)
GT = Form(
    "gt({a}, {b})",
    "a:int b:int",
    (
        "is {a} (greater than|larger than|bigger than|above|over|more than|higher than|beyond) {b}", "is {a} (greater than|larger than|bigger than|above|over|more than) {b}", "{a} > {b}", "is {a} > {b}", "<find> {a} > {b}", "gt({a}, {b})", "(check|test|tell me|say|find out|see|verify) (if|whether) {a} (is (greater than|larger than|bigger than|above|over|more than)|exceeds|beats|tops) {b}", "true or false: {a} (>|is greater than|is bigger than|is above) {b}", "{a} is (greater than|bigger than|above|over|larger than) {b}, (right|true or false|is that true|correct|isn't it)", "does {a} (exceed|beat|surpass|top|lie above|come after|go over|outdo) {b}", "(would|could) you say (that |){a} is (greater than|more than|above|over|larger than) {b}",
    ),
    1.2,
)
GT_EACH = Form("gt({L}, {a})", "L:enclosed a:int", (
    "which (<items>|ones|) (of|in|from) {L} are (greater than|larger than|bigger than|above|over|more than) {a}", "which (<items>|ones) (of|in|from) {L} exceed {a}", "(mark|flag|show|tell me) (the|all|every|which|the) <items> (of|in) {L} (that are|which are|being|) (greater than|larger than|bigger than|above|over) {a}", "<find> {L} > {a}", "where is {L} (greater than|above|over|bigger than) {a}", "compare {L} with {a}: which are (bigger|greater|above)",
), 0.7)
GT_LISTS = Form("gt({x}, {y})", "x:vector y:vector", ("where is {x} (greater than|above|bigger than|larger than) {y}", "which <items> of {x} are (greater than|above|bigger than) (those|the ones) (of|in) {y}", "<find> {x} > {y}"), 0.3)
HOW_MANY_ABOVE = Form("sum(gt({L}, {a}))", "L:enclosed a:nat", (
    "how many( <items>|) (of|in|from|among) {L} are (greater than|larger than|bigger than|above|over|more than) {a}", "how many <items> (of|in) {L} exceed {a}", "count (the|all|how many) <items> (of|in) {L} (that are |which are |are |)(greater than|larger than|above|over|bigger than) {a}", "the number of <items> (in|of) {L} (above|over|greater than) {a}",
), 0.8)
HOW_MANY_BELOW = Form("sum(lt({L}, {a}))", "L:enclosed a:nat", (
    "how many( <items>|) (of|in|from|among) {L} are (less than|smaller than|below|under|lower than) {a}", "count (the|all|how many) <items> (of|in) {L} (that are |which are |are |)(less than|smaller than|below|under) {a}", "the number of <items> (in|of) {L} (below|under|less than) {a}",
), 0.8)
DIVISIBLE = Form("eq(mod({a}, {b}), 0)", "a:nat b:few", (
    "is {a} (divisible by|a multiple of|dividable by|evenly divisible by|in the times table of) {b}", "(check|test|tell me|see) (if|whether) {a} is (divisible by|a multiple of) {b}", "(does|will) {b} (divide|go into|divide into|fit into) {a} (evenly|without remainder|exactly|without a rest)", "does {b} divide {a}", "can {a} be divided by {b} (evenly|without remainder|without a remainder|with nothing left)", "is {b} a (factor|divisor) of {a}", "is {a} divisible by {b}", "can i divide {a} by {b} (evenly|without a remainder)",
), 0.9)
EVEN = Form("eq(mod({a}, 2), 0)", "a:nat", (
    "is {a} (even|an even number|even or not)", "is the number {a} even", "{a} even", "(check|test|tell me|say|see) (if|whether) {a} is even", "is {a} divisible by two", "{a} is even, (right|true or false|correct)", "does {a} count as even", "would you call {a} (even|an even number)",
), 0.7)
ODD = Form("mod({a}, 2)", "a:nat", ("is {a} (odd|an odd number)", "is the number {a} odd", "{a} odd", "(check|test|tell me|say|see) (if|whether) {a} is odd", "would you call {a} odd"), 0.5)
IS_SUM = Form("eq(add({a}, {b}), {c})", "a:nat b:nat c:nat", ("is {a} (+|plus) {b} (equal to|=|==|the same as|exactly) {c}", "(does|do) {a} (+|plus|and) {b} (make|equal|give|add up to) {c}", "{a} + {b} == {c}", "is it true that {a} (plus|+) {b} (is|equals|makes) {c}"), 0.35)
IS_PRODUCT = Form("eq(mul({a}, {b}), {c})", "a:nat b:nat c:nat", ("is {a} (*|times|x) {b} (equal to|=|==|the same as|exactly) {c}", "(does|do) {a} times {b} (make|equal|give) {c}", "is it true that {a} times {b} (is|equals|makes) {c}"), 0.3)

FORMS = (
    EQ, EQ_LISTS, EQ_EACH, LT, LT_EACH, LT_LISTS, GT, GT_EACH, GT_LISTS, HOW_MANY_ABOVE, HOW_MANY_BELOW, DIVISIBLE, EVEN, ODD,
    IS_SUM, IS_PRODUCT,
)
