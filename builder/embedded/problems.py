"""Word problems of one step: people, things, prices, journeys."""

from random import Random

from builder.embedded.forms import Form, Request, draw, fill_call, fill_text
from builder.embedded.numbers import NumberSource, Written
from builder.embedded.templates import expand

_PEOPLE = "Anna Ben Carla David Emma Frank Grace Henry Ines Jonas Kate Leo Maria Nina Oscar Paula Rosa Sam Tina Lisa Peter John Mary".split()
_THINGS = (
    "apples books cars balls coins cards cookies eggs flowers oranges pencils pens stamps stickers sweets toys bananas buttons candies "
    "stones shells cups plates bottles tickets photos games shirts nuts grapes tomatoes balloons bricks chairs bags sheep cows chickens "
    "fish birds goats trees roses tulips letters euros dollars points pieces marbles donuts muffins lemons beads rocks"
).split()
_GROUPS = "boxes bags rows baskets shelves tables packs crates teams classes buses trays jars drawers rooms pages fields boats cartons stacks".split()
_HUMANS = "friends kids people children students players guests workers cousins pupils sisters families neighbours".split()

_ASK = "(how many|how many {thing}) (are there|does (he|she) have|do (they|we|i) have|is that)( now| in all| in total| altogether| then|)"
_LEFT = "(how many|how many {thing}) (are left|remain|are still there|does (he|she) (still |)have( left|)|do i (still |)have|are left over)( now|)"
PROBLEMS = (
    Form("add({a}, {b})", "a:pos b:pos", (
        "{person} (has|had|owns|finds|got|collects) {a} {thing} and (gets|buys|finds|wins|receives|picks|is given|earns) {b} more(.|;|,) " + _ASK,
        "i (have|had|own|got) {a} {thing} and (buy|get|find|win|receive|pick|make|bake|bought|found|got) {b} more(.|;|,| -) (how many (do i have|are that|is that|{thing} do i have|are there) (now|altogether|in total|then)|how many now|and now)",
        "there (are|were) {a} {thing} (in|on) the (box|table|garden|shop|basket|bus|pond|tree|shelf) and {b} (more |others |)(come|came|are added|arrive|arrived|are put in|join)(.|;|,) " + _ASK,
        "{person} has {a} {thing} and {other} has {b}(.|;|,) how many (do they have|are there|{thing} do they have|is that) (together|in all|in total|altogether)",
        "a (shop|baker|farmer|school|man|team) (sold|made|picked|bought|had|baked|saw|scored) {a} {thing} on {day} and {b} on {day2}(.|;|,) (how many|how many {thing}) (in total|altogether|were that|in all|is that)",
        "(we|i|they|she|he) (drove|walked|ran|cycled|sailed|flew|hiked|swam) {a} (km|miles|metres|kilometres) (on {day}|first|before lunch|in the morning) and {b} (on {day2}|later|after lunch|in the afternoon|after that)(.|;|,) how (far|many|long) (in total|altogether|is that|was that|did (we|i|they) go)",
        "{a} {thing} and {b} more {thing}(.|,|;) (how many|total|in all)", "{person} is {a} years old(.|;|,) how old (will (he|she|{person}) be|is (he|she)) in {b} years", "a (shirt|bike|table|phone|ticket) costs {a} (euros|dollars) and a (hat|lamp|helmet|bag|drink) costs {b}(.|;|,) what do (both|they) cost( together|)",
        "(first|at first) (i|we|they) (read|wrote|did|saw) {a} pages(,|) then {b} more(.|;|,) how many (is that|pages|in all)", "the (temperature|price|water|balloon) (was|is|stands at) {a} and (rises|goes up|climbs|increases) by {b}(.|;|,) what is it now",
    ), 1.0),
    Form("sub({a}, {b})", "a:pos b:pos", (
        "{person} (has|had) {a} {thing} and (gives away|loses|eats|sells|drops|uses|breaks|gives {other}|spends|throws away) {b}( of them|)(.|;|,) " + _LEFT,
        "i (have|had|own) {a} {thing} and (give away|lose|eat|sell|use|spend|lost|ate|sold|spent|gave away|paid) {b}( of them|)(.|;|,| -) (how many (are left|do i have|remain|do i still have|{thing} are left)( now| then|)|what do i have left|how many now|what is left)",
        "there (are|were) {a} {thing} (in|on) the (box|table|garden|shop|basket|bus|pond|tree|roof|wall)(.|,|;| and) {b} (of them |)(leave|left|fly away|flew away|are taken|fall off|were sold|go away|get off|got off|disappear|run away|are eaten)(.|;|,) " + _LEFT,
        "{person} has {a} {thing} and {other} has {b}(.|;|,) how many more (has|does) {person}( have|)", "a (bus|train|ship|plane|hall|bank|tank|bottle|bucket|barrel) (has|holds|with|carries|contains) {a} (passengers|people|guests|litres|liters|seats)(,|.|;| and) {b} (get off|leave|go|leak out|are used|are taken|flow out|drain away)(.|;|,) (how many|how much|what) (are left|is left|stay|remain|remains|stays)",
        "(i|we|{person}) (have|has|had) {a} (euros|dollars|pounds) and (spend|spends|pay|paid|spent|pays) {b}(.|;|,) (how much|what) (is left|do i have|remains|does (he|she) have|have i left)( now|)", "{person} is {a} years old and {other} is {b}(.|;|,) (how many years older is {person}|how much older is {person}|what is the age difference)", "a (rope|board|road|pipe|ribbon) is {a} (cm|m|metres|feet) long(,|.| and) {b} (cm |m |metres |feet |)(are|is) cut off(.|;|,) how long is (it|the rest)( now|)",
        "(it costs|the price is) {b} and i (pay|give|hand over) {a}(.|;|,) (how much|what) (change|money) (do i get( back|)|comes back)", "a book has {a} pages and i (have |)read {b}(.|;|,) how many (pages |)are left", "the (temperature|price|level) (was|is) {a} and (falls|drops|sinks|goes down) by {b}(.|;|,) what is it now", "{a} {thing}(,|;| and) {b} (are|get) (eaten|lost|sold|broken|stolen)(.|,|;) how many (are left|remain)", "{person} needs {a} (euros|dollars|points|{thing}) and (has|already has) {b}(.|;|,) how (much|many) (more |)(does (he|she) need|is missing|are missing|are still needed)",
    ), 1.0),
    Form("mul({a}, {b})", "a:few b:pos", (
        "{a} {group} (with|of|hold|holding|have|contain) {b} {thing}( each| in each|)(.|;|,|:) (how many|how many {thing}) (in total|altogether|is that|are there|are that|in all)", "there are {a} {group} with {b} {thing} (each|in each|in every one)(.|;|,) " + _ASK, "{person} (has|buys|packs|fills|carries) {a} {group} (with|of) {b} {thing}( each|)(.|;|,) " + _ASK, "each of (the |){a} {group} (has|holds|contains) {b} {thing}(.|;|,) how many (is that|in total|altogether|{thing} are there)",
        "if {a} {group} (have|hold|contain) {b} {thing} each(,|) how many {thing} (are there|do we have|is that)( in all|)", "i (buy|sell|need|want) {a} {thing} (for|at) {b} (euros|dollars|cents) each(.|;|,) (how much (is that|do i pay|does it cost)|what do i pay|what does it cost)", "(i|{person}) (walk|walks|run|runs|read|reads|save|saves|earn|earns|work|works) {b} (km|miles|pages|euros|dollars|hours) (a|per|every|each) (day|week|hour|month) for {a} (days|weeks|hours|months)(.|;|,) how (far|many|much) (is that|in total|altogether)", "{a} {human} (have|get|bring|eat|own) {b} {thing} each(.|;|,) how many (is that|in total|altogether|{thing})", "a (car|train|ship|plane) (drives|goes|travels|moves) {b} (km|miles) (an hour|per hour|every hour)(.|;|,) how far (does it (go|get|drive)|is it) in {a} hours", "{a} (tickets|nights|lessons|shirts|hours) at {b} (euros|dollars)( each|)(.|;|,) (what is the total|how much( is that|)|what does it cost)",
    ), 1.0),
    Form("mul({b}, {a})", "b:few a:pos", (
        "(a|one) (ticket|book|pizza|shirt|cake|pen|lamp|chair) (costs|is) {b} (euros|dollars|pounds)(.|;|,) (how much|what) (do|does|are|is) {a}( of them| tickets| books|)( cost|)", "(i|{person}) (earn|earns|make|makes|get|gets) {b} (euros |dollars |)(an hour|per hour|a day|per day) and (work|works|worked) {a} (hours|days)(.|;|,) (how much|what) (is that|is the pay|do i earn|does (he|she) earn|do i get)",
    ), 0.5),
    Form("div({a}, {b})", "a:pos b:few", (
        "{person} (shares|splits|divides|deals|hands out) {a} {thing} (among|between|with|equally among|evenly between|to|equally between) {b} {human}(.|;|,) how many (does (each|everyone|each one)( of them|) get|for each|each|{thing} does each get)", "i (share|split|divide|put|pack|sort) {a} {thing} (among|between|into|equally among) {b} ({human}|{group})(.|;|,) how many (does each (get|have|hold)|in each|for each|each|per (person|box))", "{a} {thing} (for|shared by|split between|go to|are shared among|divided among) {b} {human}(.|;|,) how many (each|does each get|per person|for everyone)", "{a} {thing} (are packed|are put|go|come|are sorted|get packed) in (packs|boxes|bags|groups|teams|rows) of {b}(.|;|,) how many (packs|boxes|bags|groups|teams|rows|full ones)( are there| are needed| do we get| is that|)", "{a} {human} (form|make|go in|split into|are put in) (teams|groups|pairs|rows|classes) of {b}(.|;|,) how many (teams|groups|pairs|rows|classes)( are there| do we get|)", "a (rope|board|cake|ribbon|road|stick) (of|that is|is) {a} (cm|m|metres|feet)( long|)(,| and| is|) cut in(to|) {b} (equal |)(parts|pieces|bits)(.|;|,) how long is (each|one|a piece)", "{b} {thing} cost {a} (euros|dollars)(.|;|,) (what does one cost|how much is one|what is the price of one)", "{person} (drives|walks|reads|earns|runs) {a} (km|miles|pages|euros) in {b} (hours|days|weeks)(.|;|,) how (many|much|far) (per|in one|a|each) (hour|day|week)",
    ), 1.0),
    Form("mod({a}, {b})", "a:pos b:few", (
        "{person} (packs|puts|shares|divides|splits) {a} {thing} (in|into|among) ({group} of {b}|groups of {b}|{b} {human})(.|;|,) how many (are left over|are left|remain|stay over|do not fit|{thing} are left over)", "{a} {thing} (are packed|go|come|are put) (in|into) (boxes|bags|packs|groups|rows) of {b}(.|;|,|:) how many (are left over|remain|stay loose|don't fit|are left|stay outside)", "{a} {thing} (are shared|shared) (equally |)(among|by|between) {b} {human}(.|;|,) how many (are left over|remain|are left)", "if {b} {thing} fit in (a|one) (box|bag|row), how many of {a} (are left over|remain|stay outside)", "{b} per (box|bag|pack|row) and {a} {thing} in all(.|;|,|:) how many (are left over|remain|don't fit)",
    ), 0.6),
)


def _people(random: Random) -> dict[str, Written]:
    person, other = random.sample(_PEOPLE, 2)
    day, other_day = random.sample(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), 2)
    words = {
        "person": person, "other": other, "thing": random.choice(_THINGS), "group": random.choice(_GROUPS),
        "human": random.choice(_HUMANS), "day": day, "day2": other_day,
    }
    return {name: Written(word, word) for name, word in words.items()}


def make_problem(form: Form, source: NumberSource) -> Request:
    """One word problem of this form."""
    values = draw(form.slots, source) | _people(source.random)
    template = expand(source.random, source.random.choice(form.wordings))
    return Request(fill_text(template, values), fill_call(form.call, values))
