"""Two lists, matrices, masks, filters."""

from builder.embedded.forms import Form
from builder.embedded.wordings.phrases import noun_phrases

DOT = Form(
    "dot({x}, {y})",
    "x:vector y:vector",
    noun_phrases("dot product|inner product|scalar product|dot product|dot", "<vectors>{x} and {y}")
    + (
        "<find> the (dot|inner|scalar) product (of|for|between) <vectors>{x} (and|with) {y}", "(dot|dot product|inner product|scalar product)(:| of| for|) {x}<and>{y}", "dot({x}, {y})", "{x} (dot|·|.|•) {y}", "dot {x} {y}", "(take|form|build) the (dot|inner|scalar) product of {x} and {y}",
        "multiply {x} (and|with|by) {y} <elementwise> and (sum|add up|add|total|sum up)( the results|everything|it all| all of it| the products|)", "(sum|total) of the products of {x} and {y}( <elementwise>|)", "(multiply|take) matching <items> of {x} and {y} and (add|sum) (them|the products|the results)( up|)", "{x} times {y} as (a |)dot product", "add up the <elementwise> products of {x} and {y}",
        "the (prices|costs) are {x} and the (amounts|quantities|counts) (are |){y}(,|;|:) (what is the total|what do i pay|how much in total)", "weighted sum of {x} with (the |)weights {y}", "<find> the weighted (sum|total) of {x} with weights {y}", "project {x} on {y} by (dot|scalar) product",
    ),
    1.6,
)
SQUARED_LENGTH = Form("dot({x}, {x})", "x:vector", ("<find> the squared (length|norm) of {x}", "squared (length|norm) of (the vector |){x}", "dot product of {x} with itself", "{x} dotted with itself"), 0.3)
MATMUL = Form(
    "matmul({P}, {Q})",
    "P:left Q:right",
    noun_phrases("matrix product|product of the matrices|matrix multiplication|matmul|product matrix", "{P} and {Q}")
    + (
        "<find> the (matrix product|product) of( the matrices|) {P} (and|with) {Q}", "(multiply|matrix multiply|matrix-multiply)( the matrices| matrices| two matrices:|) {P} (and|by|with|times) {Q}", "(matmul|matrix multiplication|matrix product)(:| of|) {P}<and>{Q}", "(the |)matrix {P} (times|multiplied by|multiplied with|by) (the |)matrix {Q}",
        "{P} (@|times|*|x|matmul) {Q}", "{P} @ {Q}", "<find> {P} (@|times|*) {Q}", "matmul({P}, {Q})", "(matrices|given matrices|for matrices|given the matrices) {P} and {Q}(:|,) (multiply them|their product|matrix product|what is the product)",
        "(let |with |)(A|M) (=|be|is) {P}(,| and|;) (B|N) (=|be|is) {Q}(.|,|;|:) (what is|compute|calculate|find|) (AB|A B|A*B|A times B|A @ B|the product|their product|M times N|M N)", "what (is|do i get from|comes from) (multiplying|the multiplication of) {P} (and|with|by) {Q}",
    ),
    1.3,
)
MATVEC = Form(
    "matvec({P}, {v})",
    "P:left v:column",
    noun_phrases("matrix vector product|matrix-vector product|matvec", "{P} and {v}")
    + (
        "<find> the (matrix vector|matrix-vector) product of {P} and {v}", "(multiply|apply) (the |)matrix {P} (by|to|with|and|on|times) (the |)vector {v}", "(matvec|matrix vector product|matrix-vector product|matrix vector)(:| of|) {P}<and>{v}", "(the |)matrix {P} (times|multiplied by|by|applied to|on) (the |)(vector|column|column vector) {v}",
        "matvec({P}, {v})", "(given|with|for) matrix {P} and vector {v}(:|,) (multiply them|their product|the product)", "{P} (@|times|*) (vector |the vector |){v}", "<find> {P} (times|applied to|@|*) (the |)(vector |column |){v}", "apply {P} (to|on) {v}", "use {P} as a matrix on (the vector |){v}", "let (the |)matrix {P} (act|work|operate) on (the |)(vector |){v}",
        "what (is|vector is|do i get from|vector do i get from) {P} (acting on|applied to|working on|times) {v}", "(transform|map) (the vector |){v} (with|by|through) (the matrix |){P}".replace("{v}", "{v}"), "what does {P} (do to|make of|map) (the vector |){v}( to|)",
    ),
    1.3,
)
TRANSPOSE = Form(
    "transpose({P})",
    "P:left",
    noun_phrases("transpose|transposed matrix|transposition|transposed form", "<matrix>{P}")
    + (
        "transpose <matrix>{P}", "transpose({P})", "transpose {P}", "<find> {P} transposed", "{P} transposed", "(swap|exchange|switch|interchange) (the |)(rows and columns|rows with columns|columns and rows|rows with the columns) (of|in) <matrix>{P}", "(turn|make) the rows of {P} (into|to) columns", "(flip|mirror|reflect) <matrix>{P} (along|across|over|at|around|about) (the|its) (main |)diagonal",
        "{P}(: |, |; )(transpose|transpose it|transposed|swap rows and columns)", "{P}^T", "write the columns of {P} as rows", "{P} with rows and columns (swapped|exchanged)",
    ),
    1.3,
)
OUTER = Form(
    "outer({x}, {y})",
    "x:short y:short",
    noun_phrases("outer product|tensor product|dyadic product|outer", "<vectors>{x} and {y}")
    + (
        "<find> the outer product of {x} (and|with) {y}", "outer({x}, {y})", "outer {x} {y}", "{x} outer {y}", "{x} ⊗ {y}", "(multiply|take) (each|every) <item> of {x} (by|with|times) (each|every) <item> (of|in) {y}", "all (products|pairwise products) of an <item> (of|from) {x} (with|and) (an <item>|one) (of|from) {y}", "(multiplication table|table of products|times table) (of|for|from) {x} (and|by|with) {y}",
        "(make|show|build|create|give me) (a|the) (multiplication table|table of products|times table|product table) (of|for|from) {x} (and|by|against) {y}", "the matrix of all products of {x} and {y}", "outer product(:| of|) {x}<and>{y}", "(column|column vector) {x} times (row|row vector) {y}",
    ),
    1.4,
)
TRACE = Form(
    "trace({P})",
    "P:square",
    noun_phrases("trace|diagonal sum|sum of the diagonal|matrix trace|sum of the diagonal <items>", "<matrix>{P}")
    + (
        "trace <matrix>{P}", "trace({P})", "tr({P})", "(sum|add|add up|total|sum up) the (diagonal|main diagonal|diagonal <items>|<items> on the diagonal|entries along the diagonal) (of|in) <matrix>{P}", "{P}(: |, |; )(trace|the trace|sum of the diagonal)", "what (does|do) the diagonal( <items>|) of {P} (sum to|add up to|come to|total)", "<find> the sum of the <items> (on|along) the (main |)diagonal of {P}", "what is the diagonal of {P} (in total|summed|added up)",
    ),
    1.4,
)
SAXPY = Form(
    "saxpy({a}, {x}, {y})",
    "a:few x:vector y:vector",
    (
        "saxpy( with|:| for|) (a|alpha)( = |=| is | ){a}(,| and|) x( = |=| is | ){x}(,| and|) y( = |=| is | ){y}", "saxpy({a}, {x}, {y})", "(saxpy|axpy) {a}, {x}, {y}", "(saxpy|axpy) {a} {x} {y}", "<find> {a} (*|times) {x} (+|plus) {y}", "{a}( * |*| times ){x}( + |+| plus ){y}", "(scale|multiply) {x} by {a} and (then |)add {y}",
        "(a\\*x \\+ y|a\\*x\\+y|ax\\+y|a x \\+ y|ax plus y|a times x plus y) (with|for|where|if) a( = |=| is ){a}(,| and) x( = |=| is ){x}(,| and|, and) y( = |=| is ){y}".replace("\\", ""), "add {a} times {x} to {y}", "take {a} times {x} and add {y}", "{a} times (the vector |){x} plus (the vector |){y}", "(multiply|scale) {x} (with|by) (the factor |the scalar |){a}, then add {y}( to it|)",
        "(with|let|for) a (=|be) {a}, x (=|be) {x}( and|,) y (=|be) {y}(:|,) (compute|what is|find|run|) (a*x + y|ax + y|a x plus y|saxpy|a times x plus y)", "run saxpy on {x} and {y} with (factor|scalar|alpha|a =|scale) {a}", "(with|for) x = {x} and y = {y}, (what is|compute|find) {a}(x| x| times x|*x) (+|plus) y", "(compute|what is|find|calculate) {a}(x|*x| x| times x) (+|plus) y (with|for|where|if) x( = |=| is ){x} and y( = |=| is ){y}", "{y} plus {a} times {x}",
    ),
    1.5,
)
CLAMP = Form(
    "clamp({L}, {lo}, {hi})",
    "L:enclosed lo:low hi:high",
    (
        "(clamp|clip|limit|bound|restrict|confine|constrain|cap) <list>{L} (to|between|within|into|from|in) {lo} (and|to|,|..|...) {hi}", "(clamp|clip|limit|restrict|bound) {L} to (the |)(range|interval|limits) (from |between |of |){lo}( to | and |..|-|, |...){hi}", "clamp({L}, {lo}, {hi})", "(keep|hold|force|squeeze|make|push) (all|everything|the <items>|every <item>|all <items>|each <item>) (of|in) {L} (between|within|inside|to be between|from|to stay between|in the range) {lo} (and|to) {hi}",
        "(keep|hold|force|squeeze) {L} (between|within|inside|in the range|in) {lo} (and|to) {hi}", "(limit|restrict|clamp|bound) <each> <item> (of|in) {L} to (be |lie |)(between |from |at least |){lo} (and|to|and at most) {hi}", "{L} (clamped|clipped|limited|restricted|bounded) (to|between|by|from) {lo} (and|to) {hi}", "in {L}, (set|raise|bring) everything below {lo} to {lo} and everything above {hi} to {hi}",
        "clip {L} at {lo} and {hi}", "clamp {L} with (minimum|min|lower limit|low) {lo} and (maximum|max|upper limit|high) {hi}",
    ),
    1.3,
)
CLAMP_ONE = Form(
    "clamp({a}, {lo}, {hi})",
    "a:int lo:low hi:high",
    (
        "(clamp|clip|limit|bound|restrict|confine|constrain|cap) {a} (to|between|within|into|from|in) {lo} (and|to|,|..|...) {hi}", "(clamp|clip|limit|restrict) (the number |){a} to (the |)(range|interval|limits) (from |between |of |){lo}( to | and |..|-|, |...){hi}", "clamp({a}, {lo}, {hi})", "(keep|hold|force|squeeze|make|bring) {a} (between|within|inside|to stay between|to be between|into|in the range|in|to stay within|to lie between) {lo} (and|to) {hi}",
        "{a} (clamped|clipped|limited|bounded) (to|between|by|from) {lo} (and|to) {hi}", "<find> {a} (clamped|clipped|limited) to {lo}( to |..|-| and ){hi}", "make sure {a} (lies|is|stays) (between|within|from) {lo} (and|to) {hi}",
    ),
    0.9,
)
WHERE = Form(
    "where({m}, {x}, {y})",
    "m:mask x:vector y:vector",
    (
        "where({m}, {x}, {y})", "where {m} (is true|is 1|is set|is one|holds|is on|is not zero) (take|use|pick|choose|put|give) {x}(,| and|) (otherwise|else|elsewhere|if not) (take |use |pick |){y}", "(use|with|using|given|by) (the |)(mask|flags|condition|selector|switches) {m}(,| to|) (choose|pick|select|take|blend|mix) (from |between |){x} (and|or|else|otherwise) (from |){y}", "(choose|select|pick) {x} where (the mask |){m} (is 1|is true|is set|holds) (and|else|otherwise) {y}( elsewhere| otherwise| where it is 0|)",
        "(choose|select|pick|take) (from |){x} (or|else|and) (from |){y} (by|with|according to|using|based on) (the |)(mask|flags|condition) {m}", "mask {m}: (true|ones|1|yes|then) (gives|take|from|values|->|is) {x}, (false|zeros|0|no|else) (gives|take|from|values|->|is) {y}", "where mask {m} (select|choose|pick) {x} else {y}", "(wherever|if) (the mask |the flag in |the bit in |){m} (is|has a|shows a|equals) (1|one|true|set)(,| then|) (use|take|put|pick) {x}(,| and|) (else|otherwise|if not|for 0|elsewhere) (use |take |put |){y}",
        "(merge|combine|blend|mix|select between) {x} and {y} (with|by|using|under) (the |)mask {m}", "select {m} ? {x} : {y}", "by the mask {m} take {x}, (if|where) (it is |)0 take {y}",
    ),
    2.0,
)
NEGATIVES_TO = Form("where(lt({L}, 0), {a}, {L})", "L:enclosed a:few", (
    "replace (the |all |every |all the |)(negative <items>|negatives|<items> below zero|negative ones) (in|of) {L} (by|with) {a}", "(set|change|turn) (the |all |)(negatives|negative <items>) (in|of) {L} (to|into) {a}", "in {L} (replace|swap) (the |all |)negatives (with|by|for) {a}",
), 0.35)
NEGATIVES_TO_ZERO = Form("where(lt({L}, 0), 0, {L})", "L:enclosed", (
    "replace (the |all |every |all the |)(negative <items>|negatives|<items> below zero|negative ones) (in|of) {L} (by|with) (0|zero)", "(set|change|turn) (the |all |)(negatives|negative <items>) (in|of) {L} (to|into) (0|zero)", "zero out (the |all |)negatives in {L}", "relu of {L}",
), 0.35)
REPLACE_ABOVE = Form("where(gt({L}, {a}), {b}, {L})", "L:enclosed a:pos b:nat", (
    "replace (the |all |every |)(<items>|everything|<item>) (above|over|greater than|larger than|bigger than) {a} in {L} (by|with) {b}", "in {L}(,|) (replace|set|change) (all |everything |all <items> )(above|over|greater than) {a} (by|with|to) {b}",
), 0.3)
CONV = Form(
    "conv1d({s}, {k})",
    "s:enclosed k:kernel",
    noun_phrases("convolution|1d convolution|conv1d|one-dimensional convolution|discrete convolution", "{s} and {k}")
    + (
        "(convolve|convolute) (the signal |the list |){s} (with|by|and) (the kernel |the filter |){k}", "conv1d({s}, {k})", "conv1d {s} {k}", "(1d |1-d |one dimensional |)convolution of {s} (with|and|by) (kernel |the kernel |the filter |){k}", "(apply|use|run|slide|move|put) the (kernel|filter|window|mask) {k} (to|on|over|across|along|through) (the signal |the list |the data |the series |){s}", "(filter|smooth) (the signal |){s} (with|by|using) (the kernel |kernel |the filter |){k}",
        "signal {s}(,| and|;) kernel {k}(:|,|) (convolve|convolution|conv|1d convolution|conv1d|)", "{s} (convolved with|conv|convolved by) {k}", "<find> {s} convolved with {k}", "<find> the convolution of {s} (with|and) {k}", "with kernel {k}, convolve {s}", "run a (convolution|1d convolution) (of|on|over) {s} with {k}",
    ),
    1.7,
)

FORMS = (
    DOT, SQUARED_LENGTH, MATMUL, MATVEC, TRANSPOSE, OUTER, TRACE, SAXPY, CLAMP, CLAMP_ONE, WHERE, NEGATIVES_TO, NEGATIVES_TO_ZERO,
    REPLACE_ABOVE, CONV,
)
