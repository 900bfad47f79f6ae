"""Bits: and, or, xor, not, shifts, counting, reversing."""

from builder.embedded.forms import Form
from builder.embedded.wordings.phrases import noun_phrases

AND = Form(
    "and({a}, {b})",
    "a:nat b:nat",
    noun_phrases("<bitwise>and|bitwise and|bit and|logical and", "{a} and {b}")
    + (
        "<find> {a} (&|bitwise and|AND|bitand) {b}", "{a} (&|bitwise and|AND|bitand) {b}", "{a}&{b}", "<find> {a} & {b}", "(bitwise and|bitand|binary and|logical and)(:| of|) {a}<and>{b}", "and({a}, {b})", "(AND|and) {a} (and|with|together with) {b}( bitwise| on the bits| bit by bit| together|)",
        "(AND|and) together {a} and {b}", "(which|what) bits (do {a} and {b} (share|have in common)|are (set|1|on) in both {a} and {b})", "the bits (set|that are 1|on) in both {a} and {b}", "(mask|filter) {a} with {b}", "<bitwise>and {a} with {b}", "combine {a} (and|with) {b} (with|by|using) (a |)<bitwise>and", "anding {a} (with|and) {b}", "{a} and {b} (and-ed|anded|and'ed)( together|)", "common (one |set |)bits of {a} and {b}",
    ),
    1.3,
)
OR = Form(
    "or({a}, {b})",
    "a:nat b:nat",
    noun_phrases("<bitwise>or|bitwise or|bit or|logical or|inclusive or", "{a} and {b}")
    + (
        "<find> {a} (bitwise or|OR|bitor|inclusive or) {b}", "{a} (bitwise or|OR|bitor|\\|) {b}".replace("|\\|", ""), "<find> the bitwise or of {a} and {b}", "(bitwise or|bitor|binary or|logical or|inclusive or)(:| of|) {a}<and>{b}", "or({a}, {b})", "(OR|or) {a} (and|with|together with) {b}( bitwise| on the bits| bit by bit|)",
        "(OR|or) together {a} and {b}", "(which|what) bits are (set|1|on) in (either|at least one of|either of|{a} or in) {a} (or|and) {b}", "the bits (set|that are 1|on) in (either|one of) {a} (or|and) {b}", "<bitwise>or {a} with {b}", "combine {a} (and|with) {b} (with|by|using) (a |)<bitwise>or", "(or-ing|oring|or'ing) {a} (with|and) {b}", "{a} and {b} (or-ed|ored|or'ed)( together|)", "(set|add) the bits of {b} in {a}", "{a} or {b} (bitwise|in bits|on the bits|bit by bit)",
    ),
    1.3,
)
PIPE = Form("or({a}, {b})", "a:nat b:nat", ("{a} | {b}", "<find> {a} | {b}", "{a} | {b} (bitwise|in binary|please)".replace("(bitwise|in binary|please)", "please"), "{a}|{b}"), 0.35)
XOR = Form(
    "xor({a}, {b})",
    "a:nat b:nat",
    noun_phrases("xor|exclusive or|bitwise xor|XOR|<bitwise>exclusive or", "{a} and {b}")
    + (
        "<find> {a} (xor|XOR|exclusive or|exclusive-or) {b}", "{a} (xor|XOR|exclusive or|⊕|exclusive-or) {b}", "<find> {a} xor {b}", "(xor|exclusive or|bitwise xor)(:| of|) {a}<and>{b}", "xor({a}, {b})", "xor {a} (and|with|against) {b}", "xor {a} {b}", "{a} ^ {b} (as (an |)xor|bitwise|with ^ as xor|where ^ is xor|in bits)",
        "{a} (xored|xor-ed|xor'ed) (with|by) {b}", "(which|what) bits (differ between|are different in|differ in) {a} and {b}", "the bits (where|in which) {a} and {b} differ", "combine {a} (and|with) {b} (with|by|using) (an |)(xor|exclusive or)", "xoring {a} (with|and) {b}", "bits set in (exactly|only) one of {a} and {b}", "take {a} and xor it with {b}",
    ),
    1.4,
)
NOT = Form(
    "not({a})",
    "a:nat",
    noun_phrases("bitwise not|complement|bitwise complement|one's complement|ones complement|bit complement|bitwise inverse|logical not|not", "{a}")
    + (
        "~{a}", "~ {a}", "<find> ~{a}", "not({a})", "(invert|flip|toggle|complement|negate|turn over|switch) (all |all the |every |the |)(bits|bit) (of|in) {a}", "bitwise not {a}", "not {a} (bitwise|in bits|on the bits)", "<find> (bitwise |)not {a}", "{a} with (all |)(its |the |)bits (inverted|flipped|toggled|complemented|switched)", "(swap|exchange) (ones and zeros|zeros and ones|0s and 1s|every 0 and 1) (in|of) (the bits of |the binary of |){a}", "complement {a}", "turn (every|each) 0 bit of {a} into 1 and (every|each) 1 into 0",
    ),
    1.4,
)
SHL = Form(
    "shl({a}, {k})",
    "a:nat k:shift",
    (
        "<find> {a} (<<|shifted left by|left shifted by|shift left|shl|shifted to the left by) {k}", "{a} << {k}", "<find> {a} << {k}", "{a}<<{k}", "shl({a}, {k})", "{a} shl {k}", "shift {a} (left by|left|to the left by|leftwards by|to the left) {k}( bits| places| positions| bit|)", "shift {a} {k} (bits|places|positions|steps) (left|to the left|leftwards)", "(left|logical left) shift( of|) {a} by {k}( bits| places|)", "(left shift|shl|left-shift) {a}(,| by) {k}", "(bit shift|bitshift) {a} left( by|) {k}",
        "(move|push|slide|shove|displace) (the bits (of|in) |){a} {k} (bits|places|positions|steps) (left|to the left|leftwards)", "(move|push|slide|shove) (the bits (of|in) |){a} (left|to the left) by {k}( bits| places| positions|)", "(the |)left shift of {a} by {k}", "do a (left shift|shift to the left|bit shift left) (on|of|for|with) {a} by {k}", "{a} (moved|pushed|shifted) {k} (bits|places|positions) (to the left|left)", "let {a} go {k} bits (to the |)left",
    ),
    1.5,
)
SHR = Form(
    "shr({a}, {k})",
    "a:nat k:shift",
    (
        "<find> {a} (>>|shifted right by|right shifted by|shift right|shr|shifted to the right by) {k}", "{a} >> {k}", "<find> {a} >> {k}", "{a}>>{k}", "shr({a}, {k})", "{a} shr {k}", "shift {a} (right by|right|to the right by|rightwards by|to the right) {k}( bits| places| positions| bit|)", "shift {a} {k} (bits|places|positions|steps) (right|to the right|rightwards)", "(right|logical right) shift( of|) {a} by {k}( bits| places|)", "(right shift|shr|right-shift) {a}(,| by) {k}", "(bit shift|bitshift) {a} right( by|) {k}",
        "(move|push|slide|shove|displace) (the bits (of|in) |){a} {k} (bits|places|positions|steps) (right|to the right|rightwards)", "(move|push|slide|shove) (the bits (of|in) |){a} (right|to the right) by {k}( bits| places| positions|)", "(the |)right shift of {a} by {k}", "do a (right shift|shift to the right|bit shift right) (on|of|for|with) {a} by {k}", "{a} (moved|pushed|shifted) {k} (bits|places|positions) (to the right|right)", "let {a} go {k} bits (to the |)right",
    ),
    1.5,
)
POPCOUNT = Form(
    "popcount({a})",
    "a:nat",
    noun_phrases("popcount|number of <ones>|bit count|hamming weight|population count|count of <ones>", "{a}")
    + (
        "popcount( of|:|) {a}", "popcount({a})", "how many (<ones>|ones|1s) (are|are there|does one see) in( the binary form of| the binary of| the bits of| binary|) {a}", "how many <ones> (does|has) {a} (have |contain |)(<binary>|)", "<binary>, how many <ones> (does {a} have|has {a}|are in {a})", "count (the |all |all the |)<ones> (in|of|for) {a}( <binary>|)", "how many bits (of|in) {a} are (1|one|set|on)", "{a} <binary>(:|,|;) (count the <ones>|how many <ones>|number of <ones>)",
        "(convert|write|put) {a} (to|in|into) binary (and|then) count the (<ones>|ones)", "the number {a} has how many <ones>", "<find> the number of <ones> (in|of) {a}( <binary>|)", "bits set in {a}", "(count|how many) ones (in|has) the binary (expansion|representation|form) of {a}",
    ),
    1.4,
)
BITREVERSE = Form(
    "bitreverse({a})",
    "a:nat",
    noun_phrases("bit reversal|bitreverse|bit-reverse|bit reverse|reversed bits|mirrored bits|bit mirror", "{a}")
    + (
        "bitreverse({a})", "bitreverse {a}", "brev {a}", "(reverse|mirror|flip the order of|turn around|swap the order of) (the |all |all the |)(32 |)bits (of|in) {a}", "{a} with (its |the |all |all its |)bits (reversed|mirrored|in reverse order|back to front|the other way round|backwards)", "<find> {a} with (its|the) bits (reversed|mirrored|in reverse order|backwards)", "(read|write|put) the bits of {a} (backwards|back to front|in reverse|in reverse order|from the other end)",
        "bit reverse {a}", "bits of {a} (reversed|in reverse|backwards|mirrored)", "(reverse|mirror|read backwards) the (binary digits|binary form|binary representation|32-bit pattern) of {a}", "{a} bit-reversed", "the 32 bits of {a} in (reverse|opposite|mirrored|backward) order",
    ),
    1.4,
)

FORMS = (AND, OR, PIPE, XOR, NOT, SHL, SHR, POPCOUNT, BITREVERSE)
