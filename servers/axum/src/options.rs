// SPDX-License-Identifier: MIT
//! The command line. Every error is one sentence.

use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;

pub struct Options {
    pub listen: SocketAddr,
    pub root: PathBuf,
    pub workers: usize,
    /// Bytes that each WebSocket reads into.
    pub read_buffer: usize,
}

pub fn read(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut address = IpAddr::from([127, 0, 0, 1]);
    let mut port = 8080_u16;
    let mut options = Options {
        listen: SocketAddr::new(address, port),
        root: PathBuf::from("."),
        workers: 2,
        read_buffer: 128 * 1024,
    };
    while let Some(name) = words.next() {
        let value = words.next().ok_or_else(|| format!("{name} has no value."))?;
        let wrong = || format!("{name} cannot be {value:?}.");
        match name.as_str() {
            "--address" => address = value.parse().map_err(|_| wrong())?,
            "--port" => port = value.parse().map_err(|_| wrong())?,
            "--root" => options.root = PathBuf::from(&value),
            "--workers" => options.workers = number(&value, 1..=1024).ok_or_else(wrong)?,
            "--read-buffer" => options.read_buffer = number(&value, 1024..=1 << 20).ok_or_else(wrong)?,
            _ => {
                return Err(format!(
                    "{name} is not known; there are --address, --port, --root, --workers and --read-buffer."
                ));
            }
        }
    }
    options.listen = SocketAddr::new(address, port);
    Ok(options)
}

fn number(text: &str, range: RangeInclusive<usize>) -> Option<usize> {
    text.parse().ok().filter(|number| range.contains(number))
}
