#!/usr/bin/env python3
"""A detector worker: sees motion in the streams of cameras. `python3 worker.py --help` tells its options."""

from detector_worker.main import main

if __name__ == "__main__":
    raise SystemExit(main())
