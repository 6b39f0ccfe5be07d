"""What is posted to /act against json_numpy itself, where somebody installed it: `pip install --no-deps json-numpy`."""

import json
from typing import Any

import numpy as np
import pytest
from policy_peers import ActPeer

from gauge.wire.client import Address
from gauge.wire.dialects.act import OpenVla, XVla
from gauge.wire.dialects.base import Look, Reach

json_numpy = pytest.importorskip("json_numpy", reason="pip install --no-deps json-numpy")
IMAGE = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)


@pytest.mark.parametrize("client", [OpenVla, XVla])
def test_json_numpy_reads_what_is_posted_and_is_read(client: type[OpenVla] | type[XVla]) -> None:
    bodies: list[Any] = []
    chunk = np.linspace(0, 1, 7, dtype=np.float32) if client is OpenVla else np.zeros((30, 20))

    def infer(body: Any) -> Any:
        bodies.append(body)
        return json.loads(json_numpy.dumps(chunk if client is OpenVla else {"action": chunk}))

    with ActPeer(infer) as peer:
        one = client(Reach(Address("127.0.0.1", peer.port)))
        one.open()
        (answer,) = one.ask([Look((IMAGE, IMAGE), 2, np.arange(9.0), "go")], 5.0)
    assert np.array_equal(answer, chunk)
    sent = bodies[0]["image"] if client is OpenVla else json_numpy.loads(bodies[0]["image1"])
    assert np.array_equal(sent, IMAGE)
    if client is XVla:
        assert json_numpy.loads(bodies[0]["proprio"]).tolist() == [*range(9), *[0.0] * 11]
