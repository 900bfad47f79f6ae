"""Number theory: divisors, modular powers, primes, Fibonacci, factorials, Collatz."""

from builder.embedded.forms import Form
from builder.embedded.wordings.phrases import noun_phrases

POWMOD = Form(
    "powmod({a}, {b}, {m})",
    "a:base b:bigexponent m:modulus",
    noun_phrases("modular power|modular exponentiation|power modulo", "{a}, {b} and {m}")
    + (
        "<whatis> {a}(^| ^ |**| ** | to the power of | to the power | to the | raised to ){b} (mod|modulo|%|mod) {m}",
        "<whatis> {a}(^|**| to the power of | to the ){b} (mod|modulo|%|, mod|, modulo) {m}",
        "{a}(^|**){b} (mod|%|modulo) {m}",
        "({a}^{b}) (mod|%) {m}",
        "({a} ** {b}) (mod|%) {m}",
        "(pow|powmod|modpow)({a}, {b}, {m})",
        "(powmod|modpow|modexp) {a} {b} {m}",
        "powmod (of|with|for) {a}, {b}, {m}",
        "raise {a} to (the power |the power of |the |){b}(,| and then| and|) (take it |reduce |reduced |taken |)(mod|modulo) {m}",
        "(the |)(remainder|rest) (of|when|if) {a}(^| to the power of | to the power | to the ){b} (is |)(divided by|by|over) {m}",
        "(modulo|mod|working modulo|working mod) {m}(,|) (what is|raise|find|compute|) {a}(^| to the power of | to the | to the power ){b}",
        "(base|with base) {a}, exponent {b}, (modulus|mod|modulo) {m}",
        "{a} to the {b}(,|) (all |then |)(reduced |)(mod|modulo) {m}",
        "what (remains|is left) (when|if|after) {a}(^| to the power of | to the power | to the | raised to ){b} (is|gets) divided by {m}",
        "take {a} to the power {b} and (give|tell|show) me the remainder (by|modulo|for|divided by) {m}",
        "<find> {a} to the {b} modulo {m}",
    ),
    1.3,
)
POWMOD_NTH = Form("powmod({a}, {b}, {m})", "a:base b:nth m:modulus", (
    "<whatis> {a} to the {b}( power|) (mod|modulo) {m}", "the {b} power of {a} (mod|modulo|, mod|, modulo) {m}",
    "{a} to the {b}(,|) (all |everything |)(mod|modulo) {m}", "raise {a} to the {b} (mod|modulo) {m}",
), 0.4)
LAST_DIGIT = Form("powmod({a}, {b}, 10)", "a:base b:bigexponent", (
    "<find> the (last|final) digit of {a}(^| to the power of | to the power | to the ){b}", "the (last|final) digit of {a}(^|**){b}",
    "(what|which) digit does {a}(^| to the power ){b} end (in|with)",
), 0.2)
LAST_DIGITS = Form("powmod({a}, {b}, 100)", "a:base b:bigexponent", (
    "<find> the (last|final) two digits of {a}(^| to the power of | to the power ){b}", "the final two digits of {a}(^|**){b}",
    "(what|which) two digits does {a}(^| to the power ){b} end (in|with)",
), 0.2)
GCD = Form(
    "gcd({a}, {b})",
    "a:pos b:pos",
    noun_phrases(
        "gcd|greatest common divisor|greatest common factor|highest common factor|gcf|hcf|(largest|biggest) common (divisor|factor)|"
        "(largest|biggest|greatest|highest) (shared|joint|mutual) (divisor|factor)|highest common divisor",
        "{a}<and>{b}",
    )
    + (
        "gcd({a}, {b})", "gcd({a},{b})", "(gcd|gcf|hcf) {a} {b}", "gcd {a} and {b}", "<find> gcd({a}, {b})",
        "(what|which) is the <biggest> (number|integer|value|whole number) (that divides|dividing|which divides|that goes into|that fits into) (both |){a} and {b}",
        "(largest|biggest|greatest|highest) (number|integer|divisor|factor|whole number) (that divides|dividing|that goes into|which divides|common to|of both|shared by|that fits in) (both |){a} and {b}",
        "<find> the <biggest> (divisor|factor) (shared by|common to|that {a} and {b} share, i mean for|of both) {a} and {b}",
        "what('s| is) the (biggest|largest|greatest) (divisor|factor) {a} and {b} (share|have in common)",
        "{a} and {b}: <biggest> common (divisor|factor)",
        "by which <biggest> number can (both |){a} and {b} be divided",
    ),
    1.3,
)
LCM = Form(
    "lcm({a}, {b})",
    "a:pos b:pos",
    noun_phrases(
        "lcm|least common multiple|lowest common multiple|smallest common multiple|(smallest|lowest|least) (shared|joint|mutual) multiple|"
        "least common denominator",
        "{a}<and>{b}",
    )
    + (
        "lcm({a}, {b})", "lcm({a},{b})", "lcm {a} {b}", "lcm {a} and {b}", "<find> lcm({a}, {b})",
        "(smallest|lowest|least) (number|integer|value|whole number) (divisible by|that is a multiple of|that can be divided by|that is divisible by) (both |){a} and {b}",
        "<find> the <smallest> number (that|which) (both |){a} and {b} (divide|go into evenly|fit into|divide evenly)",
        "what('s| is) the (smallest|lowest|least) multiple {a} and {b} (share|have in common)",
        "{a} and {b}: <smallest> common multiple",
        "(smallest|first|lowest) multiple (shared by|common to|of both|that is in the tables of) {a} and {b}",
        "the first number in (both |)the times tables of {a} and {b}",
        "at (what|which) number do the multiples of {a} and {b} (first |)(meet|coincide|line up|agree)",
        "after how many (days|minutes|steps|seconds) do two (buses|bells|lights|clocks) with periods {a} and {b} (meet|coincide|ring together)( again|)",
    ),
    1.3,
)
FIB = Form(
    "fib({n})",
    "n:index",
    noun_phrases("fibonacci number|fibonacci|fib|fibonacci value|fibonacci term", "{n}")
    + (
        "fib({n})", "fib {n}", "fibonacci {n}", "fibonacci({n})", "fibonacci number {n}", "<find> fib({n})", "<find> fibonacci number {n}", "<find> fib {n}",
        "<find> the fibonacci (number|term|value|element) (number |with index |at position |at place |at index |at |){n}",
        "(number|term|element|entry) {n} (of|in) the fibonacci (sequence|series|numbers)",
        "what (is|stands|sits|comes) (at|in) (position|place|index|spot|number) {n} (of|in) the fibonacci (sequence|series|numbers)",
        "(what|which) (number|value) does the fibonacci (sequence|series) (have|show|reach) at (position|place|index|step|) {n}",
        "how (big|large) is fibonacci {n}", "the fibonacci (sequence|series) at (position|index|) {n}",
        "(go|walk|count) to (place|position) {n} (of|in) the fibonacci (sequence|numbers)",
    ),
    0.8,
)
FIB_NTH = Form("fib({n})", "n:nth", (
    "<find> the {n} fibonacci( number| term| value|)", "{n} fibonacci( number| term| value|)", "{n} fib( number|)", "the {n} (number|term|entry|element) (of|in) the fibonacci (sequence|series)",
    "(which|what) is the {n} (number|term|element) (of|in) the fibonacci (sequence|series)", "fibonacci, the {n} (one|number|term)",
), 0.6)
FACTORIAL = Form(
    "factorial({n})",
    "n:upto20",
    noun_phrases("factorial", "{n}")
    + (
        "{n}!", "<whatis> {n}!", "{n}! =", "<whatis> {n} factorial", "{n} factorial", "factorial({n})", "factorial {n}", "fact {n}", "{n} (fac|fact)",
        "<find> factorial {n}", "how (big|large|much) is {n}( factorial|!)", "(multiply|the product of) (all|all the|the) (numbers|integers|whole numbers) from (1|one) (to|up to|through) {n}",
        "(in |)how many (ways|orders|different orders|different ways) can (<who> (order|arrange|line up|seat|sort|queue)|there be to arrange) {n} (things|books|people|items|cards|guests|kids|objects)",
        "(in |)how many (ways|orders) can {n} (things|books|people|items|cards|guests|kids|objects|runners) (be (arranged|ordered|lined up|seated)|stand in a (row|line|queue)|sit on a bench)",
        "number of (permutations|arrangements|orderings) of {n} (things|objects|items|cards|)", "1 times 2 times 3 and so on up to {n}",
        "(how many|the number of) permutations (of|do) {n} (objects|things|elements)( have|)", "work out {n} factorial",
    ),
    1.2,
)
ISPRIME = Form(
    "isprime({n})",
    "n:nat",
    (
        "is {n} (prime|a prime|a prime number)", "is {n} (prime|a prime|a prime number)", "is the number {n} (prime|a prime)", "{n} prime( or not|?|)", "{n}, prime or (not|composite)",
        "(check|test|tell me|find out|see|verify|determine|say|examine) (if|whether) {n} is (prime|a prime|a prime number)",
        "(isprime|is_prime|is prime|primality test|prime test|prime check)(({n})| {n}|: {n}| for {n}| of {n})".replace("({n})|", ""),
        "isprime({n})", "<find> isprime({n})", "primality (of|check for|test of) {n}", "(do you know|can you say|can you tell me|can you check|i wonder|i'd like to know|tell me) (if|whether) {n} is (prime|a prime)",
        "(could|might|can|would) {n} be (prime|a prime|a prime number)", "does {n} count as (prime|a prime|a prime number)", "is {n} (prime or composite|composite or prime)",
        "is {n} one of the (primes|prime numbers)", "would you call {n} (prime|a prime|a prime number)", "is {n} only divisible by (1|one) and itself",
        "(does|has) {n} (have |)(any|only) (proper divisors|factors besides 1|divisors other than 1 and itself|two divisors)(, is it prime|)",
        "can {n} be (divided|split) by anything (besides|except|other than) (1|one) and itself", "{n} is (prime|a prime), (true or false|right|correct|isn't it)",
        "are there (divisors|factors) of {n} (besides|except|other than) 1 and {n}", "prime? {n}", "is it true that {n} is (prime|a prime number)", "{n} - is that (a |)prime",
    ),
    1.3,
)
PRIMES = Form(
    "primes({n})",
    "n:upto1000",
    (
        "<find> (all |the |all the |all of the |every |)(primes|prime numbers) (up to|until|till|below|under|up through|not above|as far as|to|not exceeding|not larger than) {n}",
        "(list|show|name|print|enumerate|display|write down|collect|generate|produce|give|count off) (all |me all |the |me the |all the |)(primes|prime numbers) (up to|until|till|below|under|through|to|as far as|that are at most|not over) {n}",
        "(which|what) (numbers up to {n} are prime|primes are there (up to|until|till|below|under) {n}|are the (primes|prime numbers) (up to|until|below|till|to) {n}|prime numbers (are|come) (below|before|under|up to) {n})",
        "(primes|prime numbers) (up to|until|till|to|<=|through|below|from 2 to|from 1 to|between 1 and|between 2 and) {n}", "primes({n})", "<find> primes({n})", "sieve( of eratosthenes|) (up to|to|until|for) {n}",
        "(run|use|do) (the|a) (prime |)sieve (up |)to {n}", "(all|the) (primes|prime numbers) (from|between) (1|2|one|two) (to|and|up to|through) {n}",
        "every prime (number |)(up to|until|below|under|at most|no bigger than|smaller than or equal to) {n}",
        "(list|show|give) (me |)(the |all |)(primes|prime numbers) (from|between) (1|2|one|two) (to|and|through|until) {n}",
    ),
    1.3,
)
COLLATZ = Form(
    "collatz({n})",
    "n:pos",
    noun_phrases("collatz steps|number of collatz steps|collatz step count|collatz length|collatz count|length of the collatz (sequence|chain|path)|collatz number|stopping time", "{n}")
    + (
        "collatz({n})", "collatz {n}", "collatz for {n}", "collatz of {n}", "<find> collatz({n})",
        "how many (collatz steps|steps of collatz|collatz iterations|steps in the collatz (problem|sequence|game)) (for|from|does|are there for|are needed for) {n}( take| need| have|)",
        "how many (collatz |)steps (does|will|would) {n} (need|take|require) (in collatz|in the collatz (problem|sequence|game)|to reach 1|to get to 1|to come down to 1|until 1|in the 3n+1 (problem|game))",
        "(starting|beginning|if <who> start|when <who> start|start) (from|at|with) {n}, how (many steps|long) (does|is|until|till) (the |)(collatz)( take| to reach 1| steps| sequence|)",
        "(3n+1|3n + 1|3x+1) (problem |game |sequence |)(steps |for |from |of |with ){n}",
        "how long is the (collatz|hailstone|3n+1) (sequence|chain|path|orbit) (of|from|for|starting at|that starts at|beginning with) {n}",
        "run (the |)collatz (on|from|for) {n}( and count the steps|)", "(collatz|hailstone) steps (from|of|for) {n}", "how many halvings and triplings (from|does) {n}( need| take| to 1|)",
        "steps (from {n} (down |)to (1|one)|until {n} reaches (1|one)) (by|in|with|under) (the |)collatz( rule|)",
    ),
    1.3,
)

FORMS = (POWMOD, POWMOD_NTH, LAST_DIGIT, LAST_DIGITS, GCD, LCM, FIB, FIB_NTH, FACTORIAL, ISPRIME, PRIMES, COLLATZ)
