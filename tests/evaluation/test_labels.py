from __future__ import annotations

from tfnmt.evaluation.labels import Labels


def test_scripts_of_the_usual_font_are_written_as_they_are():
    word = "Größe мир Ελλάδα سلام"
    assert Labels([word]).write(word) == word


def test_characters_without_a_glyph_are_spelt_out():
    word = "a\U0010fffdb\x00"  # a private-use character and a control character: no font draws them
    assert Labels([word]).write(word) == "aU+10FFFDbU+0000"
