//! HTTP by hyper: one request at a time on a connection.

use bytes::Bytes;
use http::{Method, Request as HttpRequest};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;

use super::super::plan::{LoadPlan, PlannedRequest};
use super::super::tally::LoadFault;
use super::stream::{Received, Stream};
use super::{RETRY, ThreadState};
use crate::workload::payload::content_type;

pub type Sender = SendRequest<Full<Bytes>>;

pub async fn open(plan: &LoadPlan, received: &Received) -> Option<Sender> {
    let stream = Stream::open(plan, received).await?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await.ok()?;
    tokio::task::spawn_local(async move {
        let _ = connection.await;
    });
    Some(sender)
}

pub async fn load(thread: &ThreadState<'_>, number: u64, first: Option<Sender>) {
    let plan = thread.plan;
    let bodies: Vec<Bytes> = plan
        .requests
        .iter()
        .map(|r| Bytes::copy_from_slice(&r.bytes[r.body_at..]))
        .collect();
    let (mut sender, mut sent, mut responses) = (first, number, 0);
    if sender.is_some() {
        thread.connected();
    }
    while plan.keep_alive && sender.is_none() && !thread.is_over() {
        sender = again(thread).await;
    }
    while let Some(due_ns) = thread.next().await {
        let which = (sent % plan.requests.len() as u64) as usize;
        sent += 1;
        let exchange = async {
            if sender.as_ref().is_none_or(|s| s.is_closed()) {
                let fresh = open(plan, &thread.received).await.ok_or(LoadFault::Connect)?;
                thread.connected();
                responses = 0;
                sender = Some(fresh);
            }
            let sender = sender.as_mut().ok_or(LoadFault::Connect)?;
            let got = exchange(
                thread,
                sender,
                &plan.requests[which],
                bodies[which].clone(),
                responses,
                due_ns,
            )
            .await;
            responses += 1;
            got
        };
        let ended = tokio::time::timeout(thread.timeout(), exchange).await;
        match ended.unwrap_or(Err(LoadFault::Timeout)) {
            Ok(closes) => {
                if closes || !plan.keep_alive {
                    sender = None;
                }
            }
            Err(fault) => {
                thread.fault(fault);
                sender = None;
                if fault == LoadFault::Connect {
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    }
}

async fn again(thread: &ThreadState<'_>) -> Option<Sender> {
    let sender = open(thread.plan, &thread.received).await;
    match &sender {
        Some(_) => thread.connected(),
        None => {
            thread.fault(LoadFault::Connect);
            tokio::time::sleep(RETRY).await;
        }
    }
    sender
}

/// Returns whether the connection ends with this response.
async fn exchange(
    thread: &ThreadState<'_>,
    sender: &mut Sender,
    request: &PlannedRequest,
    body: Bytes,
    nth: u64,
    due_ns: u64,
) -> Result<bool, LoadFault> {
    let plan = thread.plan;
    let mut head = HttpRequest::builder()
        .uri(&plan.job.scenario.path)
        .header("host", plan.job.address.to_string());
    if let Some(content_type) = content_type(&plan.job.scenario) {
        head = head.method(Method::POST).header("content-type", content_type);
    }
    if !plan.keep_alive {
        head = head.header("connection", "close");
    }
    let http_request = head.body(Full::new(body)).map_err(|_| LoadFault::Other)?;
    let fault = |e: hyper::Error| {
        if e.is_parse() {
            LoadFault::Other
        } else {
            LoadFault::Read
        }
    };
    let mut response = sender.send_request(http_request).await.map_err(fault)?;
    let first_ns = thread.shared.now_ns();
    let status = response.status().as_u16();
    let success = (200..300).contains(&status);
    let says = |word: &[u8]| {
        let header = response.headers().get_all("connection").iter();
        let mut words = header.flat_map(|v| v.as_bytes().split(|b| *b == b','));
        words.any(|w| w.trim_ascii().eq_ignore_ascii_case(word))
    };
    let closes = says(b"close") || (response.version() == http::Version::HTTP_10 && !says(b"keep-alive"));
    let compared = request.compared(nth).filter(|_| success);
    let (mut at, mut wrong) = (0, false);
    while let Some(frame) = response.body_mut().frame().await {
        if let Ok(bytes) = frame.map_err(fault)?.into_data() {
            wrong |= compared.is_some_and(|expected| expected.get(at..at + bytes.len()) != Some(&bytes[..]));
            at += bytes.len();
        }
    }
    let until_ns = if plan.first_byte {
        first_ns
    } else {
        thread.shared.now_ns()
    };
    let fault = match (success, at as u64 == request.length) {
        (true, false) => Some(LoadFault::Length),
        (true, true) if wrong => Some(LoadFault::Content),
        _ => None,
    };
    thread.completed(due_ns, until_ns, Some(status), fault);
    Ok(closes)
}
