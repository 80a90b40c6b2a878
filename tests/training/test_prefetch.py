"""Items made ready in a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from tfnmt.training.prefetch import Prefetch


def test_items_keep_their_order_and_end() -> None:
    with Prefetch(iter(range(100)), size=3) as items:
        assert list(items) == list(range(100))
        assert list(items) == []


def test_an_error_comes_where_its_item_would_have_come() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("the disk is gone")

    with Prefetch(broken()) as items:
        assert next(items) == 1
        with pytest.raises(OSError, match="the disk is gone"):
            next(items)


def test_an_endless_source_is_read_no_further_than_asked_and_its_thread_ends() -> None:
    taken: list[int] = []

    def endless() -> Iterator[int]:
        number = 0
        while True:
            taken.append(number)
            yield number
            number += 1

    with Prefetch(endless(), size=4) as items:
        assert [next(items) for _ in range(3)] == [0, 1, 2]
        time.sleep(0.3)
        assert len(taken) <= 3 + 4 + 1
    assert not any(thread.name == "prefetch" for thread in threading.enumerate())
