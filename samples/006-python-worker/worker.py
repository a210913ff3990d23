#!/usr/bin/env python3
"""A detector worker that detects motion in camera streams. `python3 worker.py --help` lists its options."""

from detector_worker.main import main

if __name__ == "__main__":
    raise SystemExit(main())
