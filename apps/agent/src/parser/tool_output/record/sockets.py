#!/usr/bin/env python3
"""A WebSocket that echoes, or fails in one chosen way, for the recordings. Usage: sockets.py MODE PORT.

ws-good   echoes
ws-lower  echoes text in lower case
ws-drop   keeps each 50th message back
"""
import asyncio
import base64
import hashlib
import struct
import sys

MODE, PORT = sys.argv[1], int(sys.argv[2])
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


async def shake(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = dict(line.split(b": ", 1) for line in head.split(b"\r\n") if b": " in line)
    accept = base64.b64encode(hashlib.sha1(lines[b"Sec-WebSocket-Key"] + GUID).digest())
    writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
    writer.write(b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")


async def message(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    first, second = await reader.readexactly(2)
    length = second & 127
    if length == 126:
        (length,) = struct.unpack(">H", await reader.readexactly(2))
    elif length == 127:
        (length,) = struct.unpack(">Q", await reader.readexactly(8))
    mask = await reader.readexactly(4)
    return first, bytes(byte ^ mask[i % 4] for i, byte in enumerate(await reader.readexactly(length)))


def frame(first: int, payload: bytes) -> bytes:
    if len(payload) < 126:
        return bytes([first, len(payload)]) + payload
    return bytes([first, 126]) + struct.pack(">H", len(payload)) + payload


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await shake(reader, writer)
        number = 0
        while True:
            first, payload = await message(reader)
            number += 1
            if MODE == "ws-drop" and number % 50 == 0:
                continue
            writer.write(frame(first, payload.lower() if MODE == "ws-lower" else payload))
            await writer.drain()
            if first & 15 == 8:
                break
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", PORT, backlog=1024)
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
