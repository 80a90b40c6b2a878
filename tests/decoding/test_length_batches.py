from hypothesis import given
from hypothesis import strategies as st

from tfnmt.decoding.length_batches import length_batches


@given(st.lists(st.integers(0, 50), max_size=60), st.integers(1, 8), st.integers(1, 100))
def test_every_sentence_once_and_no_batch_too_large(lengths, most_sentences, most_words):
    batches = [batch.tolist() for batch in length_batches(lengths, most_sentences, most_words)]
    assert sorted(number for batch in batches for number in batch) == list(range(len(lengths)))
    for batch in batches:
        assert 0 < len(batch) <= most_sentences
        assert len(batch) == 1 or len(batch) * max(lengths[number] for number in batch) <= most_words
    ordered = [lengths[number] for batch in batches for number in batch]
    assert ordered == sorted(lengths)


def test_batches_are_filled():
    assert [len(batch) for batch in length_batches([3, 1, 1, 3, 1], 2, 100)] == [2, 2, 1]
    assert [batch.tolist() for batch in length_batches([9, 1, 2, 2], 10, 4)] == [[1, 2], [3], [0]]
