"""HTTPS: the certificate that Piste makes for itself, and the socket beside the plain one."""

from __future__ import annotations

import asyncio
import datetime as dt
import ipaddress
import logging
import os
import socket
import ssl
import sys
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509

from scorer.service import certificate as certificates
from scorer.service import secure as secures
from scorer.service.certificate import FILE, VALID, Address, address_of, certificate, own_names
from scorer.service.problems import StoreError
from scorer.service.secure import Secure
from scorer.service.server import ListenError, listen

LOCAL = ipaddress.ip_address("127.0.0.1")
TABLE = ipaddress.ip_address("192.168.1.20")
OTHER = ipaddress.ip_address("10.0.0.7")
NOW = dt.datetime(2026, 5, 1, tzinfo=dt.UTC)


# The certificate


def on_disk(folder: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate((folder / FILE).read_bytes())


def test_it_is_for_the_names_and_addresses_and_can_vouch_for_nobody(tmp_path: Path) -> None:
    made = certificate(tmp_path, {"localhost", "table.local"}, {LOCAL, TABLE}, NOW)
    found = on_disk(tmp_path)
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert set(names.get_values_for_type(x509.DNSName)) == {"localhost", "table.local"} == made.names
    assert set(names.get_values_for_type(x509.IPAddress)) == {LOCAL, TABLE} == made.addresses
    assert not found.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert found.not_valid_after_utc - NOW == VALID < dt.timedelta(days=825)
    assert found.not_valid_before_utc < NOW
    assert len(made.fingerprint) == 95


@pytest.mark.skipif(sys.platform == "win32", reason="files have no mode there")
def test_the_key_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = certificate(tmp_path, {"localhost"}, {LOCAL})
    finally:
        os.umask(before)
    assert made.file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_it_is_kept_as_long_as_it_does(tmp_path: Path) -> None:
    first = certificate(tmp_path, {"localhost"}, {LOCAL, TABLE}, NOW)
    again = certificate(tmp_path, {"localhost"}, {LOCAL}, NOW + dt.timedelta(days=600))
    assert first.fresh and not again.fresh
    assert again.fingerprint == first.fingerprint


@pytest.mark.parametrize("days", [-10, 720, 2000])
def test_near_its_end_or_with_a_clock_gone_wrong_it_is_made_anew(tmp_path: Path, days: int) -> None:
    first = certificate(tmp_path, {"localhost"}, {LOCAL}, NOW)
    then = NOW + dt.timedelta(days=days)
    again = certificate(tmp_path, {"localhost"}, {LOCAL}, then)
    assert again.fresh and again.fingerprint != first.fingerprint
    assert on_disk(tmp_path).not_valid_before_utc < then < on_disk(tmp_path).not_valid_after_utc


def test_in_another_network_it_is_made_for_both(tmp_path: Path) -> None:
    certificate(tmp_path, {"localhost"}, {LOCAL, TABLE}, NOW)
    moved = certificate(tmp_path, {"localhost", "bar"}, {LOCAL, OTHER}, NOW)
    assert moved.addresses == {LOCAL, TABLE, OTHER}
    assert certificate(tmp_path, {"localhost"}, {LOCAL, TABLE}, NOW).fingerprint == moved.fingerprint


def test_a_machine_that_travels_forgets_old_addresses(tmp_path: Path) -> None:
    for number in range(40):
        wanted: set[Address] = {LOCAL, ipaddress.ip_address(f"10.0.0.{number}")}
        made = certificate(tmp_path, {"localhost"}, wanted, NOW)
        assert wanted <= made.addresses
        assert len(made.addresses) <= certificates.MOST_ADDRESSES


@pytest.mark.parametrize("content", [b"", b"\x00" * 100, b"-----BEGIN CERTIFICATE-----\n", b"x" * 100_000])
def test_a_damaged_file_is_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    (tmp_path / FILE).chmod(0o600)
    assert certificate(tmp_path, {"localhost"}, {LOCAL}).fresh
    certificate(tmp_path, {"localhost"}, {LOCAL}).context()


def test_a_key_that_is_another_ones_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    certificate(tmp_path, {"localhost"}, {LOCAL})
    certificate(tmp_path / "other", {"localhost"}, {LOCAL})
    mark = b"-----BEGIN CERTIFICATE-----"
    key = (tmp_path / FILE).read_bytes().partition(mark)[0]
    (tmp_path / FILE).write_bytes(key + mark + (tmp_path / "other" / FILE).read_bytes().partition(mark)[2])
    assert certificate(tmp_path, {"localhost"}, {LOCAL}).fresh


@pytest.mark.skipif(sys.platform == "win32", reason="files have no mode there")
def test_a_key_that_others_could_read_is_made_anew(tmp_path: Path) -> None:
    first = certificate(tmp_path, {"localhost"}, {LOCAL})
    first.file.chmod(0o644)
    again = certificate(tmp_path, {"localhost"}, {LOCAL})
    assert again.fingerprint != first.fingerprint
    assert again.file.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be written.*--data"):
        certificate(tmp_path / "gone", {"localhost"}, {LOCAL})


def test_own_names_are_such_as_a_certificate_can_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, addresses = own_names()
    assert "localhost" in names
    assert {LOCAL, ipaddress.ip_address("::1")} <= addresses
    for odd in ("", "Bar de l'été", "a..b", "x" * 300, "bar_2.lan"):
        monkeypatch.setattr(socket, "gethostname", lambda odd=odd: odd)
        certificate(tmp_path, *own_names()).context()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20", "192.168.1.20"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("fe80::1%eth0", "fe80::1"),
        ("table", None),
    ],
)
def test_addresses_as_sockets_tell_them(text: str, address: str | None) -> None:
    assert address_of(text) == (None if address is None else ipaddress.ip_address(address))


# The socket


class Hello(asyncio.Protocol):
    """Says hello and goes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"hello")
        transport.close()


class Serving:
    """`secure` served by a loop in a thread of its own."""

    def __init__(self, secure: Secure) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()
        self._task = self.run(self._begin(secure))

    async def _begin(self, secure: Secure) -> asyncio.Task[None]:
        return asyncio.create_task(secure.serve(Hello))

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(20)

    def close(self) -> None:
        async def end() -> None:
            self._task.cancel()
            await asyncio.wait([self._task])

        self.run(end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(20)
        self.loop.close()


@contextmanager
def serving(secure: Secure) -> Iterator[Serving]:
    running = Serving(secure)
    try:
        yield running
    finally:
        running.close()
        secure.close()


def greeting(port: int, trusted: Path, host: str = "127.0.0.1") -> bytes:
    """What is said over TLS to one who trusts that certificate, and checks the name."""
    text = trusted.read_text()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=text[text.index("-----BEGIN CERTIFICATE-----") :])
    with (
        socket.create_connection((host, port), 20) as line,
        context.wrap_socket(line, server_hostname=host) as safe,
    ):
        return safe.recv(100)


def port_of(secure: Secure) -> int:
    assert secure.port is not None
    return secure.port


def test_who_trusts_the_certificate_is_served(tmp_path: Path) -> None:
    secure = Secure("127.0.0.1", 0, tmp_path)
    assert (secure.port, secure.certificate) == (None, None)
    secure.open()
    secure.open()
    with serving(secure):
        assert greeting(port_of(secure), tmp_path / FILE) == b"hello"


def test_it_can_be_opened_while_the_service_runs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    secure = Secure("127.0.0.1", 0, tmp_path)
    with serving(secure), caplog.at_level(logging.INFO, "piste"):
        secure.open()
        assert greeting(port_of(secure), tmp_path / FILE) == b"hello"
        assert secure.certificate is not None
        assert secure.certificate.fingerprint in caplog.text


def test_the_address_somebody_came_by_is_in_the_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "own_names", lambda: ({"localhost"}, set()))
    secure = Secure("127.0.0.1", 0, tmp_path)
    secure.open()
    with serving(secure):
        with socket.create_connection(("127.0.0.1", port_of(secure)), 20) as line:
            anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            anybody.check_hostname = False
            anybody.verify_mode = ssl.CERT_NONE
            anybody.wrap_socket(line).close()
        assert greeting(port_of(secure), tmp_path / FILE) == b"hello"
        assert secure.certificate is not None and LOCAL in secure.certificate.addresses


def test_a_certificate_near_its_end_is_renewed_while_the_service_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, addresses = own_names()
    before = certificate(tmp_path, names, addresses, dt.datetime.now(dt.UTC) - VALID + dt.timedelta(days=31))
    old = before.file.rename(tmp_path / "old.pem")
    before.file.write_bytes(old.read_bytes())
    before.file.chmod(0o600)
    secure = Secure("127.0.0.1", 0, tmp_path)
    secure.open()
    assert secure.certificate is not None and secure.certificate.fingerprint == before.fingerprint
    monkeypatch.setattr(secures, "LOOK_S", 0.0)
    monkeypatch.setattr(certificates, "RENEWED", dt.timedelta(days=40))
    with serving(secure):
        with pytest.raises(ssl.SSLError):
            greeting(port_of(secure), old)
        assert greeting(port_of(secure), tmp_path / FILE) == b"hello"


def test_one_that_cannot_be_renewed_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secure = Secure("127.0.0.1", 0, tmp_path)
    secure.open()
    monkeypatch.setattr(secures, "LOOK_S", 0.0)

    def fails(*_about: Any) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(certificates, "certificate", fails)
    with serving(secure):
        assert greeting(port_of(secure), tmp_path / FILE) == b"hello"
    assert "The disk is full." in caplog.text


def test_hanging_handshakes_hold_nobody_up_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secures, "HANDSHAKE_S", 0.3)
    secure = Secure("127.0.0.1", 0, tmp_path)
    secure.open()
    with serving(secure):
        hanging = [
            socket.create_connection(("127.0.0.1", port_of(secure)), 20)
            for _ in range(3 * secures.HANDSHAKES)
        ]
        assert greeting(port_of(secure), tmp_path / FILE) == b"hello"
        for line in hanging:
            line.settimeout(20)
            assert line.recv(10) == b""
            line.close()


def test_who_speaks_something_else_is_sent_away(tmp_path: Path) -> None:
    secure = Secure("127.0.0.1", 0, tmp_path)
    secure.open()
    with serving(secure):
        for words in (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"\x16\x03\x01\xff\xff" + b"\x00" * 200):
            with socket.create_connection(("127.0.0.1", port_of(secure)), 20) as line:
                line.sendall(words)
                line.settimeout(20)
                while line.recv(100):
                    pass
        assert greeting(port_of(secure), tmp_path / FILE) == b"hello"


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        fixed = Secure("127.0.0.1", port, tmp_path, next_free=False)
        with pytest.raises(ListenError, match=f"Port {port} is in use"):
            fixed.open()
        with Secure("127.0.0.1", port, tmp_path) as free:
            free.open()
            assert free.port not in (None, port)
