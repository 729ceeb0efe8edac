// SPDX-License-Identifier: MIT
//! The command line. Every error is one sentence.

use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

pub struct Options {
    pub listen: SocketAddr,
    pub root: PathBuf,
    pub workers: usize,
    /// Bytes that each WebSocket reads into.
    pub read_buffer: usize,
}

pub fn read(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut address = IpAddr::from([127, 0, 0, 1]);
    let mut port = 8080;
    let mut root = None;
    let mut workers = 2;
    let mut read_buffer = 128 * 1024;
    while let Some(name) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{name} has no value."));
        match name.as_str() {
            "--address" => address = parsed(&name, &value()?)?,
            "--port" => port = parsed(&name, &value()?)?,
            "--root" => root = Some(PathBuf::from(value()?)),
            "--workers" => workers = number(&name, &value()?, 1..=1024)?,
            "--read-buffer" => read_buffer = number(&name, &value()?, 1024..=1 << 20)?,
            _ => {
                return Err(format!(
                    "{name} is not known; there are --address, --port, --root, --workers and --read-buffer."
                ));
            }
        }
    }
    Ok(Options {
        listen: SocketAddr::new(address, port),
        root: root.ok_or("--root is needed: the folder whose files are served.")?,
        workers,
        read_buffer,
    })
}

fn parsed<T: FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{name} cannot be {text:?}."))
}

fn number(name: &str, text: &str, range: RangeInclusive<usize>) -> Result<usize, String> {
    let number = parsed(name, text)?;
    if range.contains(&number) {
        return Ok(number);
    }
    Err(format!(
        "{name} must be a number from {} to {}, and not {number}.",
        range.start(),
        range.end()
    ))
}
