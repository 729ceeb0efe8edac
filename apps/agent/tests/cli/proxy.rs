//! The real program enrolls through a small HTTP proxy on loopback. Only the proxy knows where `app.test` is.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use crate::support::{Ran, rigmark};
use bytes::Bytes;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

const ENROLLED: &str =
    r#"{"host_id":"0198b7a6-0000-7000-8000-000000000001","host_name":"pi","host_url":"https://app.test/hosts/pi"}"#;

/// An app that enrolls whoever asks, with the certificate in `dir/authority.pem` if it speaks TLS.
async fn app(tls: Option<&Path>) -> u16 {
    let acceptor = tls.map(|dir| {
        let made = rcgen::generate_simple_self_signed(["app.test".to_owned()]).unwrap();
        std::fs::write(dir.join("authority.pem"), made.cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        TlsAcceptor::from(Arc::new(config))
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                match acceptor {
                    None => enroll(socket).await,
                    Some(acceptor) => {
                        if let Ok(socket) = acceptor.accept(socket).await {
                            enroll(socket).await;
                        }
                    }
                }
            });
        }
    });
    port
}

async fn enroll(socket: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
    let service =
        service_fn(async |_: Request<_>| Ok::<_, hyper::Error>(Response::new(Full::new(Bytes::from(ENROLLED)))));
    let http = hyper::server::conn::http1::Builder::new();
    let _ = http.serve_connection(TokioIo::new(socket), service).await;
}

struct Proxy {
    address: String,
    /// The first request of each connection, with its headers.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// Leads to the app at `port`, or responds with `refusal`.
    async fn start(port: u16, refusal: Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = asked.clone();
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(socket, port, refusal, heard.clone()));
            }
        });
        Self { address, asked }
    }

    fn first(&self) -> String {
        self.asked.lock().unwrap().first().cloned().unwrap_or_default()
    }
}

async fn serve(mut socket: TcpStream, port: u16, refusal: Option<&str>, heard: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.windows(4).any(|w| w == b"\r\n\r\n") {
        match socket.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    heard.lock().unwrap().push(head.clone());
    if let Some(status) = refusal {
        let response = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        let _ = socket.write_all(response.as_bytes()).await;
        return;
    }
    let mut app = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    if head.starts_with("CONNECT ") {
        socket
            .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
            .await
            .unwrap();
    } else {
        app.write_all(head.as_bytes()).await.unwrap();
    }
    let _ = copy_bidirectional(&mut socket, &mut app).await;
}

/// Without the proxies and certificates of whoever runs the tests.
fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = rigmark(dir, args);
    command.env("RIGMARK_STATE", dir.join("state"));
    for name in ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command
}

async fn enrolling(dir: &Path, url: &str, variables: &[(&str, &str)]) -> Ran {
    let key = format!("rgme_{}", "k".repeat(43));
    let mut command = command(dir, &["enroll", "--url", url, "--key", &key, "--allow-http"]);
    command.envs(variables.iter().copied());
    tokio::task::spawn_blocking(|| crate::support::ran(command))
        .await
        .unwrap()
}

#[tokio::test]
async fn https_goes_through_a_tunnel_and_trusts_the_named_authority() {
    let dir = tempfile::tempdir().unwrap();
    let proxy = Proxy::start(app(Some(dir.path())).await, None).await;
    let with_password = format!("http://me:s%40cret@{}", proxy.address);
    let authority = dir.path().join("authority.pem").display().to_string();
    for trust in [
        ("SSL_CERT_FILE", authority.as_str()),
        ("SSL_CERT_DIR", dir.path().to_str().unwrap()),
    ] {
        let _ = std::fs::remove_dir_all(dir.path().join("state"));
        let done = enrolling(
            dir.path(),
            "https://app.test",
            &[("HTTPS_PROXY", &with_password), trust],
        )
        .await;
        assert_eq!(done.code, Some(0), "{trust:?}: {}", done.stderr);
    }
    let asked = proxy.first();
    assert!(asked.starts_with("CONNECT app.test:443 HTTP/1.1\r\n"), "{asked}");
    assert!(asked.contains("authorization: Basic bWU6c0BjcmV0\r\n"), "{asked}");

    let stranger = enrolling(dir.path(), "https://app.test", &[("https_proxy", &with_password)]).await;
    assert_eq!(stranger.code, Some(1), "enrolled already");
    std::fs::remove_dir_all(dir.path().join("state")).unwrap();
    let stranger = enrolling(dir.path(), "https://app.test", &[("https_proxy", &with_password)]).await;
    assert_eq!(stranger.code, Some(1));
    assert!(stranger.stderr.contains("SSL_CERT_FILE"), "{}", stranger.stderr);
}

#[tokio::test]
async fn plain_http_is_asked_of_the_proxy() {
    let dir = tempfile::tempdir().unwrap();
    let proxy = Proxy::start(app(None).await, None).await;
    let with_password = format!("http://me:secret@{}", proxy.address);
    let done = enrolling(dir.path(), "http://app.test:8080", &[("HTTP_PROXY", &with_password)]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let asked = proxy.first();
    assert!(
        asked.starts_with("POST http://app.test:8080/api/agent/v1/enroll HTTP/1.1\r\n"),
        "{asked}"
    );
    assert!(asked.contains("proxy-authorization: Basic bWU6c2VjcmV0\r\n"), "{asked}");
}

#[tokio::test]
async fn a_proxy_that_refuses_is_named_without_its_password() {
    for (refusal, url, user, what_to_do) in [
        (
            "407 Proxy Authentication Required",
            "https://app.test",
            "",
            "USER:PASSWORD@",
        ),
        (
            "407 Proxy Authentication Required",
            "http://app.test",
            "",
            "USER:PASSWORD@",
        ),
        (
            "407 Proxy Authentication Required",
            "https://app.test",
            "me:secret@",
            "correct them",
        ),
        (
            "403 Forbidden",
            "https://app.test:8443",
            "me:secret@",
            "app.test:8443 (HTTP 403 Forbidden)",
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let proxy = Proxy::start(0, Some(refusal)).await;
        let address = format!("http://{user}{}", proxy.address);
        let variables = [("HTTPS_PROXY", address.as_str()), ("HTTP_PROXY", address.as_str())];
        let done = enrolling(dir.path(), url, &variables).await;
        assert_eq!(done.code, Some(1));
        let named = format!("The proxy http://{} ", proxy.address);
        assert!(
            done.stderr.contains(&named) && done.stderr.contains(what_to_do),
            "{}",
            done.stderr
        );
        assert!(!done.stderr.contains("secret"), "{}", done.stderr);
    }
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    // Bound, so that nobody else is given the port, and nobody listens.
    let bound = tokio::net::TcpSocket::new_v4().unwrap();
    bound.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let free = bound.local_addr().unwrap();
    let address = format!("http://me:secret@{free}");
    let done = enrolling(dir.path(), "https://app.test", &[("HTTPS_PROXY", &address)]).await;
    assert_eq!(done.code, Some(1));
    let named = format!("The proxy http://{free} cannot be reached");
    assert!(
        done.stderr.contains(&named) && !done.stderr.contains("secret"),
        "{}",
        done.stderr
    );
}

#[tokio::test]
async fn loopback_and_no_proxy_are_reached_directly() {
    let dir = tempfile::tempdir().unwrap();
    let proxy = Proxy::start(0, Some("500 No")).await;
    let url = format!("http://127.0.0.1:{}", app(None).await);
    let done = enrolling(dir.path(), &url, &[("HTTP_PROXY", &proxy.address)]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    std::fs::remove_dir_all(dir.path().join("state")).unwrap();
    let variables = [("HTTP_PROXY", proxy.address.as_str()), ("NO_PROXY", "app.invalid")];
    let lost = enrolling(dir.path(), "http://app.invalid", &variables).await;
    assert_eq!(lost.code, Some(1), "nobody has this name");
    assert_eq!(proxy.first(), "", "the proxy was asked");
}
