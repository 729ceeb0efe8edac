// SPDX-License-Identifier: MIT
//! HTTP before a WebSocket: sockudo-ws knows none but the handshake. `GET /ready` gets a response, `/ws` is upgraded, all else refused.

use std::io;

use bytes::{Buf, BytesMut};
use sockudo_ws::handshake::{build_response, generate_accept_key, parse_request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::echo;
use crate::head::{self, Head, Refusal};

pub async fn serve(mut stream: TcpStream) {
    let mut received = BytesMut::with_capacity(1024);
    // Whatever goes wrong here, the client is gone: there is nobody to tell.
    if let Ok(true) = requests(&mut stream, &mut received).await {
        echo::run(stream, received.freeze()).await;
    }
}

/// Responds to requests until one becomes a WebSocket (`true`) or the connection is to end.
async fn requests(stream: &mut TcpStream, received: &mut BytesMut) -> io::Result<bool> {
    loop {
        let head = match head::read(received) {
            Ok(Some(head)) => head,
            Ok(None) => {
                if stream.read_buf(received).await? == 0 {
                    return Ok(false);
                }
                continue;
            }
            Err(refusal) => return refuse(stream, refusal).await,
        };
        if head.path == "/ws" && head.method == "GET" && head.upgrade {
            let Ok(Some((request, length))) = parse_request(received) else {
                return refuse(stream, (400, "Bad Request")).await;
            };
            let response = build_response(&generate_accept_key(request.key), None, None);
            received.advance(length);
            stream.write_all(&response).await?;
            return Ok(true);
        }
        // A body is not read: the connection ends after the response.
        let stay = head.keep_alive && !head.has_body;
        stream.write_all(respond(&head, stay).as_bytes()).await?;
        if !stay {
            return end(stream).await;
        }
        received.advance(head.bytes);
    }
}

fn respond(head: &Head, stay: bool) -> String {
    let known = matches!(head.path.as_str(), "/ready" | "/ws");
    let (status, body) = match head.method.as_str() {
        "GET" | "HEAD" if head.path == "/ready" => ("200 OK", "ready\n"),
        "GET" | "HEAD" if known => (
            "426 Upgrade Required\r\nUpgrade: websocket",
            "a WebSocket is served here\n",
        ),
        _ if known => ("405 Method Not Allowed\r\nAllow: GET, HEAD", "GET only\n"),
        _ => ("404 Not Found", "no such path\n"),
    };
    let connection = match (stay, head.old) {
        (false, _) => "Connection: close\r\n",
        (true, true) => "Connection: keep-alive\r\n",
        (true, false) => "",
    };
    let length = body.len();
    let body = if head.method == "HEAD" { "" } else { body };
    format!("HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n{connection}\r\n{body}")
}

async fn refuse(stream: &mut TcpStream, (status, name): Refusal) -> io::Result<bool> {
    let text = format!("HTTP/1.1 {status} {name}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    stream.write_all(text.as_bytes()).await?;
    end(stream).await
}

async fn end(stream: &mut TcpStream) -> io::Result<bool> {
    stream.shutdown().await?;
    Ok(false)
}
