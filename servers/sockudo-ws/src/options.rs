// SPDX-License-Identifier: MIT
//! The command line. Every error is one sentence.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

pub struct Options {
    pub listen: SocketAddr,
    pub workers: usize,
}

pub fn read(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut address = IpAddr::from([127, 0, 0, 1]);
    let mut port = 8080;
    let mut workers = 2;
    while let Some(name) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{name} has no value."));
        match name.as_str() {
            "--address" => address = parsed(&name, &value()?)?,
            "--port" => port = parsed(&name, &value()?)?,
            "--workers" => workers = parsed(&name, &value()?)?,
            _ => {
                return Err(format!(
                    "{name} is not known; there are --address, --port and --workers."
                ));
            }
        }
    }
    if !(1..=1024).contains(&workers) {
        return Err(format!("--workers must be a number from 1 to 1024, and not {workers}."));
    }
    Ok(Options {
        listen: SocketAddr::new(address, port),
        workers,
    })
}

fn parsed<T: FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{name} cannot be {text:?}."))
}
