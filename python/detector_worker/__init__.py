"""Runs a model on camera streams for detector-cluster. The author of a worker writes `load` and `detect`."""

from .contract import Box, Context, Frame, ModelInfo, Refuse, Stream
from .worker import Worker

__all__ = ["Box", "Context", "Frame", "ModelInfo", "Refuse", "Stream", "Worker"]
