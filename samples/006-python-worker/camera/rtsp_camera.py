#!/usr/bin/env python3
"""
A camera for trying things out: plays an H.264 video over RTSP, from its beginning for each viewer.

    python3 rtsp_camera.py --port 8554 --user viewer --password secret video.mkv

It says on standard output when it listens and when a viewer begins to watch, each in a line of JSON. Needs Debian's
python3-gi, gir1.2-gst-rtsp-server-1.0 and gstreamer1.0-plugins-good. `make_video.sh` makes a video.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402 (the versions come first)

PATH = "/main"
ROLE = "viewer"


def main() -> int:
    parser = argparse.ArgumentParser(description="Plays an H.264 video in Matroska over RTSP.")
    parser.add_argument("video", type=Path)
    parser.add_argument("--port", type=int, default=8554, help="0 takes a free one (%(default)s)")
    parser.add_argument("--user")
    parser.add_argument("--password")
    given = parser.parse_args()
    if not given.video.is_file():
        parser.error(f"video: there is no file {given.video}")

    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(str(given.port))
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(
        f'( filesrc location="{given.video.resolve()}" ! matroskademux ! rtph264pay name=pay0 pt=96 config-interval=1 )'
    )
    if given.user is not None:
        demand_password(server, factory, given.user, given.password or "")
    server.get_mount_points().add_factory(PATH, factory)
    server.connect("client-connected", on_client)
    if server.attach(None) == 0:
        print(f"cannot listen on port {given.port}", file=sys.stderr)
        return 1
    say(listening=server.get_bound_port())
    GLib.MainLoop().run()
    return 0


def demand_password(server: Any, factory: Any, user: str, password: str) -> None:
    """Clients without the password get 401."""
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", ROLE)
    auth = GstRtspServer.RTSPAuth()
    auth.add_basic(GstRtspServer.RTSPAuth.make_basic(user, password), token)
    server.set_auth(auth)
    permissions = GstRtspServer.RTSPPermissions()
    permissions.add_permission_for_role(ROLE, "media.factory.access", True)
    permissions.add_permission_for_role(ROLE, "media.factory.construct", True)
    factory.set_permissions(permissions)


def on_client(_server: Any, client: Any) -> None:
    client.connect("play-request", lambda _client, _context: say(playing=PATH))


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
