"""The verbs of the built-in corpus; `verbs.txt` has their paradigms."""

from __future__ import annotations

from tfnmt.corpora.phrasebook.meaning import FrenchVerb, GermanVerb, Verb
from tfnmt.corpora.phrasebook.table import Row, rows


def _verb(row: Row) -> Verb:
    (frame,), english, german, french, objects = row
    state = frame == "state"
    base, third, past = (form.split("+")[0] for form in english)
    return Verb(
        base,
        third,
        past,
        english[0].partition("+")[2],
        _german(german, state),
        _french(french, state),
        frozenset(objects),
    )


def _german(cell: list[str], state: bool) -> GermanVerb:
    infinitive, first, third, last = cell[:4]
    auxiliary = "sein" if "*" in cell else "haben"
    return GermanVerb(
        infinitive=infinitive.replace("-", ""),
        first=first,
        third=third,
        # sein is the one verb whose plural is not the infinitive
        plural="sind" if infinitive == "sein" else infinitive.rpartition("-")[2],
        participle="" if state else last,
        prefix=infinitive.partition("-")[0] if "-" in infinitive else "",
        auxiliary=auxiliary,
        dative="+" in cell,
        past=last if state else "",
    )


def _french(cell: list[str], state: bool) -> FrenchVerb:
    auxiliary = "être" if "*" in cell else "avoir"
    forms = [form for form in cell if form != "*"]
    if len(forms) == 1:
        stem = forms[0].removesuffix("er")
        forms += [stem + "e", stem + "e", stem + "ons", stem + "ent", stem + "é", forms[0]]
    infinitive, first, third, we, they, participle, future_stem = forms
    # être is the one verb whose imperfect has another stem than nous ...ons
    imperfect_stem = "ét" if infinitive == "être" else we.removesuffix("ons")
    present = (first, third, we, they)
    return FrenchVerb(infinitive, present, participle, future_stem, auxiliary, imperfect_stem if state else "")


def _verbs(frame: str) -> tuple[Verb, ...]:
    return tuple(_verb(row) for row in rows("verbs") if row[0] == [frame])


INTRANSITIVE = _verbs("intransitive")
TRANSITIVE = _verbs("transitive")
WITH_RECIPIENT = _verbs("recipient")
WITH_CLAUSE = _verbs("clause")
LIVE, COST, HAVE, BE = _verbs("state")
(ARRIVE,) = (verb for verb in INTRANSITIVE if verb.english == "arrive")
