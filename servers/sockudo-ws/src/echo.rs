// SPDX-License-Identifier: MIT
//! Workload `ws-echo`: a message is sent back before the next one is read, so a client that does not read is not read either.

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use sockudo_ws::error::CloseReason;
use sockudo_ws::{Config, Error, Message, Role, WebSocketStream};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const MESSAGE_BYTES: usize = 16 << 20;

/// `early` is what the client sent behind its handshake.
pub async fn run(stream: TcpStream, early: Bytes) {
    // An idle connection stays, so nobody is asked for a sign of life.
    let config = Config::builder()
        .max_payload_length(MESSAGE_BYTES)
        .auto_ping(false)
        .idle_timeout(0)
        .build();
    let mut socket = WebSocketStream::from_raw_with_leftover(stream, Role::Server, config, Some(early));
    // Pings and closes are handled below, while the next message is read.
    while let Some(received) = socket.next().await {
        match received {
            Ok(message @ (Message::Text(_) | Message::Binary(_))) => {
                if socket.send(message).await.is_err() {
                    return;
                }
            }
            Ok(_) => {}
            Err(fault) => return fail(socket.into_inner(), &fault).await,
        }
    }
}

/// sockudo-ws ends a connection with a fault in it without a word; RFC 6455 7.1.7 and the contract want the code said.
async fn fail(mut stream: TcpStream, fault: &Error) {
    let code = match fault {
        Error::InvalidUtf8 => CloseReason::INVALID_PAYLOAD,
        Error::MessageTooLarge | Error::FrameTooLarge => CloseReason::TOO_BIG,
        Error::Protocol(_) | Error::InvalidFrame(_) | Error::InvalidCloseCode(_) => CloseReason::PROTOCOL_ERROR,
        _ => return,
    };
    let [high, low] = code.to_be_bytes();
    // Final frame, opcode close, two bytes. Whether it arrives is the client's business.
    let _ = stream.write_all(&[0x88, 2, high, low]).await;
    let _ = stream.shutdown().await;
}
