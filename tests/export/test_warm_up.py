from __future__ import annotations

import tensorflow as tf

from tfnmt.export.warm_up import FILE, predict_request, read_requests, write_requests


# C89
def test_requests_are_read_back(tmp_path):
    requests = [
        predict_request("translator", "serving_default", {"sentences": ["Größe"]}),
        predict_request("translator", "score", {"sources": ["a", ""], "targets": ["b", "c"]}),
    ]
    write_requests(tmp_path, requests)
    assert FILE == "tf_serving_warmup_requests"
    first, second = read_requests(tmp_path)
    assert (first.model_spec.name, first.model_spec.signature_name) == ("translator", "serving_default")
    assert tf.make_ndarray(first.inputs["sentences"]).tolist() == ["Größe".encode()]
    assert tf.make_ndarray(second.inputs["sources"]).tolist() == [b"a", b""]


def test_request_without_sentences_is_still_strings():
    tensor = predict_request("m", "s", {"sentences": []}).inputs["sentences"]
    assert tensor.dtype == tf.string.as_datatype_enum and tf.make_ndarray(tensor).shape == (0,)
