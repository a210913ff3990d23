"""The worker as its author sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from .contract import Detect, Load, Plan

AnyLoad = TypeVar("AnyLoad", bound=Load)
AnyDetect = TypeVar("AnyDetect", bound=Detect)


class Worker:
    """
    Runs your `load` and `detect` on camera streams that a master of detector-cluster assigns.

    Each version of a model has a process of its own, which runs your script again up to `run()`. If your code crashes, hangs
    or grows there, only that process is replaced.
    """

    def __init__(self, models: Sequence[str] = ("*",)) -> None:
        """`models` are patterns of the names of models that this worker can run. Others are refused, with a reason."""
        if isinstance(models, str) or not models or not all(isinstance(pattern, str) for pattern in models):
            raise ValueError('models must be a list of patterns, for example ["people*"]')
        self._models = tuple(models)
        self._load: Load | None = None
        self._detect: Callable[[Load | None], Plan] | None = None

    def load(self, function: AnyLoad) -> AnyLoad:
        """
        Decorates the function that loads a file: `load(file, info)`. It runs once for each version of a model; `detect` gets
        what it returns. Without such a function, no file is downloaded.
        """
        self._load = function
        return function

    def detect(
        self, fps: float = 5.0, batch: int = 1, overlap: float | None = 0.5
    ) -> Callable[[AnyDetect], AnyDetect]:
        """
        Decorates the function that finds things: `detect(frames, model, context)` returns a list of boxes for each frame.

        `fps`: frames of each camera per second, at most. If the model is slower, it gets fewer, and always the newest.
        `batch`: the most frames that one call gets, of all cameras of the model. `overlap`: of two boxes with one label that
        share more than this part of their union, the less confident is dropped; None keeps all.
        """
        if not 0 < fps <= 1_000:
            raise ValueError("fps must be above 0, at most 1000")
        if not 1 <= batch <= 1_000:
            raise ValueError("batch must be from 1 to 1000")
        if overlap is not None and not 0 <= overlap <= 1:
            raise ValueError("overlap must be from 0 to 1, or None")

        def decorate(function: AnyDetect) -> AnyDetect:
            self._detect = lambda load: Plan(function, load, fps, batch, overlap, self._models)
            return function

        return decorate

    def run(self, arguments: Sequence[str] | None = None) -> None:
        """
        Serves masters until SIGTERM or Ctrl-C. Options come from the command line and the environment: see `--help`.
        @raises SystemExit with status 1 if it cannot listen, 2 for a wrong option
        """
        plan = self._plan()
        from .model_process import serve_if_asked  # needs numpy, which a script that only imports this may be without

        serve_if_asked(plan)
        from .main import main  # needs OpenCV, which the process of a model may be without

        status = main(plan, arguments)
        if status != 0:
            raise SystemExit(status)

    def try_out(self, video: str, model: str | None = None, frames: int = 100, save: str | None = None) -> None:
        """
        Runs `load` and `detect` on a video, in this process and without a cluster, and prints the boxes of each frame.

        `model` is the file for `load`. `save` names a video (.avi) to which the frames are written with their boxes.
        """
        plan = self._plan()
        from .try_out import try_out

        try_out(plan, video, model, frames, save)

    def _plan(self) -> Plan:
        if self._detect is None:
            raise RuntimeError("the worker has no detect function: decorate one with @worker.detect()")
        return self._detect(self._load)
