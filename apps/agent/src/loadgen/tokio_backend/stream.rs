//! A connection that counts all bytes received, heads and frames too, as the other back end does.

use std::cell::Cell;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::super::plan::LoadPlan;

/// Bytes that came in on all connections of one thread.
pub type Received = Rc<Cell<u64>>;

pub struct Stream {
    tcp: TcpStream,
    received: Received,
}

impl Stream {
    pub async fn open(plan: &LoadPlan, received: &Received) -> Option<Self> {
        let tcp = TcpStream::connect(plan.job.address).await.ok()?;
        tcp.set_nodelay(true).ok()?;
        Some(Self {
            tcp,
            received: received.clone(),
        })
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = to.filled().len();
        let done = Pin::new(&mut self.tcp).poll_read(context, to);
        let more = to.filled().len() - before;
        self.received.set(self.received.get() + more as u64);
        done
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.tcp).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.tcp).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}
