"""Questions about one list."""

from builder.embedded.forms import Form
from builder.embedded.wordings.phrases import noun_phrases

MIN = Form(
    "min({L})",
    "L:list",
    noun_phrases("minimum|min|<smallest> <item>|<smallest> <item>|<smallest>", "<list>{L}")
    + (
        "<find> the <smallest>( <item>|) <in> <list>{L}", "<find> the <smallest>( <item>|) <in> <list>{L}", "min({L})", "min {L}", "<smallest> <in> {L}", "<smallest>: {L}",
        "which( <item>| one|) is (the |)<smallest> <in> {L}", "which (of these|one|<item>) is <smallest>(: |, | <in> ){L}", "{L}(: |, | - |; )(which is (the |)<smallest>|<smallest>|<smallest> one)",
        "(pick|choose|select|fetch|spot|name|identify) the <smallest>( one| <item>|) <in> {L}", "<in> {L}, (which|what) is (the |)<smallest>",
        "out of {L}, the <smallest>( one| <item>|) is", "what is the <smallest> <item> (there|you see|you can find|you find) <in> {L}", "how (low|small) does {L} go",
        "who has the <smallest> (score|number|time): {L}", "(my|our|the) (scores|times|prices|marks|temperatures) (were|are) {L}, what('s| is| was) (the|my) (lowest|smallest|minimum|worst|cheapest|fastest)",
        "the cheapest of {L}",
    ),
    1.2,
)
MIN_PAIR = Form("min([{a}, {b}])", "a:int b:int", (
    "which( one| number|) is <smaller>(: |, | ){a} or {b}", "is {a} or {b} (the <smaller> one|<smaller>)", "<find> the <smaller> (one |number |)of {a} and {b}",
    "the <smaller> of {a} and {b}", "(minimum|min) of {a} and {b}", "min({a}, {b})", "(pick|choose|take|tell me) the <smaller> (one|number): {a} or {b}", "{a} or {b}, which is (the <smaller>|<smaller>)",
    "(pick|choose|take) the <smaller> of {a} and {b}",
), 0.7)
MAX = Form(
    "max({L})",
    "L:list",
    noun_phrases("maximum|max|<biggest> <item>|<biggest> <item>|<biggest>", "<list>{L}")
    + (
        "<find> the <biggest>( <item>|) <in> <list>{L}", "<find> the <biggest>( <item>|) <in> <list>{L}", "max({L})", "max {L}", "<biggest> <in> {L}", "<biggest>: {L}",
        "which( <item>| one|) is (the |)<biggest> <in> {L}", "which (of these|one|<item>) is <biggest>(: |, | <in> ){L}", "{L}(: |, | - |; )(which is (the |)<biggest>|<biggest>|<biggest> one)",
        "(pick|choose|select|fetch|spot|name|identify) the <biggest>( one| <item>|) <in> {L}", "<in> {L}, (which|what) is (the |)<biggest>",
        "out of {L}, the <biggest>( one| <item>|) is", "what is the <biggest> <item> (there|you see|you can find|you find) <in> {L}", "how (high|big|large) does {L} go",
        "who has the <biggest> (score|number|time): {L}", "(my|our|the) (scores|times|prices|marks|temperatures|points) (were|are) {L}, what('s| is| was) (the|my) (highest|largest|maximum|best|top|most expensive|record)",
        "the most expensive of {L}",
    ),
    1.2,
)
MAX_PAIR = Form("max([{a}, {b}])", "a:int b:int", (
    "which( one| number|) is <bigger>(: |, | ){a} or {b}", "is {a} or {b} (the <bigger> one|<bigger>)", "<find> the <bigger> (one |number |)of {a} and {b}",
    "the <bigger> of {a} and {b}", "(maximum|max) of {a} and {b}", "max({a}, {b})", "(pick|choose|take|tell me) the <bigger> (one|number): {a} or {b}", "{a} or {b}, which is (the <bigger>|<bigger>)",
    "(pick|choose|take) the <bigger> of {a} and {b}", "which number is <bigger>, {a} or {b}",
), 0.7)
SUM = Form(
    "sum({L})",
    "L:list3",
    noun_phrases("sum|total|sum total|grand total|overall sum|total sum", "<list>{L}")
    + (
        "<find> the (sum|total|grand total) <in> <list>{L}", "(add|sum|total|tally|tot|count)( up|) <list>{L}", "(add|sum|total|tally) <list>{L} (up|together)", "sum({L})", "sum {L}",
        "add {L} (all |)together", "how much (is|are|do|does) {L} (in total|altogether|together|in all|make|come to|add up to|combined)", "what do {L} (add up to|come to|total|make|sum to|amount to)( together|)",
        "{L}(: |, | - |; )(sum|total|add them up|sum them up|added up|in total|altogether|all together|summed)", "(put|bring|lump) {L} (all |)together", "add (all|all of|everything in|each of|every <item> of|all <items> of|all the <items> in) {L}( up| together|)",
        "(i (paid|spent|earned|bought for|walked|ran|drove)|my (bills|costs|expenses|sales|earnings|prices) (are|were)) {L} (euros|dollars|pounds|km|miles|)(,|.|;) (what is the total|how much (is that|in total|altogether)|what does it come to|total)",
        "the <items> {L} (added|summed)( up| together|)", "when all of {L} are (added|summed), what (is|do i get)", "(what's|what is) everything in {L} (added|put) together",
    ),
    1.3,
)
SUM_PLUS = Form("sum([{a}, {b}, {c}])", "a:int b:nat c:nat", (
    "<whatis> {a} (+|plus) {b} (+|plus) {c}", "{a}( + |+){b}( + |+){c}( =|)", "<whatis> {a} + {b} + {c}", "{a} plus {b} plus {c}", "add {a} and {b} and {c}", "add {a} to {b} and {c}",
), 0.8)
SUM_PLUS4 = Form("sum([{a}, {b}, {c}, {d}])", "a:int b:nat c:nat d:nat", (
    "<whatis> {a} + {b} + {c} + {d}", "{a} + {b} + {c} + {d}", "{a}+{b}+{c}+{d}", "<whatis> {a} plus {b} plus {c} plus {d}",
), 0.4)
SUM_PLUS5 = Form("sum([{a}, {b}, {c}, {d}, {e}])", "a:int b:nat c:nat d:nat e:nat", (
    "<whatis> {a} + {b} + {c} + {d} + {e}", "{a} + {b} + {c} + {d} + {e}", "{a} plus {b} plus {c} plus {d} plus {e}",
), 0.3)
PROD = Form(
    "prod({L})",
    "L:list3",
    noun_phrases("product|total product", "<list>{L}")
    + (
        "multiply <list>{L}( all|) together", "multiply (all|all of|everything in|every <item> of|all the <items> in|each of|all <items> <in>) {L}( together|)", "<find> the product <in> <list>{L}", "prod({L})", "prod {L}", "product {L}",
        "{L}(: |, | - |; )(multiply them|multiplied together|product|all multiplied|times each other)", "multiply {L}", "what do i get (if|when) i multiply {L}", "(when|if) all of {L} are multiplied, what do <who> get", "multiply up <list>{L}", "{L} multiplied (together|up|with each other|all together)",
        "(the product taken|product taken) (over|across) {L}", "what do {L} multiply to",
    ),
    1.2,
)
PROD_TIMES = Form("prod([{a}, {b}, {c}])", "a:nat b:nat c:nat", (
    "<whatis> {a} (*|times|x) {b} (*|times|x) {c}", "{a}( * |*| x |x){b}( * |*| x |x){c}( =|)", "<whatis> {a} * {b} * {c}", "{a} times {b} times {c}", "multiply {a} and {b} and {c}",
    "(volume|content) of a (box|room|tank) (of |with sides |measuring |){a} by {b} by {c}",
), 0.7)
PROD_TIMES4 = Form("prod([{a}, {b}, {c}, {d}])", "a:few b:few c:few d:few", (
    "<whatis> {a} * {b} * {c} * {d}", "{a} * {b} * {c} * {d}", "{a} x {b} x {c} x {d}", "<whatis> {a} times {b} times {c} times {d}", "{a}*{b}*{c}*{d}",
), 0.4)
MEAN = Form(
    "mean({L})",
    "L:list",
    noun_phrases("mean|average|arithmetic mean|avg|average value|mean value|arithmetic average", "<list>{L}")
    + (
        "<find> the (mean|average) <in> <list>{L}", "mean({L})", "mean {L}", "avg {L}", "average <list>{L}", "average (out |)<list>{L}", "{L}(: |, | - |; )(average|mean|what is the average|averaged|on average)",
        "what do {L} average( out|)( to|)", "what are {L} on average", "how much (is|are) {L} on average", "on average, (how much|what) (is|are) {L}", "take the (average|mean) (over|of|across) {L}", "{L} averaged",
        "(i (ran|walked|slept|worked|scored|spent|drove|read)|it was|we sold) {L} (km|miles|hours|points|euros|degrees|pages|) (,|.|;)(what is|how much is|what was) (that|it|) (on average|the average|per day on average|the mean)",
        "(my|our|the) (marks|grades|scores|times|temperatures) (are|were) {L}, what('s| is) (my|the|our) (average|mean)", "average of {L}", "mean of {L}",
    ),
    1.2,
)
COUNT = Form(
    "count({L}, {v})",
    "L:repeats v:member",
    (
        "how (many times|often) (does|is|do|did) {v} (in|appear in|occur in|show up in|come up in|there in|turn up in|be found in|feature in) <list>{L}",
        "how (many times|often) (does|is) {v} (appear|occur|there|come up|turn up|found|present) (in|within|inside|among) {L}",
        "count( the|) {v}(s|'s|) (in|within|among|inside) {L}", "count( all|) the {v}s <in> {L}", "how many {v}(s|'s) (are |are there |do you see |does one find |occur |can you find )(in|within|among) <list>{L}", "how many {v}(s|'s) (in|are in|does|has) {L}( have| contain|)",
        "<find> the (count|number|frequency) of {v}(s|'s|) (in|within|among) <list>{L}", "in {L}(,|) how (often|many times) (is|does|do <who> see|is there) (a |the |){v}( occur| appear| there| come up|)",
        "count how (many times|often) {v} (appears|occurs|is|comes up|shows up) (in|within) {L}", "(number of |)(occurrences|appearances|instances) of {v} (in|within|among|inside) {L}", "(the frequency|frequency) of {v} (in|within|among) {L}",
        "{L}(: |, |; | - )(how many|count the) {v}(s|'s)", "{L}(: |, |; )how (often|many times) (is|does) {v}( there| occur| appear|)", "how many <items> (of|in) {L} (are|equal|are equal to) {v}",
        "how (frequently|frequent) (is|does) {v} (in|within|appear in|occur in) {L}", "look for {v} in {L} and count (it|them)", "the list {L} (contains|has|holds) {v} how (often|many times)", "given {L}, how many (are|equal) {v}", "count({L}, {v})",
        "in the (list|sequence) {L}, (count|how many) {v}(s|'s)",
    ),
    1.5,
)
COUNT_ZEROS = Form("count({L}, 0)", "L:repeats", ("(how many|count the) (zeros|zeroes|0s) (in|are in|are there in) {L}", "how many (times is|times does) zero (there|occur) in {L}"), 0.12)
COUNT_ONES = Form("count({L}, 1)", "L:repeats", ("(how many|count the) ones (in|are in|are there in) the list {L}", "count the ones in {L}"), 0.1)
HISTOGRAM = Form(
    "histogram({L})",
    "L:repeats",
    noun_phrases("histogram|frequency table|value counts|counts per value|tally|frequency distribution|distribution|frequencies", "<list>{L}")
    + (
        "(make|build|draw|create|do|compute|give me|show|produce|plot me) (a|the) (histogram|tally|frequency table|table of counts|count of each value) (of|from|for|over) <list>{L}", "histogram({L})", "histogram {L}", "hist {L}",
        "(count|tally) (each|every|the different|the) (value|number|item|distinct value|different number)s? (in|of) {L}".replace("s?", ""), "how (often|many times) (does|is) (each|every) (value|number|item|entry|element) (appear|occur|there|come up|show up)( in|:) {L}",
        "(which|what) values (are|occur) in {L} and how (often|many times)", "how many of (each|every|each number|every value|each value) (are|are there|do we have|is) in {L}", "(group|sort) {L} by value and count", "{L}(: |, |; )(histogram|count each value|how often each|tally|frequencies|how many of each)",
        "(tell|show) me how (often|many times|frequently) (each|every) (value|number|one|item) (appears|occurs|is|comes up|is there) (in|among) {L}", "how are (the <items> of |the <items> in |){L} (distributed|spread over the values)", "count how (often|many times) each (number|value|item) (occurs|appears) (in|among) {L}", "tally (up |)how many of each are in {L}",
        "the counts of each (value|number) in {L}",
    ),
    1.3,
)
SORT = Form(
    "sort({L})",
    "L:list3",
    (
        "sort <list>{L}( ascending| in ascending order| from smallest to largest| from low to high| in increasing order| upwards| by size| up|||)", "sort <list>{L}", "sort({L})",
        "(order|arrange|rank|put|line up|organize|organise|sequence|place) <list>{L} (in ascending order|from smallest to (largest|biggest)|from (low|lowest) to (high|highest)|in increasing order|ascending|from small to (large|big)|by size|in order|in rising order|in order of size|smallest first)",
        "(order|rank|organize|organise|arrange) <list>{L}", "<find> <list>{L} (sorted|ordered|in order|in ascending order|in increasing order|sorted ascending)", "{L}(: |, |; | - )(sort|sort them|sort ascending|put in order|in order|sorted|order them|in ascending order|smallest first)",
        "(put|place|get|bring) {L} (in|into) (order|ascending order|increasing order|the right order|sorted order|sequence)", "(ascending|increasing|sorted) order (of|for|:) {L}", "(sort|order|list) {L} (smallest|lowest|least|littlest) first", "list {L} (from smallest to largest|in ascending order|beginning with the smallest|starting with the <smallest>|from the bottom up)",
        "(starting|beginning) (with|from|at) the <smallest>, (list|order|sort|arrange) {L}", "(can|could|would) you (sort|order|arrange) <list>{L}( for me|)", "what is {L} (sorted|in order|when sorted|put in order)", "make {L} (sorted|ascending|increasing)", "i need {L} (sorted|in order|in ascending order|ordered)",
        "(please |)(sort|order) (these|those|the <items>|the following)( for me|)(: | ){L}", "(smallest|lowest) to (largest|highest|biggest)(: |, ){L}",
    ),
    1.6,
)
SORT_DOWN = Form(
    "reverse(sort({L}))",
    "L:list3",
    (
        "sort <list>{L} (descending|in descending order|from (largest|biggest|highest) to (smallest|lowest)|from high to low|in decreasing order|downwards|down|in falling order|backwards by size)", "sort {L} descending", "sort {L} in descending order", "(in |)descending order(: |, | of | for ){L}",
        "(order|arrange|rank|put|line up|organize|place) <list>{L} (in descending order|from (largest|biggest) to smallest|from (highest|high) to (low|lowest)|in decreasing order|descending|from (big|large) to small|biggest first|largest first|highest first|from the top down)",
        "{L}(: |, |; | - )(sort descending|sort from high to low|reverse sort|biggest first|largest first|descending|in descending order)", "(descending|decreasing|falling) order (of|for|:) {L}", "(sort|order|list|rank|arrange) {L} (largest|biggest|highest|greatest) first", "reverse sort {L}", "reverse(sort({L}))",
        "(list|order|sort|rank|arrange|show) {L} (starting|beginning) (with|from|at) the <biggest>", "(starting|beginning) (with|from|at) the <biggest>, (list|order|sort|arrange) {L}", "(rank|order) {L} (going |)(down from|from) the (top|biggest|largest|highest)( down| downwards|)", "sort {L} (the other way|with the <biggest> (first|in front|at the front))", "(largest|highest|biggest) to (smallest|lowest)(: |, ){L}",
        "<find> {L} (sorted|ordered) (descending|from high to low|from largest to smallest|in descending order)", "rank {L} (from best to worst|from the biggest to the smallest|from top to bottom)",
    ),
    1.3,
)
ARGSORT = Form(
    "argsort({L})",
    "L:list3",
    noun_phrases("argsort|sorting (permutation|indices|order of indices|index order)|indices in sorted order|order of the indices|sort (indices|permutation)|sorted positions", "{L}")
    + (
        "argsort({L})", "argsort {L}", "<find> argsort {L}", "(which|what) (indices|index order|order of indices|positions|permutation|order of positions) (would |will |)(sort|sorts|order|puts in order|bring in order) {L}", "(the |)(indices|positions|index order|permutation) (that|which) (sort|would sort|sorts|order|puts in order|put in order) {L}",
        "<find> the (indices|positions|permutation|index list) (that|which|to) (sort|would sort|sorts|order|arrange|orders) <list>{L}", "in (which|what) order of (indices|positions) is {L} sorted", "by (which|what) (indices|positions) (do i read {L} in order|is {L} in order)", "sort {L} but (give|show|tell|return) (me |)(the |only the |)(indices|positions|index numbers)", "{L}(: |, |; )(argsort|sorting indices|indices that sort it|sort order as indices)",
        "how do i index {L} to (get it sorted|have it in order)", "order the (indices|positions) of {L} by value", "(give|show) (me |)the (indices|positions) of {L} from the smallest to the largest <item>", "(which|what) permutation (of positions|of indices) (sorts|orders) {L}",
    ),
    1.3,
)
ARGMIN = Form(
    "argmin({L})",
    "L:list",
    noun_phrases("argmin|<index> of the <smallest>( <item>|)|<index> of the <smallest>( <item>|)", "<list>{L}")
    + (
        "argmin({L})", "argmin {L}", "(where is|where's|where do <who> find|where sits|where lies|where can i find|find where) the <smallest>( <item>|) (in|of|among|within) {L}", "(at which|which|at what|in which|on which) <index> (is|has|holds|contains|sits|do i find) the <smallest>( <item>|) (in|of|among|within) {L}",
        "{L}(: |, |; )(argmin|where is the <smallest>|<index> of the <smallest>|where's the <smallest>)", "<in> {L}(,|) (where is|at which <index> is|where do i find) the <smallest>( <item>|)", "tell me (the <index> where|where|the <index> at which) {L} is (smallest|lowest|minimal)", "which <index> (of|in) {L} (has|holds|contains) the <smallest>( <item>|)",
        "<find> the <index> of the <smallest>( <item>|) <in> {L}", "where (in|within|inside) {L} is the <smallest>( <item>|)", "where does {L} (have its minimum|reach its lowest <item>|bottom out)", "the <smallest>( <item>|) (of|in) {L} (sits|is|stands|stays) (at which <index>|where)", "where does the <smallest>( <item>|) (sit|stand|lie|occur|live) in {L}",
    ),
    1.3,
)
ARGMAX = Form(
    "argmax({L})",
    "L:list",
    noun_phrases("argmax|<index> of the <biggest>( <item>|)|<index> of the <biggest>( <item>|)", "<list>{L}")
    + (
        "argmax({L})", "argmax {L}", "(where is|where's|where do <who> find|where sits|where lies|where can i find|find where) the <biggest>( <item>|) (in|of|among|within) {L}", "(at which|which|at what|in which|on which) <index> (is|has|holds|contains|sits|do i find) the <biggest>( <item>|) (in|of|among|within) {L}",
        "{L}(: |, |; )(argmax|where is the <biggest>|<index> of the <biggest>|where's the <biggest>)", "<in> {L}(,|) (where is|at which <index> is|where do i find) the <biggest>( <item>|)", "tell me (the <index> where|where|the <index> at which) {L} is (largest|highest|maximal)", "which <index> (of|in) {L} (has|holds|contains) the <biggest>( <item>|)",
        "<find> the <index> of the <biggest>( <item>|) <in> {L}", "where (in|within|inside) {L} is the <biggest>( <item>|)", "where does {L} (have its maximum|reach its highest <item>|peak)", "the <biggest>( <item>|) (of|in) {L} (sits|is|stands|stays) (at which <index>|where)", "where does the <biggest>( <item>|) (sit|stand|lie|occur|live) in {L}",
    ),
    1.3,
)
UNIQUE = Form(
    "unique({L})",
    "L:repeats",
    noun_phrases("unique <items>|distinct <items>|different <items>|unique elements|set of distinct values|distinct values|unique values", "<list>{L}")
    + (
        "unique({L})", "unique {L}", "(remove|drop|delete|throw away|strip|eliminate|get rid of|filter out|take out|kick out) (the |all |all the |)(duplicates|repeats|doubles|repeated <items>|repetitions|duplicate <items>|copies) (from|in|of|out of) {L}", "(dedupe|deduplicate|de-duplicate|dedup|uniq) <list>{L}", "(which|what) (distinct|different|unique) <items> (are|occur|appear|are there|do you see) (in|among) {L}",
        "{L}(: |, |; | - )(unique|distinct|without duplicates|remove duplicates|only unique values|no repeats)", "{L} without (duplicates|repeats|repetitions|the repeats|doubles)", "(keep|list|show|give me) (each|every) <item> (of|in|from) {L} (only |just |)once", "every (distinct|different) <item> (of|in) {L}", "make (the <items> in |){L} unique", "the set of (values|<items>) in {L}",
    ),
    1.3,
)
REVERSE = Form(
    "reverse({L})",
    "L:enclosed",
    noun_phrases("reverse|reversal|reverse order|reversed list|backward order", "{L}")
    + (
        "reverse <list>{L}", "reverse({L})", "reverse the (order of |<items> of |list |sequence |)<list>{L}", "(flip|turn|read|write|say|list|put|show) <list>{L} (backwards|back to front|from back to front|the other way round|in reverse|in reverse order|from last to first|from end to start|around|from the end)", "{L} (backwards|reversed|in reverse|in reverse order|back to front|from last to first|the other way round|from the end to the start)",
        "<find> {L} (backwards|reversed|in reverse|in reverse order|from the last to the first)", "(flip|invert|turn around|swap|turn round) the order (of|in) {L}", "{L}(: |, |; | - )(reverse|reverse it|reversed|backwards|back to front)", "mirror (the list |){L}", "(start|begin) (with|at|from) the (last|end) <item> and list {L} backwards", "last to first(: |, ){L}",
    ),
    1.4,
)
REVERSE_LOOSE = Form("reverse({L})", "L:list3", ("reverse <list>{L}", "{L} (backwards|reversed|in reverse order)", "reverse the order of {L}", "(flip|turn|read|write) {L} (backwards|around|from back to front)"), 0.5)
CUMSUM = Form(
    "cumsum({L})",
    "L:list3",
    noun_phrases("running totals|cumulative sums|cumulative sum|prefix sums|partial sums|running sum|running total|cumulative totals|subtotals|running sums|prefix sum|accumulated sums", "<list>{L}")
    + (
        "cumsum({L})", "cumsum {L}", "cumsum of {L}", "(accumulate|cumulate) <list>{L}", "{L}(: |, |; | - )(prefix sums|running total|running totals|cumulative sum|cumsum|accumulated)", "(add|sum) (up |){L} (cumulatively|step by step|as you go|one after another and show each total|progressively|showing each subtotal)", "(inclusive |prefix |)scan (of |over |){L}",
        "show (each|every|all the) (partial sum|running total|subtotal|intermediate sum|running sum|intermediate total)(s of| of| for|s for|s over) {L}", "keep (adding|summing)( up|) {L} and (show|list|give|tell) (me |)(each|every|all) (step|total|subtotal|intermediate result|intermediate total)s?".replace("s?", ""), "how does the (sum|total) of {L} (build up|grow|develop)( step by step|)", "(add|sum) {L} (one at a time|one by one|step by step)( and show the totals|)", "what (is|are) the (total|totals) after each <item> of {L}", "the sum so far (at|after) <each> <item> of {L}",
    ),
    1.4,
)
DIFF = Form(
    "diff({L})",
    "L:list3",
    noun_phrases("consecutive differences|differences|successive differences|first differences|steps|gaps|jumps|increments|changes|difference sequence|pairwise differences|neighbour differences|finite differences", "<list>{L}")
    + (
        "diff({L})", "diff {L}", "diff of {L}", "<find> the (differences|gaps|jumps|steps|changes|distances|increments) (between|of) (neighbours|neighbors|adjacent <items>|consecutive <items>|neighbouring <items>|successive <items>|one <item> and the next) (in|of) {L}", "(how much|by how much) (does|do) (each|every|the) (<item>|<items>|step|steps) (of|in) {L} (change|differ|grow|increase|rise)( to the next| from one to the next| each time|)",
        "(differences|gaps|jumps|steps|changes) (between|from) (neighbours|neighbors|adjacent <items>|consecutive <items>|one to the next|<item> to <item>) (in|of) {L}", "{L}(: |, |; | - )(differences|consecutive differences|diff|gaps|steps|the jumps)", "(subtract|take) each <item> (of|in) {L} from the (next|one after|following one)", "(each|every) <item> (of|in) {L} minus the (one before|previous one|previous|one before it)", "how does {L} change (from <item> to <item>|step by step|from one to the next)", "what are the (jumps|steps|gaps|changes|increments) (in|of|along) {L}", "difference (the sequence |the list |){L}",
    ),
    1.4,
)

FORMS = (
    MIN, MIN_PAIR, MAX, MAX_PAIR, SUM, SUM_PLUS, SUM_PLUS4, SUM_PLUS5, PROD, PROD_TIMES, PROD_TIMES4, MEAN, COUNT, COUNT_ZEROS,
    COUNT_ONES, HISTOGRAM, SORT, SORT_DOWN, ARGSORT, ARGMIN, ARGMAX, UNIQUE, REVERSE, REVERSE_LOOSE, CUMSUM, DIFF,
)
