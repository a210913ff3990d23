"""Files of models, from a real server."""

from __future__ import annotations

import hashlib
import http.client
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from detector_worker.download import DownloadFailed, DownloadLimits, Source, download

from .support import Store

SECRET = "signature=secret"
FIRST = b"works first"


class Downloads(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "models"
        self.store = Store()
        self.addCleanup(self.store.close)

    def refusal(self, url: str, limits: DownloadLimits = DownloadLimits(), **known: int | str) -> str:
        with self.assertRaises(DownloadFailed) as caught:
            download(Source(url, **known), self.folder / "file", limits)
        self.assertEqual(list(self.folder.glob("*")), [])
        return str(caught.exception)

    def test_leaves_the_complete_file_alone(self) -> None:
        known = Source(f"{self.store.url}/a?{SECRET}", len(FIRST), hashlib.sha256(FIRST).hexdigest())
        download(known, self.folder / "file", DownloadLimits(hosts=("127.0.*",)))
        self.assertEqual([(f.name, f.read_bytes()) for f in self.folder.iterdir()], [("file", FIRST)])
        self.assertNotIn(SECRET, repr(known))

    def test_a_failure_has_a_reason_without_the_url_and_leaves_no_file(self) -> None:
        for path, reason in {
            "/none": "HTTP 404",
            "/moved": "HTTP 302",
            "/cut": "ended after 5 of 10 bytes",
            "file:///etc/passwd": "modelUrl must be an http or https address",
            f"http:///{SECRET}": "modelUrl must be an http or https address",
            f"http://127.0.0.1:9/?{SECRET}": "no connection (ConnectionRefusedError)",
            f"http://[{SECRET}": "ValueError",
        }.items():
            with self.subTest(path=path):
                url = path if ":" in path else f"{self.store.url}{path}?{SECRET}"
                self.assertEqual(self.refusal(url), reason)
        self.assertEqual(self.store.requests["/a"], 0, "the redirect was followed")

    def test_a_file_that_is_not_the_announced_one_is_refused(self) -> None:
        url = f"{self.store.url}/a"
        self.assertEqual(self.refusal(url, size=5), "has 11 bytes, the master announced 5")
        self.assertIn("SHA-256", self.refusal(url, sha256="0" * 64))

    def test_a_file_above_the_limit_is_refused_whether_or_not_its_size_is_known(self) -> None:
        limits = DownloadLimits(max_bytes=10)
        self.assertEqual(self.refusal(f"{self.store.url}/a", limits), "larger than 10 bytes")
        self.assertEqual(self.refusal(f"{self.store.url}/endless", limits), "larger than 10 bytes")
        self.assertEqual(self.refusal(f"{self.store.url}/b", limits, size=12), "larger than 10 bytes")
        self.assertEqual(self.store.requests["/b"], 0)

    def test_only_allowed_hosts_are_asked(self) -> None:
        limits = DownloadLimits(hosts=("store.test", "*.store.test"))
        self.assertIn("allowed", self.refusal(f"{self.store.url}/a", limits))
        self.assertEqual(self.store.requests, {})

    def test_link_local_addresses_are_asked_for_nothing_whatever_their_name(self) -> None:
        for address in ("169.254.169.254", "fe80::1%eth0", "::ffff:169.254.169.254"):
            with self.subTest(address=address), mock.patch.object(
                http.client.HTTPConnection, "connect", lambda connection, a=address: connect_to(connection, a)
            ):
                self.assertEqual(self.refusal("http://models.test/a"), "modelUrl leads to a link-local address")

    def test_a_file_that_comes_too_slowly_is_given_up(self) -> None:
        limits = DownloadLimits(timeout=0.2)
        self.assertEqual(self.refusal(f"{self.store.url}/slow", limits), "no connection (TimeoutError)")


def connect_to(connection: http.client.HTTPConnection, address: str) -> None:
    connection.sock = mock.Mock()
    connection.sock.getpeername.return_value = (address, 80)
    connection.sock.sendall.side_effect = AssertionError("a request was sent")


if __name__ == "__main__":
    unittest.main()
