//! HTTP to the control plane: keep-alive connections, a timeout for each call, bounded responses.

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client as Pool;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;

use super::cause::innermost;
use super::connect::Connector;
use super::event::Failure;
use super::loopback::is_loopback;
use super::proxy::{Proxy, ProxyError};
use super::trust;
use crate::protocol::journal::MESSAGE_CHARS;
use crate::protocol::wire::{ErrorDetail, WireError};
use crate::text::plain;

const CONNECT: Duration = Duration::from_secs(10);
/// Below the five seconds after which Node closes an idle connection: never send into a closing one.
const IDLE: Duration = Duration::from_secs(4);
const RESPONSE_BYTES: usize = 1024 * 1024;
const TOO_LARGE: &str = "A proxy in front of the control plane refused a request as too large (HTTP 413); let it take 3 MiB, in \
     nginx with `client_max_body_size 3m`.";

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("{0:?} is not the address of a web app; it looks like https://rigmark.example.com.")]
    Address(String),
    #[error("{0} is plain HTTP to another machine, which anybody on the way can read; use https, or add --allow-http.")]
    PlainHttp(String),
    #[error("{0}")]
    Trust(String),
    #[error(transparent)]
    Proxy(#[from] ProxyError),
}

/// Where the agent's calls go.
const AGENT: &str = "/api/agent/v1/";

/// One call, ready to be sent.
#[derive(Debug, Clone)]
pub struct Outgoing {
    pub method: Method,
    /// Below `/api/agent/v1/`, or where [`Client::respond`] is told.
    pub path: String,
    pub body: Bytes,
    pub headers: Vec<(&'static str, String)>,
    pub timeout: Duration,
}

pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

pub struct Client {
    pool: Pool<HttpsConnector<Connector>, Full<Bytes>>,
    base: String,
    proxy: Option<Proxy>,
    /// Plain HTTP through a proxy: each request is the proxy's, too.
    forwarded: bool,
}

impl Client {
    pub fn new(url: &str, allow_http: bool) -> Result<Self, ClientError> {
        let base = base_of(url, allow_http)?;
        let app: Uri = base.parse().map_err(|_| ClientError::Address(url.to_owned()))?;
        let proxy = Proxy::towards(&app, |name| std::env::var(name).ok())?;
        let (connector, tls) = connector(proxy.clone(), CONNECT)?;
        let pool = Pool::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(4)
            .build(over(connector, tls));
        let forwarded = proxy.is_some() && app.scheme_str() == Some("http");
        Ok(Self {
            pool,
            base,
            proxy,
            forwarded,
        })
    }

    pub fn proxy(&self) -> Option<&Proxy> {
        self.proxy.as_ref()
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    /// The body of a 2xx answer.
    pub async fn send(&self, call: Outgoing, token: Option<&str>) -> Result<Bytes, Failure> {
        let Response { status, body, .. } = self.respond(AGENT, call, token, RESPONSE_BYTES).await?;
        if status.is_success() {
            Ok(body)
        } else {
            Err(refusal(status, &body))
        }
    }

    /// Whatever is responded to a call below `prefix`, up to so many bytes of it.
    pub async fn respond(
        &self,
        prefix: &str,
        call: Outgoing,
        token: Option<&str>,
        most_bytes: usize,
    ) -> Result<Response, Failure> {
        let seconds = call.timeout.as_secs();
        tokio::time::timeout(call.timeout, self.exchange(prefix, call, token, most_bytes))
            .await
            .unwrap_or_else(|_| Err(self.unanswered(seconds)))
    }

    fn unanswered(&self, seconds: u64) -> Failure {
        match self.proxy.clone().filter(|_| self.forwarded) {
            Some(proxy) => Failure::Proxy(ProxyError::Silent { proxy, seconds }.to_string()),
            None => Failure::Lost(format!("no response within {seconds} s")),
        }
    }

    async fn exchange(
        &self,
        prefix: &str,
        call: Outgoing,
        token: Option<&str>,
        most_bytes: usize,
    ) -> Result<Response, Failure> {
        let lost = |what: String| Failure::Lost(what);
        let mut request = Request::builder()
            .method(call.method)
            .uri(format!("{}{prefix}{}", self.base, call.path))
            .header(header::USER_AGENT, concat!("rigmark/", env!("CARGO_PKG_VERSION")))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json");
        for (name, value) in call.headers {
            request = request.header(name, value);
        }
        if let Some(token) = token {
            let mut value = HeaderValue::try_from(format!("Bearer {token}")).map_err(|e| lost(e.to_string()))?;
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        let proxy = self.proxy.as_ref().filter(|_| self.forwarded);
        if let Some(value) = proxy.and_then(Proxy::authorization) {
            request = request.header(header::PROXY_AUTHORIZATION, value);
        }
        let request = request.body(Full::new(call.body)).map_err(|e| lost(e.to_string()))?;
        let response = self.pool.request(request).await.map_err(|e| failure(&e))?;
        let status = response.status();
        if let Some(proxy) = proxy.filter(|_| status == StatusCode::PROXY_AUTHENTICATION_REQUIRED) {
            return Err(Failure::Proxy(proxy.refusal(status, self.base.clone()).to_string()));
        }
        let headers = response.headers().clone();
        let body = Limited::new(response.into_body(), most_bytes);
        let body = body.collect().await.map_err(|e| lost(e.to_string()))?.to_bytes();
        Ok(Response { status, headers, body })
    }
}

/// An error in the protocol's words, or what a proxy in between said.
fn refusal(status: StatusCode, body: &[u8]) -> Failure {
    match serde_json::from_slice::<WireError>(body) {
        Ok(wire) => Failure::Refused(ErrorDetail {
            message: plain(&wire.error.message, MESSAGE_CHARS),
            ..wire.error
        }),
        // The same bytes again would get the same response.
        Err(_) if status == StatusCode::PAYLOAD_TOO_LARGE => Failure::TooLarge(TOO_LARGE.to_owned()),
        Err(_) => Failure::Lost(format!("HTTP {status}, not in the form of the protocol")),
    }
}

/// And what TLS to the app believes.
pub(super) fn connector(proxy: Option<Proxy>, within: Duration) -> Result<(Connector, ClientConfig), ClientError> {
    let tls = trust::config().map_err(ClientError::Trust)?;
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(within));
    tcp.set_keepalive(Some(Duration::from_secs(30)));
    let connector = Connector {
        tcp: over(tcp.clone(), tls.clone()),
        direct: tcp,
        proxy,
        within,
    };
    Ok((connector, tls))
}

/// TLS on top of `inner`, for https addresses.
fn over<C>(inner: C, tls: ClientConfig) -> HttpsConnector<C> {
    hyper_rustls::HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_or_http()
        .enable_http1()
        .wrap_connector(inner)
}

fn failure(error: &(dyn Error + 'static)) -> Failure {
    use rustls::{CertificateError, Error as Tls};
    let cause = innermost(error);
    if let Some(proxy) = cause.downcast_ref::<ProxyError>() {
        return Failure::Proxy(proxy.to_string());
    }
    match cause.downcast_ref::<Tls>() {
        Some(Tls::InvalidCertificate(CertificateError::UnknownIssuer)) => Failure::Lost(
            "its certificate comes from an authority that this host does not know; add that authority to the system's \
             certificates, or name its PEM file in SSL_CERT_FILE"
                .to_owned(),
        ),
        // musl asks nobody else, and curl, which brought the agent here, may have asked mDNS or a directory.
        _ if cfg!(target_env = "musl") && cause.to_string().contains("lookup address") => Failure::Lost(format!(
            "{cause}; the agent asks /etc/hosts and DNS only, so write a name such as box.local into /etc/hosts, or use \
             the address"
        )),
        _ => Failure::Lost(cause.to_string()),
    }
}

pub fn base_of(url: &str, allow_http: bool) -> Result<String, ClientError> {
    let wrong = || ClientError::Address(url.to_owned());
    let uri: Uri = url.trim().parse().map_err(|_| wrong())?;
    let authority = uri.authority().ok_or_else(wrong)?;
    if uri.query().is_some() || authority.as_str().contains('@') || authority.host().is_empty() {
        return Err(wrong());
    }
    let base = format!("{}://{authority}{}", uri.scheme_str().ok_or_else(wrong)?, uri.path());
    let base = base.trim_end_matches('/').to_owned();
    match uri.scheme_str() {
        Some("https") => Ok(base),
        Some("http") if allow_http || is_loopback(authority.host()) => Ok(base),
        Some("http") => Err(ClientError::PlainHttp(base)),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_goes_to_loopback_only_unless_allowed() {
        for fine in [
            "http://127.0.0.1:3000",
            "http://localhost:3000/",
            "http://[::1]:80",
            "https://a.example/rig/",
        ] {
            assert!(base_of(fine, false).is_ok(), "{fine}");
        }
        assert_eq!(
            base_of("https://a.example/rig/", false).unwrap(),
            "https://a.example/rig"
        );
        assert!(matches!(
            base_of("http://192.168.1.5:3000", false),
            Err(ClientError::PlainHttp(_))
        ));
        // Only looks like loopback.
        assert!(matches!(
            base_of("http://127.0.0.1.example.com", false),
            Err(ClientError::PlainHttp(_))
        ));
        assert!(base_of("http://192.168.1.5:3000", true).is_ok());
        for wrong in [
            "",
            "rigmark.example.com",
            "ftp://x",
            "http://u:p@127.0.0.1",
            "https://x/?a=b",
            "https://",
        ] {
            assert!(matches!(base_of(wrong, true), Err(ClientError::Address(_))), "{wrong}");
        }
    }

    #[test]
    fn an_error_page_of_a_proxy_is_no_answer() {
        assert!(matches!(refusal(StatusCode::BAD_GATEWAY, b"<html>"), Failure::Lost(_)));
        let limit = refusal(StatusCode::PAYLOAD_TOO_LARGE, b"<html>");
        assert!(matches!(limit, Failure::TooLarge(_)), "{limit:?}");
        let ours = br#"{"error":{"code":"revoked","message":"Gone."}}"#;
        assert!(matches!(refusal(StatusCode::FORBIDDEN, ours), Failure::Refused(_)));
    }
}
