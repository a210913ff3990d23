#!/usr/bin/env python3
"""
Writes one of the two people detectors that OpenCV brings as the file of a model:

    make_model.py default people-1.xml     # people of 64 × 128 pixels and more
    make_model.py daimler people-2.xml     # people of 48 × 96 pixels and more
"""

import sys

import cv2


def main(kind: str, file: str) -> None:
    if kind == "default":
        hog = cv2.HOGDescriptor()
        hog.setSVMDetector(cv2.HOGDescriptor_getDefaultPeopleDetector())
    elif kind == "daimler":
        hog = cv2.HOGDescriptor((48, 96), (16, 16), (8, 8), (8, 8), 9)
        hog.setSVMDetector(cv2.HOGDescriptor_getDaimlerPeopleDetector())
    else:
        raise SystemExit(f"{kind} must be default or daimler")
    hog.save(file)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
