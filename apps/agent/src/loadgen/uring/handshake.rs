//! The request that turns a connection into a WebSocket. `verify` proves the accept key; here only the status counts.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::plan::LoadPlan;
use crate::splitmix::SplitMix64;

pub fn ask(to: &mut Vec<u8>, plan: &LoadPlan, connection: u64) {
    let mut rng = SplitMix64::new(plan.job.seed.wrapping_add(connection));
    let nonce = [rng.next_u64().to_le_bytes(), rng.next_u64().to_le_bytes()].concat();
    let text = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: {}\r\n\r\n",
        plan.job.scenario.path,
        plan.job.address,
        STANDARD.encode(nonce)
    );
    to.extend_from_slice(text.as_bytes());
}
