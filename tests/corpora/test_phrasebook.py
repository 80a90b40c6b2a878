"""One meaning in three languages: each line is a fact of grammar, written by hand.

Guards `english.py`, `german.py` and `french.py` together, since it is the differences that matter.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tests.corpora.phrasebook.speech import HE, HERE, SHE, TODAY, VERBS, WE, I, a, check, clause, is_, own, the
from tfnmt.corpora.phrasebook import phrases
from tfnmt.corpora.phrasebook.meaning import (
    Companion,
    Coordination,
    Determiner,
    NounPhrase,
    Person,
    Question,
    Relative,
    Report,
    SharedSubject,
    Statement,
    Subordination,
    Tense,
)


def test_bracket_and_time() -> None:
    bought = clause(the("teacher"), "buy", a("car", "red"), time=TODAY, place=HERE)
    check(
        bought,
        "The teacher bought a red car in Berlin today.",
        "Der Lehrer hat heute in Berlin ein rotes Auto gekauft.",
        "Le professeur a acheté une voiture rouge à Berlin aujourd'hui.",
    )
    check(
        Statement(replace(bought, object=the("car", "red")), time_first=True),
        "Today the teacher bought the red car in Berlin.",
        "Heute hat der Lehrer das rote Auto in Berlin gekauft.",
        "Aujourd'hui, le professeur a acheté la voiture rouge à Berlin.",
    )


@pytest.mark.parametrize(
    ("tense", "expected"),
    [
        (Tense.PRESENT, ("The man calls the woman.", "Der Mann ruft die Frau an.", "L'homme appelle la femme.")),
        (Tense.PAST, ("The man called the woman.", "Der Mann hat die Frau angerufen.", "L'homme a appelé la femme.")),
        (
            Tense.FUTURE,
            ("The man will call the woman.", "Der Mann wird die Frau anrufen.", "L'homme appellera la femme."),
        ),
        (
            Tense.CAN,
            ("The man can call the woman.", "Der Mann kann die Frau anrufen.", "L'homme peut appeler la femme."),
        ),
        (
            Tense.MUST,
            ("The man must call the woman.", "Der Mann muss die Frau anrufen.", "L'homme doit appeler la femme."),
        ),
        (
            Tense.WANT,
            ("The man wants to call the woman.", "Der Mann will die Frau anrufen.", "L'homme veut appeler la femme."),
        ),
        (
            Tense.SHOULD,
            (
                "The man should call the woman.",
                "Der Mann sollte die Frau anrufen.",
                "L'homme devrait appeler la femme.",
            ),
        ),
    ],
)
def test_separable_verb_in_every_tense(tense: Tense, expected: tuple[str, str, str]) -> None:
    check(clause(the("man"), "call", the("woman"), tense), *expected)


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (I, ("I open the door.", "Ich mache die Tür auf.", "J'ouvre la porte.")),
        (WE, ("We open the door.", "Wir machen die Tür auf.", "Nous ouvrons la porte.")),
        (SHE, ("She opens the door.", "Sie macht die Tür auf.", "Elle ouvre la porte.")),
        (
            the("boy", count=2),
            ("The boys open the door.", "Die Jungen machen die Tür auf.", "Les garçons ouvrent la porte."),
        ),
    ],
)
def test_persons(subject: NounPhrase, expected: tuple[str, str, str]) -> None:
    check(clause(subject, "open", the("door"), Tense.PRESENT), *expected)


def test_subordinate_clauses_end_with_the_verb() -> None:
    calls = clause(the("man"), "call", the("woman"), Tense.PRESENT)
    laughed = clause(I, "laugh", None)
    check(
        Subordination(laughed, phrases.BECAUSE, replace(calls, tense=Tense.PAST), False),
        "I laughed because the man called the woman.",
        "Ich habe gelacht, weil der Mann die Frau angerufen hat.",
        "J'ai ri parce que l'homme a appelé la femme.",
    )
    check(
        Subordination(clause(I, "help", HE, Tense.FUTURE), phrases.IF, replace(calls, subject=HE), True),
        "If he calls the woman, I will help him.",
        "Wenn er die Frau anruft, werde ich ihm helfen.",
        "S'il appelle la femme, je l'aiderai.",
    )
    check(
        Report(WE, VERBS["know"], replace(calls, tense=Tense.WANT, subject=SHE)),
        "We know that she wants to call the woman.",
        "Wir wissen, dass sie die Frau anrufen will.",
        "Nous savons qu'elle veut appeler la femme.",
    )
    check(
        Subordination(laughed, phrases.WHEN, is_(the("dog"), "tired", Tense.PAST), False),
        "I laughed when the dog was tired.",
        "Ich habe gelacht, als der Hund müde war.",
        "J'ai ri quand le chien était fatigué.",
    )


def test_negation() -> None:
    see = clause(the("child"), "see", the("dog"), Tense.PRESENT, negative=True)
    check(see, "The child does not see the dog.", "Das Kind sieht den Hund nicht.", "L'enfant ne voit pas le chien.")
    check(
        replace(see, object=a("bird", "beautiful"), tense=Tense.PAST),
        "The child did not see a beautiful bird.",
        "Das Kind hat keinen schönen Vogel gesehen.",
        "L'enfant n'a pas vu de bel oiseau.",
    )
    check(
        replace(see, negative=False, never=True, object=a("bird", count=2)),
        "The child never sees birds.",
        "Das Kind sieht nie Vögel.",
        "L'enfant ne voit jamais d'oiseaux.",
    )
    check(
        replace(see, tense=Tense.CAN, object=HE),
        "The child cannot see him.",
        "Das Kind kann ihn nicht sehen.",
        "L'enfant ne peut pas le voir.",
    )
    check(
        is_(the("house"), "old", negative=True),
        "The house is not old.",
        "Das Haus ist nicht alt.",
        "La maison n'est pas vieille.",
    )


def test_pronouns_and_participles_that_agree_with_them() -> None:
    surprised = clause(the("king"), "surprise", SHE, time=TODAY)
    check(
        surprised,
        "The king surprised her today.",
        "Der König hat sie heute überrascht.",
        "Le roi l'a surprise aujourd'hui.",
    )
    check(
        clause(the("king"), "listen", SHE),
        "The king listened to her.",
        "Der König hat ihr zugehört.",
        "Le roi l'a écoutée.",
    )
    check(
        clause(the("king"), "show", the("horse"), recipient=SHE, tense=Tense.PRESENT),
        "The king shows her the horse.",
        "Der König zeigt ihr das Pferd.",
        "Le roi lui montre le cheval.",
    )


def test_recipients() -> None:
    check(
        clause(the("nurse"), "give", a("apple"), recipient=the("child", count=2), time=TODAY),
        "The nurse gave the children an apple today.",
        "Die Krankenschwester hat den Kindern heute einen Apfel gegeben.",
        "L'infirmière a donné une pomme aux enfants aujourd'hui.",
    )
    check(
        clause(I, "lend", the("book"), recipient=the("man", "rich")),
        "I lent the rich man the book.",
        "Ich habe dem reichen Mann das Buch geliehen.",
        "J'ai prêté le livre à l'homme riche.",
    )
    check(
        clause(I, "offer", own("cake", Person.I), recipient=the("neighbour"), tense=Tense.PRESENT),
        "I offer the neighbour my cake.",
        "Ich biete dem Nachbarn meinen Kuchen an.",
        "J'offre mon gâteau au voisin.",
    )


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        (a("man", "old"), ("an old man", "einen alten Mann", "un vieil homme")),
        (the("friend", "beautiful"), ("the beautiful friend", "den schönen Freund", "le bel ami")),
        (the("computer", "new"), ("the new computer", "den neuen Computer", "le nouvel ordinateur")),
        (a("hat", "new", 2), ("new hats", "neue Hüte", "de nouveaux chapeaux")),
        (a("coat", "white", 2), ("white coats", "weiße Mäntel", "des manteaux blancs")),
        (the("queen", "happy", count=2), ("the happy queens", "die glücklichen Königinnen", "les reines heureuses")),
        (
            the("shirt", "white", count=12, determiner=Determiner.NUMBER),
            ("twelve white shirts", "zwölf weiße Hemden", "douze chemises blanches"),
        ),
        (own("orange", Person.HE, "f"), ("her orange", "ihre Orange", "son orange")),
        (own("clock", Person.I, adjective="old"), ("my old clock", "meine alte Uhr", "ma vieille horloge")),
        (own("horse", Person.THEY, count=2), ("their horses", "ihre Pferde", "leurs chevaux")),
        (own("house", Person.WE), ("our house", "unser Haus", "notre maison")),
        (
            the("picture", "old", possessor=the("doctor")),
            ("the doctor's old picture", "das alte Bild des Arztes", "le vieux tableau du médecin"),
        ),
        (the("key", possessor=the("man")), ("the man's key", "den Schlüssel des Mannes", "la clé de l'homme")),
        (the("key", possessor=the("farmer")), ("the farmer's key", "den Schlüssel des Bauern", "la clé du paysan")),
        (
            the("key", possessor=NounPhrase(name="Tavik", title=phrases.MISTER, sex="m")),
            ("Mr. Tavik's key", "den Schlüssel von Herrn Tavik", "la clé de monsieur Tavik"),
        ),
        (the("student"), ("the student", "den Studenten", "l'étudiant")),
    ],
)
def test_noun_phrases_in_the_accusative(phrase: NounPhrase, expected: tuple[str, str, str]) -> None:
    starts = ("I see ", "Ich sehe ", "Je vois ")
    check(
        clause(I, "see", phrase, Tense.PRESENT),
        *(start + end + "." for start, end in zip(starts, expected, strict=True)),
    )


def test_dative_after_a_preposition() -> None:
    danced = clause(SHE, "dance")
    check(
        replace(danced, companion=Companion(phrases.WITH, own("brother", Person.HE, "f", "friendly")), place=HERE),
        "She danced with her friendly brother in Berlin.",
        "Sie hat mit ihrem freundlichen Bruder in Berlin getanzt.",
        "Elle a dansé avec son frère gentil à Berlin.",
    )
    check(
        replace(danced, companion=Companion(phrases.WITH, the("dog", "tired", count=2))),
        "She danced with the tired dogs.",
        "Sie hat mit den müden Hunden getanzt.",
        "Elle a dansé avec les chiens fatigués.",
    )
    check(
        replace(danced, companion=Companion(phrases.WITHOUT, the("uncle", "sick"))),
        "She danced without the sick uncle.",
        "Sie hat ohne den kranken Onkel getanzt.",
        "Elle a dansé sans l'oncle malade.",
    )


def test_relative_clauses() -> None:
    woman = the("woman")
    lives = Relative(clause(woman, "live", tense=Tense.PRESENT, place=HERE), about_subject=True)
    check(
        clause(replace(woman, relative=lives), "laugh"),
        "The woman who lives in Berlin laughed.",
        "Die Frau, die in Berlin wohnt, hat gelacht.",
        "La femme qui habite à Berlin a ri.",
    )
    bought = Relative(clause(the("teacher"), "buy"), about_subject=False)
    check(
        is_(the("car", count=2, relative=bought), "red"),
        "The cars that the teacher bought are red.",
        "Die Autos, die der Lehrer gekauft hat, sind rot.",
        "Les voitures que le professeur a achetées sont rouges.",
    )
    check(
        is_(the("ball", relative=Relative(clause(SHE, "hide"), about_subject=False)), "blue", Tense.PAST),
        "The ball that she hid was blue.",
        "Der Ball, den sie versteckt hat, war blau.",
        "Le ballon qu'elle a caché était bleu.",
    )


def test_auxiliary_of_motion() -> None:
    check(
        clause(the("queen", count=2), "arrive", place=HERE),
        "The queens arrived in Berlin.",
        "Die Königinnen sind in Berlin angekommen.",
        "Les reines sont arrivées à Berlin.",
    )
    check(
        Subordination(clause(I, "cry"), phrases.BECAUSE, clause(the("aunt"), "stay", negative=True), False),
        "I cried because the aunt did not stay.",
        "Ich habe geweint, weil die Tante nicht geblieben ist.",
        "J'ai pleuré parce que la tante n'est pas restée.",
    )


def test_joined_sentences() -> None:
    opened = clause(the("man"), "open", the("door"))
    called = clause(the("man"), "call", the("child"))
    shared = SharedSubject(opened, called)
    check(
        shared,
        "The man opened the door and called the child.",
        "Der Mann hat die Tür aufgemacht und das Kind angerufen.",
        "L'homme a ouvert la porte et a appelé l'enfant.",
    )
    check(
        Coordination(Statement(replace(called, subject=I)), phrases.BUT, shared),
        "I called the child, but the man opened the door and called the child.",
        "Ich habe das Kind angerufen, aber der Mann hat die Tür aufgemacht und das Kind angerufen.",
        "J'ai appelé l'enfant, mais l'homme a ouvert la porte et a appelé l'enfant.",
    )


def test_questions() -> None:
    sees = clause(the("man"), "look", the("picture"))
    check(
        Question(sees),
        "Did the man look at the picture?",
        "Hat der Mann das Bild angeschaut?",
        "Est-ce que l'homme a regardé le tableau ?",
    )
    check(
        Question(replace(sees, subject=HE, tense=Tense.PRESENT), phrases.WHY),
        "Why does he look at the picture?",
        "Warum schaut er das Bild an?",
        "Pourquoi est-ce qu'il regarde le tableau ?",
    )
    check(
        Question(is_(the("cow", count=2), "sick", Tense.PAST)),
        "Were the cows sick?",
        "Waren die Kühe krank?",
        "Est-ce que les vaches étaient malades ?",
    )


def test_dates_and_prices() -> None:
    check(
        Statement(clause(I, "work", time=phrases.on_date(date(2019, 5, 1))), time_first=True),
        "On May 1, 2019, I worked.",
        "Am 1. Mai 2019 habe ich gearbeitet.",
        "Le 1er mai 2019, j'ai travaillé.",
    )
    check(
        clause(the("clock"), "cost", tense=Tense.PAST, place=phrases.price(1250)),
        "The clock cost 12.50 euros.",
        "Die Uhr kostete 12,50 Euro.",
        "L'horloge coûtait 12,50 euros.",
    )


def test_names_stay_as_they_are() -> None:
    name = NounPhrase(name="Tavik")
    check(
        clause(name, "thank", replace(name, name="Zelin", title=phrases.MISTER, sex="m")),
        "Tavik thanked Mr. Zelin.",
        "Tavik hat Herrn Zelin gedankt.",
        "Tavik a remercié monsieur Zelin.",
    )
    check(
        clause(WE, "send", a("letter", count=2), recipient=name, negative=True),
        "We did not send Tavik letters.",
        "Wir haben Tavik keine Briefe geschickt.",
        "Nous n'avons pas envoyé de lettres à Tavik.",
    )
