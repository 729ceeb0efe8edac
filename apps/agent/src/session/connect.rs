//! One TCP connection towards the web app, directly or through a proxy. TLS to the app is made on top of it.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{HOST, PROXY_AUTHORIZATION};
use http::{Request, Uri};
use http_body_util::Empty;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use tower_service::Service;

use super::cause::innermost;
use super::proxy::{Proxy, ProxyError, port_of};

type BoxError = Box<dyn Error + Send + Sync>;
type Connecting<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

#[derive(Clone)]
pub struct Connector {
    /// TLS only to a proxy at an https address.
    pub tcp: HttpsConnector<HttpConnector>,
    pub direct: HttpConnector,
    pub proxy: Option<Proxy>,
    /// Until the proxy has connected.
    pub within: Duration,
}

impl Service<Uri> for Connector {
    type Response = AppStream;
    type Error = BoxError;
    type Future = Connecting<AppStream, BoxError>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.direct.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, app: Uri) -> Self::Future {
        let Some(proxy) = self.proxy.clone() else {
            let connecting = self.direct.call(app);
            return Box::pin(async { Ok(AppStream::new(connecting.await?, false)) });
        };
        let connecting = self.tcp.call(proxy.uri().clone());
        let within = self.within;
        Box::pin(async move {
            let seconds = within.as_secs().max(1);
            let through = through(&proxy, connecting, &app);
            let in_time = tokio::time::timeout(within, through).await;
            in_time.unwrap_or_else(|_| Err(ProxyError::Silent { proxy, seconds }.into()))
        })
    }
}

/// Plain HTTP is asked of the proxy itself; for TLS it makes a tunnel.
async fn through<T>(proxy: &Proxy, connecting: Connecting<T, BoxError>, app: &Uri) -> Result<AppStream, BoxError>
where
    T: Read + Write + Send + Unpin + 'static,
{
    let unreachable = |error: &(dyn Error + 'static)| ProxyError::Unreachable {
        proxy: proxy.clone(),
        why: innermost(error).to_string(),
    };
    let stream = connecting.await.map_err(|e| unreachable(&*e))?;
    if app.scheme_str() == Some("http") {
        return Ok(AppStream::new(stream, true));
    }
    let to = format!("{}:{}", app.host().unwrap_or_default(), port_of(app));
    let mut request = Request::connect(&to).header(HOST, &to);
    if let Some(value) = proxy.authorization() {
        request = request.header(PROXY_AUTHORIZATION, value);
    }
    let (mut sender, connection) = hyper::client::conn::http1::handshake(stream)
        .await
        .map_err(|e| unreachable(&e))?;
    tokio::spawn(connection.with_upgrades());
    let request = request.body(Empty::<Bytes>::new())?;
    let response = sender.send_request(request).await.map_err(|e| unreachable(&e))?;
    if !response.status().is_success() {
        return Err(proxy.refusal(response.status(), to).into());
    }
    let tunnel = hyper::upgrade::on(response).await.map_err(|e| unreachable(&e))?;
    Ok(AppStream::new(tunnel, false))
}

trait Bytestream: Read + Write + Send {}
impl<T: Read + Write + Send> Bytestream for T {}

pub struct AppStream {
    io: Pin<Box<dyn Bytestream>>,
    /// The other end is a proxy that wants whole addresses in requests.
    whole_addresses: bool,
}

impl AppStream {
    fn new(io: impl Read + Write + Send + 'static, whole_addresses: bool) -> Self {
        let io = Box::pin(io);
        Self { io, whole_addresses }
    }
}

impl Connection for AppStream {
    fn connected(&self) -> Connected {
        Connected::new().proxy(self.whole_addresses)
    }
}

impl Read for AppStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        self.io.as_mut().poll_read(cx, buf)
    }
}

impl Write for AppStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.io.as_mut().poll_write(cx, buf)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io.as_mut().poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io.as_mut().poll_shutdown(cx)
    }
    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.io.as_mut().poll_write_vectored(cx, bufs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_proxy_that_says_nothing_is_named() {
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://me:secret@{}", silent.local_addr().unwrap());
        let app = Uri::from_static("https://app.test");
        let proxy = Proxy::towards(&app, |name| (name == "HTTPS_PROXY").then(|| address.clone())).unwrap();
        let within = Duration::from_millis(200);
        let (mut connector, _) = crate::session::client::connector(proxy, within).unwrap();
        let refused = connector.call(app).await;
        let text = refused.err().unwrap().to_string();
        assert!(
            text.contains("127.0.0.1") && text.contains("did not respond within"),
            "{text}"
        );
        assert!(!text.contains("secret"), "{text}");
    }
}
