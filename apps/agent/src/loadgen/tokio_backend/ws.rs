//! WebSocket by tungstenite: so many messages under way, then one out for each that comes back.

use std::collections::VecDeque;

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::super::frame::TEXT;
use super::super::message::MessageKind;
use super::super::plan::LoadPlan;
use super::super::tally::LoadFault;
use super::stream::{Received, Stream};
use super::thread::{RETRY, ThreadState};

pub type Socket = WebSocketStream<Stream>;

pub async fn open(plan: &LoadPlan, received: &Received) -> Option<Socket> {
    let stream = Stream::open(plan, received).await?;
    let url = format!("ws://{}{}", plan.job.address, plan.job.scenario.path);
    Some(tokio_tungstenite::client_async(url, stream).await.ok()?.0)
}

/// Hands the socket back where its share is sent before the load is over, so that it stays open until then.
pub async fn load(thread: &ThreadState<'_>, number: u64, first: Option<Socket>) -> Option<Socket> {
    let plan = thread.plan;
    let kind = plan.message.as_ref()?;
    let share = plan.share_of(number);
    let (mut socket, mut sent) = (first, 0);
    if socket.is_some() {
        thread.connected();
    }
    while !thread.is_over() {
        let Some(mut live) = socket.take() else {
            socket = open(plan, &thread.received).await;
            if socket.is_some() {
                thread.connected();
            } else {
                thread.fault(LoadFault::Connect);
                tokio::time::sleep(RETRY).await;
            }
            continue;
        };
        let mut waiting = VecDeque::new();
        if let Err(fault) = talk(thread, kind, number, share, &mut live, &mut sent, &mut waiting).await {
            waiting.iter().for_each(|_| thread.fault(fault));
        } else if share.is_some_and(|share| sent >= share) {
            return Some(live);
        }
    }
    None
}

/// Sends until the load is over or the connection is lost; then `waiting` holds the messages without an echo.
async fn talk(
    thread: &ThreadState<'_>,
    kind: &MessageKind,
    number: u64,
    share: Option<u64>,
    socket: &mut Socket,
    sent: &mut u64,
    waiting: &mut VecDeque<(u64, u64)>,
) -> Result<(), LoadFault> {
    loop {
        while waiting.len() < thread.plan.in_flight && share.is_none_or(|share| *sent < share) {
            // With a message under way, its echo is read before the task waits for the next due time.
            let next = if waiting.is_empty() {
                thread.next().await
            } else {
                thread.try_next()
            };
            let Some(due_ns) = next else { break };
            waiting.push_back((due_ns, *sent));
            let message = message(kind, number, *sent);
            *sent += 1;
            socket.send(message).await.map_err(|_| LoadFault::Write)?;
        }
        let Some(&(due_ns, nth)) = waiting.front() else {
            return Ok(());
        };
        let bytes = loop {
            let got = tokio::time::timeout(thread.timeout(), socket.next()).await;
            match got.map_err(|_| LoadFault::Timeout)? {
                Some(Ok(Message::Text(text))) => break (true, bytes::Bytes::from(text)),
                Some(Ok(Message::Binary(bytes))) => break (false, bytes),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Err(Error::Protocol(_) | Error::Utf8(_) | Error::Capacity(_))) => return Err(LoadFault::Other),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(LoadFault::Read),
            }
        };
        waiting.pop_front();
        let head = kind.head(number, nth);
        let fault = if bytes.1.len() != kind.length(&head) {
            Some(LoadFault::Length)
        } else if bytes.0 != (kind.opcode() == TEXT) || !kind.is(&head, 0, &bytes.1) {
            Some(LoadFault::Content)
        } else {
            None
        };
        thread.completed(due_ns, thread.shared.now_ns(), None, fault);
        if fault.is_some() && thread.plan.in_flight > 1 {
            return Err(LoadFault::Other);
        }
    }
}

fn message(kind: &MessageKind, connection: u64, number: u64) -> Message {
    let head = kind.head(connection, number);
    let bytes = [head.as_slice(), kind.tail(&head)].concat();
    match String::from_utf8(bytes) {
        Ok(text) if kind.opcode() == TEXT => Message::text(text),
        Ok(text) => Message::binary(text.into_bytes()),
        Err(e) => Message::binary(e.into_bytes()),
    }
}
