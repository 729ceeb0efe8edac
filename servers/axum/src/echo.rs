// SPDX-License-Identifier: MIT
//! Workload `ws-echo`: a message is sent back before the next one is read, so a client that does not read is not read either.

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;

const MESSAGE_BYTES: usize = 16 << 20;

pub async fn upgrade(upgrade: WebSocketUpgrade, read_buffer: usize) -> Response {
    upgrade
        .read_buffer_size(read_buffer)
        .max_message_size(MESSAGE_BYTES)
        .max_frame_size(MESSAGE_BYTES)
        .on_upgrade(echo)
}

async fn echo(mut socket: WebSocket) {
    while let Some(received) = socket.recv().await {
        match received {
            Ok(message @ (Message::Text(_) | Message::Binary(_))) => {
                if socket.send(message).await.is_err() {
                    return;
                }
            }
            // Pings and closes are handled below axum, with the next read.
            Ok(_) => {}
            Err(fault) => {
                if let Some(code) = code(fault) {
                    let _ = socket
                        .send(Message::Close(Some(CloseFrame {
                            code,
                            reason: "".into(),
                        })))
                        .await;
                }
                return;
            }
        }
    }
}

/// What the client is told; nothing where the connection itself is gone.
fn code(fault: axum::Error) -> Option<u16> {
    match *fault.into_inner().downcast::<tungstenite::Error>().ok()? {
        tungstenite::Error::Utf8(_) => Some(close_code::INVALID),
        tungstenite::Error::Capacity(_) => Some(close_code::SIZE),
        tungstenite::Error::Protocol(tungstenite::error::ProtocolError::ResetWithoutClosingHandshake) => None,
        tungstenite::Error::Protocol(_) => Some(close_code::PROTOCOL),
        _ => None,
    }
}
