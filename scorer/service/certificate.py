"""The certificate that Piste makes for itself, so that a phone's browser lets a page use the camera.

Browsers give the camera to pages that came over HTTPS only. Nobody vouches for this certificate: a browser warns
once, and remembers that somebody went on. So it is made anew only when it must be: near its end, when the machine
has got another name or address, or when somebody else could have read its key.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import socket
import ssl
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from scorer.service.problems import StoreError
from scorer.service.server import own_address

FILE = "https.pem"
"""Key and certificate in one file, so that neither is ever there without the other."""

LARGEST = 64 * 1024
VALID = dt.timedelta(days=730)
"""Phones refuse certificates that are valid for longer than 825 days."""
RENEWED = dt.timedelta(days=30)
"""A certificate with less than this left is made anew: nobody's evening should end with a warning."""
MOST_ADDRESSES = 24
"""A machine that has been in more networks than this forgets the older ones."""
EARLIER = dt.timedelta(days=2)
"""How much too slow the clock of a phone may be."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate on the disk: its file (the key is in it too), what it is for, until when, and its SHA-256.

    `fresh` says that it was made just now: browsers will warn of it once more.
    """

    file: Path
    names: frozenset[str]
    addresses: frozenset[Address]
    ends: dt.datetime
    fingerprint: str
    fresh: bool

    def covers(self, names: Iterable[str], addresses: Iterable[Address]) -> bool:
        """Whether it is for all of these."""
        return self.names.issuperset(names) and self.addresses.issuperset(addresses)

    def context(self) -> ssl.SSLContext:
        """How a server speaks with it. Raises StoreError when the file has gone."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # Some phones still want 1.2 for websockets.
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(self.file)
        except OSError as error:
            raise StoreError(
                f"{self.file}: the certificate cannot be used ({error}): start again."
            ) from error
        return context


def own_names() -> tuple[set[str], set[Address]]:
    """The names and addresses of this machine, as far as they can be had without asking anybody."""
    host = socket.gethostname().lower()
    short = host.partition(".")[0]
    names = {name for name in ("localhost", host, short, f"{short}.local") if _is_name(name)}
    found = {"127.0.0.1", "::1", own_address() or "127.0.0.1"}
    with suppress(OSError, UnicodeError):
        found |= {str(each[4][0]) for each in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    return names, {address for text in found if (address := address_of(text)) is not None}


def address_of(text: str) -> Address | None:
    """The address that a text such as `192.168.1.20` or `fe80::1%eth0` is, None if it is none."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def certificate(
    folder: Path, names: Iterable[str], addresses: Iterable[Address], now: dt.datetime | None = None
) -> Certificate:
    """The certificate in `folder` for these names and addresses; made, or made anew, where that is needed.

    One made anew is for the old addresses as well: a machine that goes back and forth between two networks has one
    for both. Raises StoreError when it cannot be written.
    """
    now = now or dt.datetime.now(dt.UTC)
    file = folder / FILE
    before = _kept(file, now)
    if before is not None and before.covers(names, addresses):
        return before
    named, numbered = set(names), set(addresses)
    if before is not None and len(before.addresses | numbered) <= MOST_ADDRESSES:
        named, numbered = named | before.names, numbered | before.addresses
    return _make(file, named, numbered, now)


def _kept(file: Path, now: dt.datetime) -> Certificate | None:
    """The certificate that is there, None unless it can be used as it is."""
    try:
        if not file.is_file():  # a pipe would be waited for
            return None
        with file.open("rb") as kept:
            others = os.fstat(kept.fileno()).st_mode & 0o077
            content = kept.read(LARGEST)
        if others and sys.platform != "win32":
            return None
        found = x509.load_pem_x509_certificate(content)
        key = serialization.load_pem_private_key(content, password=None)
        if key.public_key() != found.public_key():
            return None
        subject = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound):
        return None
    if not found.not_valid_before_utc <= now <= found.not_valid_after_utc - RENEWED:
        return None
    return _told(file, found, subject, fresh=False)


def _make(file: Path, names: set[str], addresses: set[Address], now: dt.datetime) -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Piste on this table's machine")])
    subject = x509.SubjectAlternativeName(
        [
            *(x509.DNSName(name) for name in sorted(names)),
            *(
                x509.IPAddress(address)
                for address in sorted(addresses, key=lambda each: (each.version, each.packed))
            ),
        ]
    )
    usage = dict.fromkeys(
        (
            "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign",
            "crl_sign", "encipher_only", "decipher_only",
        ),
        False,
    )  # fmt: skip
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + VALID)
        .add_extension(subject, critical=False)
        # It can vouch for nobody else, also where somebody has chosen to trust it.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.KeyUsage(digital_signature=True, **usage), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    _write(file, secret + made.public_bytes(serialization.Encoding.PEM))
    return _told(file, made, subject, fresh=True)


def _write(file: Path, content: bytes) -> None:
    """Put the file in place whole, for its owner alone from the first byte on."""
    fresh = file.with_suffix(".new")
    try:
        with suppress(FileNotFoundError):
            fresh.unlink()
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as writing:
            writing.write(content)
        fresh.replace(file)
    except OSError as error:
        raise StoreError(
            f"{file}: the certificate for HTTPS cannot be written ({error.strerror or error}): "
            "name a folder that can be written with --data, or leave --https out."
        ) from error


def _told(
    file: Path, found: x509.Certificate, subject: x509.SubjectAlternativeName, *, fresh: bool
) -> Certificate:
    return Certificate(
        file,
        frozenset(subject.get_values_for_type(x509.DNSName)),
        frozenset(_addresses(subject)),
        found.not_valid_after_utc,
        found.fingerprint(hashes.SHA256()).hex(":").upper(),
        fresh,
    )


def _addresses(subject: x509.SubjectAlternativeName) -> Iterable[Address]:
    for each in subject.get_values_for_type(x509.IPAddress):
        if isinstance(each, ipaddress.IPv4Address | ipaddress.IPv6Address):
            yield each


def _is_name(name: str) -> bool:
    """Whether a machine's name can stand in a certificate."""
    return (
        bool(name)
        and len(name) <= 253
        and name.isascii()
        and all(
            part and len(part) <= 63 and part.replace("-", "").replace("_", "").isalnum()
            for part in name.split(".")
        )
    )
