//! HTTP by hyper: one request at a time on a connection.

use bytes::Bytes;
use http::{Method, Request as HttpRequest};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;

use super::super::plan::{Plan, Request};
use super::super::tally::Fault;
use super::stream::{Received, Stream};
use super::{Desk, RETRY};
use crate::workload::payload::content_type;

pub type Sender = SendRequest<Full<Bytes>>;

pub async fn open(plan: &Plan, received: &Received) -> Option<Sender> {
    let stream = Stream::open(plan, received).await?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await.ok()?;
    tokio::task::spawn_local(async move {
        let _ = connection.await;
    });
    Some(sender)
}

pub async fn load(desk: &Desk<'_>, number: u64, first: Option<Sender>) {
    let plan = desk.plan;
    let bodies: Vec<Bytes> = plan
        .requests
        .iter()
        .map(|r| Bytes::copy_from_slice(&r.bytes[r.body_at..]))
        .collect();
    let (mut sender, mut sent, mut answers) = (first, number, 0);
    if sender.is_some() {
        desk.connected();
    }
    while plan.keep_alive && sender.is_none() && !desk.is_over() {
        sender = again(desk).await;
    }
    while let Some(due_ns) = desk.next().await {
        let which = (sent % plan.requests.len() as u64) as usize;
        sent += 1;
        let exchange = async {
            if sender.as_ref().is_none_or(|s| s.is_closed()) {
                let fresh = open(plan, &desk.received).await.ok_or(Fault::Connect)?;
                desk.connected();
                answers = 0;
                sender = Some(fresh);
            }
            let sender = sender.as_mut().ok_or(Fault::Connect)?;
            let got = exchange(
                desk,
                sender,
                &plan.requests[which],
                bodies[which].clone(),
                answers,
                due_ns,
            )
            .await;
            answers += 1;
            got
        };
        let ended = tokio::time::timeout(desk.timeout(), exchange).await;
        match ended.unwrap_or(Err(Fault::Timeout)) {
            Ok(closes) => {
                if closes || !plan.keep_alive {
                    sender = None;
                }
            }
            Err(fault) => {
                desk.fault(fault);
                sender = None;
                if fault == Fault::Connect {
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    }
}

async fn again(desk: &Desk<'_>) -> Option<Sender> {
    let sender = open(desk.plan, &desk.received).await;
    match &sender {
        Some(_) => desk.connected(),
        None => {
            desk.fault(Fault::Connect);
            tokio::time::sleep(RETRY).await;
        }
    }
    sender
}

/// Does the connection end with this answer?
async fn exchange(
    desk: &Desk<'_>,
    sender: &mut Sender,
    request: &Request,
    body: Bytes,
    nth: u64,
    due_ns: u64,
) -> Result<bool, Fault> {
    let plan = desk.plan;
    let mut asked = HttpRequest::builder()
        .uri(&plan.job.scenario.path)
        .header("host", plan.job.address.to_string());
    if let Some(content_type) = content_type(&plan.job.scenario) {
        asked = asked.method(Method::POST).header("content-type", content_type);
    }
    if !plan.keep_alive {
        asked = asked.header("connection", "close");
    }
    let asked = asked.body(Full::new(body)).map_err(|_| Fault::Other)?;
    let fault = |e: hyper::Error| if e.is_parse() { Fault::Other } else { Fault::Read };
    let mut response = sender.send_request(asked).await.map_err(fault)?;
    let first_ns = desk.shared.now_ns();
    let status = response.status().as_u16();
    let success = (200..300).contains(&status);
    let says = |word: &[u8]| {
        let said = response.headers().get_all("connection").iter();
        let mut words = said.flat_map(|v| v.as_bytes().split(|b| *b == b','));
        words.any(|w| w.trim_ascii().eq_ignore_ascii_case(word))
    };
    let closes = says(b"close") || (response.version() == http::Version::HTTP_10 && !says(b"keep-alive"));
    let compared = request.compared(nth).filter(|_| success);
    let (mut at, mut wrong) = (0, false);
    while let Some(frame) = response.body_mut().frame().await {
        if let Ok(bytes) = frame.map_err(fault)?.into_data() {
            wrong |= compared.is_some_and(|answer| answer.get(at..at + bytes.len()) != Some(&bytes[..]));
            at += bytes.len();
        }
    }
    let until_ns = if plan.first_byte {
        first_ns
    } else {
        desk.shared.now_ns()
    };
    let fault = match (success, at as u64 == request.length) {
        (true, false) => Some(Fault::Length),
        (true, true) if wrong => Some(Fault::Content),
        _ => None,
    };
    desk.answered(due_ns, until_ns, Some(status), fault);
    Ok(closes)
}
