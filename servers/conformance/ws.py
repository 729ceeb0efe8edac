# SPDX-License-Identifier: MIT
"""RFC 6455 from the client's side, over a raw socket. Frames can be wrong on purpose; what arrives is judged strictly."""

import base64
import hashlib
import struct

from wire import Client, WireError, request

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Closed(WireError):
    """The connection ended; `code` is None where no close frame came or it had no code."""

    def __init__(self, text, code=None, framed=False):
        super().__init__(text)
        self.code, self.framed = code, framed


def accept_of(key):
    return base64.b64encode(hashlib.sha1(key.encode() + GUID).digest()).decode()


def upgrade(key, *lines, version="13", connection="Upgrade", target="/ws", method="GET"):
    head = ["Upgrade: websocket", f"Connection: {connection}"]
    if key is not None:
        head.append(f"Sec-WebSocket-Key: {key}")
    if version is not None:
        head.append(f"Sec-WebSocket-Version: {version}")
    return request(target, *head, *lines, method=method)


def new_key(random):
    return base64.b64encode(random.randbytes(16)).decode()


def open(address, random, *lines, timeout=60, receive_buffer=None, connection="Upgrade"):
    """A connection on which the handshake is done and was right."""
    client = Client(address, timeout=timeout, receive_buffer=receive_buffer)
    key = new_key(random)
    client.send(upgrade(key, *lines, connection=connection))
    return WebSocket(client, random, key)


class WebSocket:
    def __init__(self, client, random, key):
        self.client, self.random = client, random
        self.status, _, headers = client.head()
        self.headers = headers
        if self.status != 101:
            raise WireError(f"the handshake got {self.status}")
        fields = dict(headers)
        if fields.get("upgrade", "").lower() != "websocket":
            raise WireError(f"the handshake's response says Upgrade: {fields.get('upgrade')}")
        if "upgrade" not in [part.strip().lower() for part in fields.get("connection", "").split(",")]:
            raise WireError(f"the handshake's response says Connection: {fields.get('connection')}")
        if fields.get("sec-websocket-accept") != accept_of(key):
            raise WireError(f"Sec-WebSocket-Accept is {fields.get('sec-websocket-accept')}, right is {accept_of(key)}")
        if "sec-websocket-extensions" in fields:
            raise WireError(f"it agreed to an extension: {fields['sec-websocket-extensions']}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()

    def frame(self, opcode, payload, fin=True, mask=True, reserved=0):
        size = len(payload)
        head = bytes([(0x80 if fin else 0) | reserved << 4 | opcode])
        bit = 0x80 if mask else 0
        if size < 126:
            head += bytes([bit | size])
        elif size < 65536:
            head += struct.pack("!BH", bit | 126, size)
        else:
            head += struct.pack("!BQ", bit | 127, size)
        if not mask:
            return head + payload
        key = self.random.randbytes(4)
        return head + key + masked(payload, key)

    def message(self, opcode, payload, pieces=1, between=()):
        """The frames of one message in `pieces` fragments, with control frames (opcode, payload) between them."""
        cuts = sorted(self.random.randint(0, len(payload)) for _ in range(pieces - 1))
        between, out, start = list(between), [], 0
        for number, cut in enumerate([*cuts, len(payload)]):
            last = number == pieces - 1
            out.append(self.frame(opcode if number == 0 else CONTINUATION, payload[start:cut], fin=last))
            start = cut
            if between and not last:
                out.append(self.frame(*between.pop(0)))
        return b"".join(out)

    def send(self, opcode, payload, **shape):
        self.client.send(self.message(opcode, payload, **shape))

    def exactly(self, length):
        data = self.client.take(length)
        if len(data) < length:
            raise Closed("the connection ended without a close frame" if not data else "the connection ended within a frame")
        return data

    def read_frame(self):
        first, second = self.exactly(2)
        opcode, size = first & 15, second & 127
        if first & 0x70:
            raise WireError("a frame with reserved bits came, but no extension was agreed")
        if second & 0x80:
            raise WireError("the server masked a frame")
        if size == 126:
            (size,) = struct.unpack("!H", self.exactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self.exactly(8))
        if opcode >= 8 and (size > 125 or not first & 0x80):
            raise WireError("a control frame that is long or fragmented came")
        if size > 1 << 27:
            raise WireError(f"a frame of {size} bytes came")
        return bool(first & 0x80), opcode, self.exactly(size)

    def read(self):
        """(opcode, payload) of the next whole message, ping or pong. A close frame and an end raise Closed."""
        kind, parts = None, []
        while True:
            fin, opcode, payload = self.read_frame()
            if opcode == CLOSE:
                if len(payload) == 1:
                    raise WireError("a close frame with one byte came")
                code = struct.unpack("!H", payload[:2])[0] if payload else None
                raise Closed(f"it closed with {code}", code, framed=True)
            if opcode in (PING, PONG):
                return opcode, payload
            if (opcode == CONTINUATION) == (kind is None):
                raise WireError("fragments came in the wrong order")
            kind = opcode if kind is None else kind
            parts.append(payload)
            if fin:
                return kind, b"".join(parts)

    def closing(self):
        """Reads until the end; the Closed that ended it."""
        try:
            while True:
                self.read()
        except Closed as end:
            return end
        except (ConnectionResetError, BrokenPipeError):
            return Closed("the connection was reset")


def masked(payload, key):
    size = len(payload)
    mask = int.from_bytes((key * (size // 4 + 1))[:size], "big")
    return (int.from_bytes(payload, "big") ^ mask).to_bytes(size, "big")
