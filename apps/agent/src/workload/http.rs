//! Requests of somebody's own scenario as they are sent, and in which order.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::protocol::http::HttpRequest;
use crate::splitmix::SplitMix64;

/// Places of an order. Up to so many the shares are exact.
const MOST_PLACES: usize = 4096;

/// Empty without one.
pub fn body(request: &HttpRequest) -> Vec<u8> {
    match (&request.body, &request.body_base64) {
        (Some(text), _) => text.clone().into_bytes(),
        // It was decoded once when the scenario was read.
        (None, Some(base64)) => STANDARD.decode(base64).unwrap_or_default(),
        (None, None) => Vec::new(),
    }
}

pub fn has_body(request: &HttpRequest) -> bool {
    request.body.is_some() || request.body_base64.is_some()
}

/// An HTTP/1.1 request as loadgen and wrk send it, and where its body begins.
pub fn bytes(request: &HttpRequest, host: &str, keep_alive: bool) -> (Vec<u8>, usize) {
    let mut text = format!(
        "{} {} HTTP/1.1\r\nHost: {host}\r\n",
        request.method.as_str(),
        request.path
    );
    for (name, value) in &request.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    let body = body(request);
    if has_body(request) {
        text.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    if !keep_alive {
        text.push_str("Connection: close\r\n");
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    let body_at = bytes.len();
    bytes.extend(body);
    (bytes, body_at)
}

/// Which request comes after which: each as often as its weight says, at most `most` places, shuffled by the seed. Senders go
/// round it, each from a place of its own.
pub fn order(requests: &[HttpRequest], seed: u64, most: usize) -> Vec<u32> {
    let most = most.clamp(requests.len().max(1), MOST_PLACES);
    let total: usize = requests.iter().map(|r| r.weight as usize).sum();
    let mut places = Vec::new();
    for (index, request) in requests.iter().enumerate() {
        let weight = request.weight as usize;
        let count = match total <= most {
            // Several rounds, where there is room, are less regular.
            true => weight * (most / total).clamp(1, 16),
            false => (weight * most / total).max(1),
        };
        places.extend(std::iter::repeat_n(index as u32, count));
    }
    SplitMix64::new(seed).shuffle(&mut places);
    places
}

/// One by weight.
pub fn draw(requests: &[HttpRequest], rng: &mut SplitMix64) -> usize {
    let total: u64 = requests.iter().map(|r| u64::from(r.weight)).sum();
    let mut drawn = rng.below(total.max(1));
    for (index, request) in requests.iter().enumerate() {
        match drawn.checked_sub(u64::from(request.weight)) {
            Some(left) => drawn = left,
            None => return index,
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn requests(weights: &[u32]) -> Vec<HttpRequest> {
        let one = |weight: &u32| json!({ "weight": weight, "method": "GET", "path": "/" });
        let all: Vec<_> = weights.iter().map(one).collect();
        serde_json::from_value(all.into()).unwrap()
    }

    fn shares(places: &[u32], of: u32) -> f64 {
        places.iter().filter(|p| **p == of).count() as f64 / places.len() as f64
    }

    #[test]
    fn an_order_has_each_request_as_often_as_its_weight_says() {
        let places = order(&requests(&[9, 1]), 7, 1000);
        assert_eq!(shares(&places, 0), 0.9);
        assert_eq!(places, order(&requests(&[9, 1]), 7, 1000));
        assert_ne!(places, order(&requests(&[9, 1]), 8, 1000));
        // Nothing is left out, however light it is.
        let many: Vec<u32> = (0..63).map(|_| 1000).chain([1]).collect();
        let places = order(&requests(&many), 1, 256);
        assert!(
            places.len() <= 256 + 64 && (0..64).all(|n| places.contains(&n)),
            "{places:?}"
        );
        assert_eq!(order(&requests(&[5]), 1, 1000).first(), Some(&0));
    }

    #[test]
    fn draws_follow_the_weights() {
        let (all, mut rng) = (requests(&[900, 100]), SplitMix64::new(1));
        let second = (0..10_000).filter(|_| draw(&all, &mut rng) == 1).count();
        assert!((800..1200).contains(&second), "{second}");
    }

    #[test]
    fn a_request_is_framed_once() {
        let request: HttpRequest = serde_json::from_value(json!({
            "weight": 1, "method": "PUT", "path": "/a?b=1", "headers": { "content-type": "text/plain" }, "body": "hällo",
        }))
        .unwrap();
        let (bytes, at) = bytes(&request, "127.0.0.1:1", false);
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert_eq!(
            text,
            "PUT /a?b=1 HTTP/1.1\r\nHost: 127.0.0.1:1\r\ncontent-type: text/plain\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhällo"
        );
        assert_eq!(&bytes[at..], "hällo".as_bytes());
    }
}
