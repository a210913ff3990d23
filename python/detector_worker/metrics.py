"""Figures of a worker in Prometheus' text format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from .service import Service

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PREFIX = "detector_worker_"

Samples = Iterable[tuple[Mapping[str, str], float]]


def metrics_text(service: Service) -> str:
    held = service.subscriptions.held()
    runners = [
        ({"model": str(r.info.id), "name": r.info.name, "version": r.info.version or ""}, r)
        for r in service.models.runners()
    ]
    stats = service.stats()
    families = [
        _family("subscriptions", "gauge", "Subscriptions by whether frames arrive from their camera", [
            ({"online": "true"}, sum(online for _, online in held)),
            ({"online": "false"}, sum(not online for _, online in held)),
        ]),
        _family("connections", "gauge", "Open connections of masters", [({}, stats["connections"])]),
        _family("term", "gauge", "The highest term of a master", [({}, stats["highestTerm"])]),
        _family("model_state", "gauge", "1 for the state that a version of a model has", [
            ({**labels, "state": state}, int(runner.state.state == state))
            for labels, runner in runners
            for state in ("loading", "ready", "failed")
        ]),
        _family("frames_analysed_total", "counter", "Frames that went through a model", [(l, r.analysed) for l, r in runners]),
        _family("frames_skipped_total", "counter", "Frames that a newer one replaced before the model had time", [(l, r.skipped) for l, r in runners]),
        _family("detect_seconds_total", "counter", "Time that the frames of a model took", [(l, r.seconds) for l, r in runners]),
        _family("detect_failures_total", "counter", "Batches for which detect raised an exception or returned a wrong shape", [(l, r.raised) for l, r in runners]),
        _family("model_restarts_total", "counter", "Processes of a model that ended and were replaced", [(l, r.restarts) for l, r in runners]),
        _family("detections_total", "counter", "Detections that were made", [({}, stats["sent"])]),
        _family("detections_unconfirmed", "gauge", "Detections that are kept until a master confirms them", [({}, stats["unconfirmed"])]),
        _family("detections_dropped_total", "counter", "Detections that were lost here", [({}, stats["unsent"] + stats["dropped"])]),
        _family("invalid_commands_total", "counter", "Commands that could not be read", [
            ({"kind": kind}, count) for kind, count in sorted(service.invalid.items())
        ]),
    ]  # fmt: skip
    return "".join(families)


def _family(name: str, kind: Literal["gauge", "counter"], text: str, samples: Samples) -> str:
    lines = [f"# HELP {PREFIX}{name} {text}.", f"# TYPE {PREFIX}{name} {kind}"]
    for labels, value in samples:
        inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        lines.append(f"{PREFIX}{name}{'{' + inside + '}' if inside else ''} {_shown(value)}")
    return "\n".join(lines) + "\n"


def _shown(value: float) -> str:
    return repr(round(value, 3)) if isinstance(value, float) else str(value)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
