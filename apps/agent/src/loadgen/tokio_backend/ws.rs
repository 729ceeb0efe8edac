//! WebSocket by tungstenite: so many messages under way, then one out for each that comes back.

use std::collections::VecDeque;

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::super::frame::TEXT;
use super::super::message::Kind;
use super::super::plan::Plan;
use super::super::tally::Fault;
use super::stream::{Received, Stream};
use super::{Desk, RETRY};

pub type Socket = WebSocketStream<Stream>;

pub async fn open(plan: &Plan, received: &Received) -> Option<Socket> {
    let stream = Stream::open(plan, received).await?;
    let url = format!("ws://{}{}", plan.job.address, plan.job.scenario.path);
    Some(tokio_tungstenite::client_async(url, stream).await.ok()?.0)
}

/// Hands the socket back where its share is sent before the load is over, so that it stays open until then.
pub async fn load(desk: &Desk<'_>, number: u64, first: Option<Socket>) -> Option<Socket> {
    let plan = desk.plan;
    let kind = plan.message.as_ref()?;
    let share = plan.share_of(number);
    let (mut socket, mut sent) = (first, 0);
    if socket.is_some() {
        desk.connected();
    }
    while !desk.is_over() {
        let Some(mut live) = socket.take() else {
            socket = open(plan, &desk.received).await;
            if socket.is_some() {
                desk.connected();
            } else {
                desk.fault(Fault::Connect);
                tokio::time::sleep(RETRY).await;
            }
            continue;
        };
        let mut waiting = VecDeque::new();
        if let Err(fault) = talk(desk, kind, number, share, &mut live, &mut sent, &mut waiting).await {
            waiting.iter().for_each(|_| desk.fault(fault));
        } else if share.is_some_and(|share| sent >= share) {
            return Some(live);
        }
    }
    None
}

/// Until the load is over or the connection is of no use any more; then `waiting` has no answer.
async fn talk(
    desk: &Desk<'_>,
    kind: &Kind,
    number: u64,
    share: Option<u64>,
    socket: &mut Socket,
    sent: &mut u64,
    waiting: &mut VecDeque<(u64, u64)>,
) -> Result<(), Fault> {
    loop {
        while waiting.len() < desk.plan.in_flight && share.is_none_or(|share| *sent < share) {
            // With something under way, its echo comes before the next moment does.
            let next = if waiting.is_empty() {
                desk.next().await
            } else {
                desk.try_next()
            };
            let Some(due_ns) = next else { break };
            waiting.push_back((due_ns, *sent));
            let message = message(kind, number, *sent);
            *sent += 1;
            socket.send(message).await.map_err(|_| Fault::Write)?;
        }
        let Some(&(due_ns, nth)) = waiting.front() else {
            return Ok(());
        };
        let bytes = loop {
            let got = tokio::time::timeout(desk.timeout(), socket.next()).await;
            match got.map_err(|_| Fault::Timeout)? {
                Some(Ok(Message::Text(text))) => break (true, bytes::Bytes::from(text)),
                Some(Ok(Message::Binary(bytes))) => break (false, bytes),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Err(Error::Protocol(_) | Error::Utf8(_) | Error::Capacity(_))) => return Err(Fault::Other),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Fault::Read),
            }
        };
        waiting.pop_front();
        let head = kind.head(number, nth);
        let fault = if bytes.1.len() != kind.length(&head) {
            Some(Fault::Length)
        } else if bytes.0 != (kind.opcode() == TEXT) || !kind.is(&head, 0, &bytes.1) {
            Some(Fault::Content)
        } else {
            None
        };
        desk.answered(due_ns, desk.shared.now_ns(), None, fault);
        if fault.is_some() && desk.plan.in_flight > 1 {
            return Err(Fault::Other);
        }
    }
}

fn message(kind: &Kind, connection: u64, number: u64) -> Message {
    let head = kind.head(connection, number);
    let bytes = [head.as_slice(), kind.tail(&head)].concat();
    match String::from_utf8(bytes) {
        Ok(text) if kind.opcode() == TEXT => Message::text(text),
        Ok(text) => Message::binary(text.into_bytes()),
        Err(e) => Message::binary(e.into_bytes()),
    }
}
