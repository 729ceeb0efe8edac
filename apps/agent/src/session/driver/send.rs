//! A call as a task of its own.

use super::super::codec::{self, Material};
use super::super::event::{CallId, Failure, Request};
use super::{Driver, Message};
use crate::protocol::journal::RunStatus;
use crate::protocol::result::Reason;
use crate::protocol::wire::{FinishRequest, FinishStreams};
use crate::spool::Totals;

impl Driver {
    fn finish(&self, request: &Request) -> Option<FinishRequest> {
        let current = self.current.as_ref()?;
        let (status, error, lost, streams) = match (request, &current.spool) {
            (Request::Abandon(_, why), Some(spool)) => {
                let (streams, undelivered) = spool.delivered();
                let error = Reason::new("undeliverable", why.clone());
                (RunStatus::Failed, Some(error), spool.lost() + undelivered, streams)
            }
            (Request::Finish(_), Some(spool)) => {
                let ended = spool.attempt().ended?;
                (ended.status, ended.error, spool.lost(), spool.totals())
            }
            (Request::Finish(_), None) => {
                let (status, error) = current.unspooled.clone()?;
                let nothing = || Totals::default().to_wire();
                let (journal, raw) = (nothing(), nothing());
                (status, error, 0, FinishStreams { journal, raw })
            }
            _ => return None,
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
            finish: self.finish(&request),
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
            let _ = tx.send(Message::Response {
                call: id,
                result,
                token,
            });
        });
    }
}
