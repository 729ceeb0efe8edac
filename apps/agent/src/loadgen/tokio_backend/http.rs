//! HTTP by hyper: one request at a time on a connection.

use bytes::Bytes;
use http::{Method, Request as HttpRequest};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;

use super::super::plan::LoadPlan;
use super::super::tally::LoadFault;
use super::stream::{Received, Stream};
use super::thread::{RETRY, ThreadState};
use crate::workload::connection;
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
    let (mut sender, mut sent, mut responses) = (first, 0, 0);
    if sender.is_some() {
        thread.connected();
    }
    while plan.keep_alive && sender.is_none() && !thread.is_over() {
        sender = again(thread).await;
    }
    while let Some(due_ns) = thread.next().await {
        let which = plan.request_of(number, sent) as usize;
        sent += 1;
        let exchange = async {
            if sender.as_ref().is_none_or(|s| s.is_closed()) {
                let fresh = open(plan, &thread.received).await.ok_or(LoadFault::Connect)?;
                thread.connected();
                responses = 0;
                sender = Some(fresh);
            }
            let sender = sender.as_mut().ok_or(LoadFault::Connect)?;
            let got = exchange(thread, sender, which, bodies[which].clone(), responses, due_ns).await;
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

fn head(plan: &LoadPlan, which: usize) -> http::request::Builder {
    let scenario = &plan.job.scenario;
    let mut head = HttpRequest::builder();
    if let Some(own) = scenario.http.as_ref().and_then(|http| http.requests.get(which)) {
        head = head
            .method(own.method.as_str())
            .uri(&own.path)
            .header("host", plan.job.address.to_string());
        for (name, value) in &own.headers {
            head = head.header(name, value);
        }
    } else {
        head = head.uri(&scenario.path).header("host", plan.job.address.to_string());
        if let Some(content_type) = content_type(scenario) {
            head = head.method(Method::POST).header("content-type", content_type);
        }
    }
    if plan.keep_alive {
        return head;
    }
    head.header("connection", "close")
}

/// Returns whether the connection ends with this response.
async fn exchange(
    thread: &ThreadState<'_>,
    sender: &mut Sender,
    which: usize,
    body: Bytes,
    nth: u64,
    due_ns: u64,
) -> Result<bool, LoadFault> {
    let plan = thread.plan;
    let request = &plan.requests[which];
    let http_request = head(plan, which).body(Full::new(body)).map_err(|_| LoadFault::Other)?;
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
    let says = |word: &str| {
        let mut headers = response.headers().get_all("connection").iter();
        headers.any(|value| connection::says(value.as_bytes(), word))
    };
    let closes = says("close") || (response.version() == http::Version::HTTP_10 && !says("keep-alive"));
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
    let fault = match (success, request.length.is_none_or(|length| length == at as u64)) {
        (true, false) => Some(LoadFault::Length),
        (true, true) if wrong => Some(LoadFault::Content),
        _ => None,
    };
    thread.completed(due_ns, until_ns, Some(status), fault);
    Ok(closes)
}
