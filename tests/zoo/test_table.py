"""Tables name the key that was meant; a role chooses its part by kind."""

from __future__ import annotations

from typing import Literal

import pytest
from pydantic import ValidationError

from tfnmt.zoo.table import Part, Table


class Cheese(Part):
    age: int = 1


class Brie(Cheese):
    builds = "somewhere:Brie"
    kind: Literal["brie"] = "brie"


class Comte(Cheese):
    builds = "somewhere:Comte"
    kind: Literal["comte"] = "comte"
    fruity: bool


class Board(Table):
    cheese: Cheese
    knives: int = 0


def test_the_kind_chooses_the_part() -> None:
    board = Board.model_validate({"cheese": {"kind": "comte", "fruity": True, "age": 24}})
    assert board.cheese == Comte(fruity=True, age=24)
    assert Board.model_validate(board.model_dump(serialize_as_any=True)) == board
    assert Cheese.kinds() == {"brie": Brie, "comte": Comte}


@pytest.mark.parametrize(
    ("table", "place", "message"),
    [
        ({"chese": {}}, (), "no key 'chese' here. Did you mean 'cheese'?"),
        ({"cheese": {"kind": "bri"}}, ("cheese",), "no kind 'bri' here. Did you mean 'brie'?"),
        ({"cheese": {}}, ("cheese",), "needs a 'kind', one of: brie, comte."),
        ({"cheese": {"kind": "brie", "fruity": True}}, ("cheese",), "no key 'fruity' here. Known: age, kind."),
        ({"cheese": {"kind": "comte"}}, ("cheese", "fruity"), "Field required"),
        ({"cheese": {"kind": "brie", "age": "old"}}, ("cheese", "age"), "Input should be a valid integer"),
    ],
)
def test_an_error_says_where_and_what_was_meant(table: dict, place: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Board.model_validate(table)
    (error,) = raised.value.errors()
    assert error["loc"] == place
    assert error["msg"].startswith(message)
