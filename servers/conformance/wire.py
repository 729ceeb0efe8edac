# SPDX-License-Identifier: MIT
"""HTTP over a raw socket: nothing is repaired, nothing is retried, every byte is counted."""

import socket
import struct


class WireError(Exception):
    """The response broke off or was no HTTP."""


class Response:
    def __init__(self, status, version, headers, body, complete):
        self.status, self.version, self.headers, self.body, self.complete = status, version, headers, body, complete

    def header(self, name):
        values = [v for n, v in self.headers if n == name.lower()]
        return values[0] if values else None

    def says(self, token):
        value = self.header("connection") or ""
        return token in [part.strip().lower() for part in value.split(",")]


class Client:
    # Long, because what never comes fails a check all the same, and a busy host is slow.
    def __init__(self, address, timeout=60, receive_buffer=None):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(timeout)
        self.socket.connect(address)
        self.buffer = bytearray()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def reset(self):
        """Closes with a RST instead of a FIN."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def fill(self):
        data = self.socket.recv(262144)
        self.buffer += data
        return len(data)

    def line(self):
        while True:
            end = self.buffer.find(b"\n")
            if end >= 0:
                text = bytes(self.buffer[:end])
                del self.buffer[: end + 1]
                return text.rstrip(b"\r").decode("latin-1")
            if not self.fill():
                raise WireError("the connection was closed in the middle of a head")

    def take(self, length):
        """Up to `length` bytes; fewer only where the connection ended."""
        while len(self.buffer) < length:
            try:
                if not self.fill():
                    break
            except ConnectionResetError:
                break
        data = bytes(self.buffer[:length])
        del self.buffer[:length]
        return data

    def head(self):
        status_line = self.line()
        parts = status_line.split(" ", 2)
        if len(parts) < 2 or not parts[0].startswith("HTTP/1.") or not parts[1].isdigit():
            raise WireError(f"not a status line: {status_line[:80]!r}")
        headers = []
        while True:
            line = self.line()
            if not line:
                return int(parts[1]), parts[0], headers
            name, colon, value = line.partition(":")
            if not colon:
                raise WireError(f"not a header line: {line[:80]!r}")
            headers.append((name.lower(), value.strip()))

    def response(self, head_only=False):
        status, version, headers = self.head()
        fields = dict(headers)
        if head_only or status < 200 or status in (204, 304):
            return Response(status, version, headers, b"", True)
        if "chunked" in fields.get("transfer-encoding", ""):
            body = b""
            while True:
                size = int(self.line().split(";")[0], 16)
                part = self.take(size)
                body += part
                self.line()
                if size == 0 or len(part) < size:
                    return Response(status, version, headers, body, size == 0)
        if "content-length" in fields:
            length = int(fields["content-length"])
            body = self.take(length)
            return Response(status, version, headers, body, len(body) == length)
        body = bytearray()
        while True:
            part = self.take(1 << 20)
            body += part
            if not part:
                return Response(status, version, headers, bytes(body), True)

    def get(self, target, *lines, method="GET", version="HTTP/1.1", host="test"):
        self.send(request(target, *lines, method=method, version=version, host=host))
        return self.response(head_only=method == "HEAD")

    def ended(self, within=3.0):
        """Whether the server closes (or resets) the connection without a further byte."""
        self.socket.settimeout(within)
        if self.buffer:
            return False
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False


def request(target, *lines, method="GET", version="HTTP/1.1", host="test"):
    head = [f"{method} {target} {version}"]
    if host is not None:
        head.append(f"Host: {host}")
    head.extend(lines)
    return ("\r\n".join(head) + "\r\n\r\n").encode("latin-1")
