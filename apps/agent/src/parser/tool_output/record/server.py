#!/usr/bin/env python3
"""A server that fails in one chosen way, for the recordings. Usage: server.py MODE PORT; ends on SIGTERM.

good     answers GET with 1024 bytes, with keep-alive where the client asks for it
close    the same, but closes after each answer
reset    resets the connection instead of each 50th answer
half     sends half of the body of each 50th answer, with the right length announced, then closes
error    answers each 20th request with 503
missing  answers each request with 404
slow     takes 20 ms for each answer
silent   reads and never answers
"""
import asyncio
import socket
import struct
import sys

MODE, PORT = sys.argv[1], int(sys.argv[2])
BODY = bytes(range(256)) * 4
served = 0


def head(status: str, length: int, keep: bool) -> bytes:
    connection = "keep-alive" if keep else "close"
    return f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: {connection}\r\n\r\n".encode()


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    global served
    try:
        while request := await reader.readuntil(b"\r\n\r\n"):
            served += 1
            lower = request.lower()
            keep = b"http/1.1" in lower and b"connection: close" not in lower or b"connection: keep-alive" in lower
            keep = keep and MODE != "close"
            if MODE == "silent":
                await asyncio.sleep(3600)
            if MODE == "slow":
                await asyncio.sleep(0.02)
            if MODE == "reset" and served % 50 == 0:
                sock = writer.get_extra_info("socket")
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
                return
            if MODE == "half" and served % 50 == 0:
                writer.write(head("200 OK", len(BODY), keep) + BODY[:512])
                keep = False
            elif MODE == "error" and served % 20 == 0:
                writer.write(head("503 Service Unavailable", 5, keep) + b"busy\n")
            elif MODE == "missing":
                writer.write(head("404 Not Found", 10, keep) + b"not there\n")
            else:
                writer.write(head("200 OK", len(BODY), keep) + BODY)
            await writer.drain()
            if not keep:
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
