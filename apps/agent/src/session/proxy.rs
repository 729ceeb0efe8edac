//! Which HTTP proxy leads to the web app: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in capitals or not.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use http::{HeaderValue, StatusCode, Uri};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use thiserror::Error;

use super::loopback::is_loopback;

/// Shown as its address alone, without the name and the password in it.
#[derive(Clone)]
pub struct Proxy {
    found: Arc<Intercept>,
    variable: &'static str,
}

/// Each is a sentence that names the proxy and what to do.
#[derive(Debug, Error)]
pub enum ProxyError {
    #[error(
        "{0} is not the address of an HTTP proxy; it looks like http://proxy.example.com:3128 or \
         http://USER:PASSWORD@proxy.example.com:3128, with special characters of the password as %40."
    )]
    Address(&'static str),
    #[error("The proxy {proxy} cannot be reached ({why}); check {} and that the proxy runs.", proxy.variable)]
    Unreachable { proxy: Proxy, why: String },
    #[error("The proxy {proxy} did not respond within {seconds} s; check {} and that the proxy works.", proxy.variable)]
    Silent { proxy: Proxy, seconds: u64 },
    #[error(
        "The proxy {proxy} wants a user name and a password; set {} to {}://USER:PASSWORD@{}.",
        proxy.variable, proxy.uri().scheme_str().unwrap_or("http"), proxy.uri().authority().map_or("", |a| a.as_str())
    )]
    Credentials { proxy: Proxy },
    #[error("The proxy {proxy} does not accept the user name and the password in {}; correct them.", proxy.variable)]
    Rejected { proxy: Proxy },
    #[error(
        "The proxy {proxy} does not connect to {to} (HTTP {status}); ask its owner to allow the address, or name it in \
         NO_PROXY if this host reaches it directly."
    )]
    Refused {
        proxy: Proxy,
        to: String,
        status: StatusCode,
    },
}

impl Proxy {
    /// None where the app is reached directly. Loopback always is.
    pub fn towards(app: &Uri, variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, ProxyError> {
        let host = app.host().unwrap_or_default();
        let names = match app.scheme_str() {
            Some("http") => ["HTTP_PROXY", "http_proxy"],
            _ => ["HTTPS_PROXY", "https_proxy"],
        };
        let set = |name| variable(name).filter(|value| !value.trim().is_empty());
        let Some((name, value)) = names.into_iter().find_map(|name| Some((name, set(name)?))) else {
            return Ok(None);
        };
        let except = ["NO_PROXY", "no_proxy"].into_iter().find_map(set).unwrap_or_default();
        if is_loopback(host) || is_excepted(app, &except) {
            return Ok(None);
        }
        let found = Matcher::builder().all(value.trim()).build().intercept(app);
        let usable = |found: &Intercept| {
            let (scheme, authority) = (found.uri().scheme_str(), found.uri().authority());
            matches!(scheme, Some("http" | "https")) && authority.is_some_and(|a| !a.as_str().contains('@'))
        };
        match found.filter(usable) {
            Some(found) => Ok(Some(Self {
                found: Arc::new(found),
                variable: name,
            })),
            None => Err(ProxyError::Address(name)),
        }
    }

    pub fn uri(&self) -> &Uri {
        self.found.uri()
    }

    pub fn authorization(&self) -> Option<&HeaderValue> {
        self.found.basic_auth()
    }

    /// What a status of the proxy's own means.
    pub fn refusal(&self, status: StatusCode, to: String) -> ProxyError {
        let proxy = self.clone();
        match (status, self.authorization()) {
            (StatusCode::PROXY_AUTHENTICATION_REQUIRED, None) => ProxyError::Credentials { proxy },
            (StatusCode::PROXY_AUTHENTICATION_REQUIRED, Some(_)) => ProxyError::Rejected { proxy },
            _ => ProxyError::Refused { proxy, to, status },
        }
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let authority = self.uri().authority().map_or("", |a| a.as_str());
        write!(f, "{}://{authority}", self.uri().scheme_str().unwrap_or("http"))
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The matcher knows hosts, domains, addresses, networks and `*`. Ports, `*.example.com` and `[::1]` are translated.
fn is_excepted(app: &Uri, list: &str) -> bool {
    let port = port_of(app);
    let known = list
        .split([',', ' ', '\t'])
        .filter_map(|entry| without_port(entry, port))
        .collect::<Vec<_>>()
        .join(",");
    Matcher::builder()
        .all("http://any")
        .no(known)
        .build()
        .intercept(app)
        .is_none()
}

/// None for another port than the app's.
fn without_port(entry: &str, port: u16) -> Option<&str> {
    let entry = entry
        .strip_prefix('*')
        .filter(|rest| rest.starts_with('.'))
        .unwrap_or(entry);
    let (host, wanted) = match entry.rsplit_once(':') {
        Some((host, digits)) if entry.parse::<IpAddr>().is_err() && !entry.contains('/') && !digits.ends_with(']') => {
            (host, Some(digits))
        }
        _ => (entry, None),
    };
    let same = wanted.is_none_or(|digits| digits.parse() == Ok(port));
    same.then(|| host.trim_start_matches('[').trim_end_matches(']'))
}

pub fn port_of(uri: &Uri) -> u16 {
    uri.port_u16()
        .unwrap_or(if uri.scheme_str() == Some("http") { 80 } else { 443 })
}

#[cfg(test)]
#[path = "proxy_tests.rs"]
mod tests;
