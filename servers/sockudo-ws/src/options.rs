// SPDX-License-Identifier: MIT
//! The command line. Every error is one sentence.

use std::net::{IpAddr, SocketAddr};

pub struct Options {
    pub listen: SocketAddr,
    pub workers: usize,
}

pub fn read(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut address = IpAddr::from([127, 0, 0, 1]);
    let mut port = 8080_u16;
    let mut options = Options {
        listen: SocketAddr::new(address, port),
        workers: 2,
    };
    while let Some(name) = words.next() {
        let value = words.next().ok_or_else(|| format!("{name} has no value."))?;
        let wrong = || format!("{name} cannot be {value:?}.");
        match name.as_str() {
            "--address" => address = value.parse().map_err(|_| wrong())?,
            "--port" => port = value.parse().map_err(|_| wrong())?,
            "--workers" => {
                options.workers = value
                    .parse()
                    .ok()
                    .filter(|n| (1..=1024).contains(n))
                    .ok_or_else(wrong)?
            }
            _ => {
                return Err(format!(
                    "{name} is not known; there are --address, --port and --workers."
                ));
            }
        }
    }
    options.listen = SocketAddr::new(address, port);
    Ok(options)
}
