#!/bin/sh
# Makes a video for rtsp_camera.py: a white square of 40 pixels on a grid of 320 × 240. It appears after three seconds and
# moves 60 pixels per second to the right and 30 down, repeatedly.
#   make_video.sh <file.mkv> [<seconds>]
set -eu
file=${1:?usage: make_video.sh <file.mkv> [<seconds>]}
seconds=${2:-600}
way="mod((t-3)*60\,280)"
exec ffmpeg -nostdin -loglevel error -y \
  -f lavfi -i "color=0x404040:size=320x240:rate=10:duration=$seconds,drawgrid=width=32:height=32:color=0x707070" \
  -f lavfi -i "color=white:size=40x40:rate=10:duration=$seconds" \
  -filter_complex "[0][1]overlay=x='$way':y='20+$way/2':enable='gte(t\,3)'" \
  -c:v libx264 -preset ultrafast -tune zerolatency -g 10 -pix_fmt yuv420p "$file"
