"""A worker whose author makes mistakes. The file of a model says which: `<where> <what>`."""

import gzip
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from detector_worker import Box, Refuse, Worker

worker = Worker(models=["mo*"])
hoard = []


@worker.load
def load(file, info):
    where, _, what = file.read_text().partition(" ")
    if where == "load":
        err(what, [])
    return where, what, info.version


@worker.detect(fps=100, batch=4)
def detect(frames, model, context):
    where, what, version = model
    if where == "detect":
        return err(what, frames)
    # One box that nothing overlaps; its label says which file was loaded, and how many frames this stream has shown.
    for stream in context.streams:
        stream.memory["frames"] = stream.memory.get("frames", 0) + 1
    return [
        [Box(1, 2, 3, 4, f"{version}:{os.getpid()}:{stream.memory['frames']}")] for stream in context.streams
    ]


def err(what, frames):
    match what:
        case "raises":
            raise ValueError("a tensor\nof the wrong size " + "é" * 1_000_000)
        case "refuses":
            raise Refuse("needs\x07 ONNX " + "x" * 1_000_000)
        case "sleeps":
            time.sleep(3_600)
        case "exits":
            os._exit(7)
        case "leaves":
            sys.exit("the author has left")
        case "aborts":
            os.abort()
        case "grows":
            while True:
                hoard.append(b"x" * (32 << 20))
                time.sleep(0.05)
        case "unpacks":
            hoard.append(gzip.decompress(gzip.compress(bytes(16 << 20)) * 64))
            time.sleep(3_600)
        case "too-few":
            return []
        case "none":
            return None
        case "tuples":
            return [[(1, 2, 3, 4)] for _ in frames]
        case "nan":
            return [[Box(float("nan"), 2, 3, 4)] for _ in frames]
        case "prints":
            print('{"listening": 1}', flush=True)
            return [[] for _ in frames]


if __name__ == "__main__":
    worker.run()
