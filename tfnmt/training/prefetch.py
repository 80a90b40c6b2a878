"""The next batches made ready in a thread while a step runs."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


class Prefetch(Iterator[Item]):
    """An iterator whose items a background thread has ready, in the same order.

    An exception in the source is raised where its item would have come. `close` ends the thread; leaving a `with` block
    does so too.

    Args:
        items: what to iterate over; used by the thread alone.
        size: how many items wait at most.
    """

    def __init__(self, items: Iterable[Item], size: int = 8) -> None:
        self._ready: queue.Queue[tuple[Item | None, BaseException | None]] = queue.Queue(size)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._fill, args=(iter(items),), daemon=True, name="prefetch")
        self._thread.start()

    def _fill(self, items: Iterator[Item]) -> None:
        try:
            for item in items:
                if not self._offer((item, None)):
                    return
            self._offer((None, StopIteration()))
        except BaseException as error:  # handed to the consumer, whatever it is
            self._offer((None, error))

    def _offer(self, entry: tuple[Item | None, BaseException | None]) -> bool:
        while not self._closed.is_set():
            try:
                self._ready.put(entry, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def __next__(self) -> Item:
        if self._closed.is_set():
            raise StopIteration
        item, error = self._ready.get()
        if error is not None:
            self._closed.set()
            raise error
        return item  # type: ignore[return-value]  # None only beside an error

    def close(self) -> None:
        """End the thread and wait for it."""
        self._closed.set()
        self._thread.join()

    def __enter__(self) -> Prefetch[Item]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
