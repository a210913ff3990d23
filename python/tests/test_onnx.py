"""A model in ONNX, from the store to the boxes."""

from __future__ import annotations

import hashlib

from . import onnx_author
from .onnx_model import CELL, onnx_model
from .support import HEIGHT, WIDTH, eventually_async
from .test_models import Models


class Onnx(Models):
    author = onnx_author

    async def test_its_boxes_lie_on_what_the_model_sees(self) -> None:
        content = onnx_model(WIDTH, HEIGHT)
        self.assertLess(len(content), 1 << 20)
        self.store.files["/model.onnx"] = content
        master = await self.master()
        file = {"modelSize": len(content), "modelSha256": hashlib.sha256(content).hexdigest()}
        await master.say("subscribe", **self.wanted(1, "/model.onnx", modelVersion="1", **file))

        def found() -> list[dict[str, float]]:
            detections = [message["data"]["detection"] for message in master.of("imageDetection")]
            return [box for detection in detections if detection for box in detection["boxes"]]

        await eventually_async("a box", found)
        for box in found():
            self.assertEqual((box["width"], box["height"], box["x"] % CELL, box["y"] % CELL), (CELL, CELL, 0, 0))
        loaded = [{"modelId": 1, "modelVersion": "1"}]
        await eventually_async("the loaded model", lambda: master.of("stateReport")[-1].get("loadedModels") == loaded)

    async def test_another_file_is_refused(self) -> None:
        master = await self.master()
        await master.say("subscribe", **self.wanted(1, "/a", modelVersion="1"))
        self.assertEqual(await self.failed(master, 1), "needs an ONNX file")
        await master.say("subscribe", **self.wanted(2, "/a", modelVersion="1", modelSize=4))
        self.assertIn("4", await self.failed(master, 2))
        self.assertEqual(master.of("stateReport")[-1]["loadedModels"], [])
