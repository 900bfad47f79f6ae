"""Sentences around a noun: "the N of X", in every everyday order."""


def noun_phrases(nouns: str, argument: str) -> tuple[str, ...]:
    """Wordings that ask for ``the NOUN of ARGUMENT``; nouns are alternatives, argument has the slots."""
    noun, it = f"({nouns}|{nouns.split('|')[0]})", argument
    return (
        f"<find> the {noun} (of|of|for) {it}",
        f"<find> the {noun} (of|of|for) {it}",
        f"<find> {noun} (of|for) {it}",
        f"{noun} of {it}",
        f"{noun}(:| |: ){it}",
        f"{noun} for {it}",
        f"(given|for|with|from|using|on) {it}, <find> the {noun}",
        f"{it}(:|,|;| -) (the |their |its ||){noun}",
        f"(for|with|given) {it}, what (would|might|will) (the|their|its) {noun} be",
        f"(take|consider|look at|we have|here are|here is|i've got|there are|let's say) {it}(.|;|,| and) (<find>|now) (the|their) {noun}",
        f"i (have|got|have got) {it} and (need|want|would like|am after|look for) (the|their) {noun}",
        f"the {noun} of {it}, (please|what is it|how much is it|if you can|what's that)",
        f"(can|could|would) you (find|work out|compute|tell me|give me|get|figure out|determine) the {noun} (of|for) {it}",
        f"i'm (looking for|after|trying to find|searching) the {noun} (of|for) {it}",
        f"(let's|let us|i'd love to) (get|find|see|have|know) the {noun} (of|for) {it}",
        f"what {noun} (do|does) {it} have",
        f"(which|what) {noun} (belongs to|comes from|results from) {it}",
        f"do (a|the) {noun} (on|of|for|with) {it}",
        f"(how (much|large|big)|what) is the {noun} of {it}",
        f"my {noun} for {it} should be what",
        f"{it} is what i have, {noun} is what i (need|want)",
    )
