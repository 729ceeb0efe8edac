//! A call as a task of its own.

use super::super::codec::{self, Material};
use super::super::event::{CallId, Failure, Request};
use super::{Driver, Message};
use crate::protocol::wire::{FinishRequest, FinishStreams, StreamTotals};

impl Driver {
    fn finish(&self) -> Option<FinishRequest> {
        let current = self.current.as_ref()?;
        let nothing = || StreamTotals {
            chunks: 0,
            records: 0,
            bytes: 0,
            digest: crate::journal::RollingDigest::new().hex(),
        };
        let (status, error, lost, streams) = match &current.spool {
            Some(spool) => {
                let ended = spool.attempt().ended?;
                (ended.status, ended.error, spool.lost(), spool.totals())
            }
            None => {
                let (status, error) = current.unspooled.clone()?;
                let (journal, raw) = (nothing(), nothing());
                (status, error, 0, FinishStreams { journal, raw })
            }
        };
        Some(FinishRequest {
            attempt_no: current.at.no,
            status,
            error,
            corrupt_records: lost,
            streams,
        })
    }

    pub(super) fn call(&self, id: CallId, request: Request) {
        let material = Material {
            identity: &self.identity,
            boot_id: &self.boot_id,
            t_us: self.host.monotonic_us(),
            facts: self.facts.clone(),
            catalogue: self.catalogue.clone(),
            finish: matches!(request, Request::Finish(_)).then(|| self.finish()).flatten(),
        };
        let source = match &request {
            Request::Chunk(_, stream, seq) => self
                .current
                .as_ref()
                .and_then(|c| c.spool.as_ref())
                .map(|s| s.chunk(*stream, *seq)),
            _ => None,
        };
        let ready = source.is_none().then(|| codec::outgoing(&request, &material));
        let open = !matches!(request, Request::Challenge | Request::Session { .. });
        let token = self.token.clone().filter(|_| open);
        let (client, tx) = (self.client.clone(), self.tx.clone());
        tokio::spawn(async move {
            let exchange = async {
                let outgoing = match (&request, source) {
                    (Request::Chunk(at, stream, _), Some(source)) => {
                        let (at, stream) = (*at, *stream);
                        let read = move || {
                            source
                                .and_then(|s| s.read())
                                .map(|chunk| codec::chunk(at, stream, &chunk))
                        };
                        let read = tokio::task::spawn_blocking(read).await;
                        let read = read.map_err(|panic| Failure::Unreadable(panic.to_string()))?;
                        read.map_err(|error| Failure::Unreadable(error.to_string()))
                    }
                    _ => ready.unwrap_or_else(|| Err(Failure::Lost("nothing to send".into()))),
                }?;
                let body = client.send(outgoing, token.as_deref()).await?;
                codec::reply(&request, &body)
            };
            let (result, token) = match exchange.await {
                Ok((reply, token)) => (Ok(reply), token),
                Err(failure) => (Err(failure), None),
            };
            let _ = tx.send(Message::Answer {
                call: id,
                result,
                token,
            });
        });
    }
}
