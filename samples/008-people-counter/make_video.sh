#!/bin/sh
# Makes a video for rtsp_camera.py of sample 006: OpenCV's pedestrians, filmed from above, five times in a row, that is 6.6 minutes.
#   make_video.sh <file.mkv>
set -eu
file=${1:?usage: make_video.sh <file.mkv>}
source=/usr/share/doc/opencv-doc/examples/data/vtest.avi
[ -f "$source" ] || { echo "$source is missing: apt-get install opencv-doc" >&2 && exit 1; }
once=$(mktemp --suffix .mkv)
trap 'rm -f "$once"' EXIT
ffmpeg -nostdin -loglevel error -y -i "$source" -c:v libx264 -preset ultrafast -tune zerolatency -crf 30 -g 10 -pix_fmt yuv420p "$once"
ffmpeg -nostdin -loglevel error -y -stream_loop 4 -i "$once" -c copy "$file"
