//! Whose window of load is measured, and where what is found goes.

use std::sync::Arc;

use uuid::Uuid;

use crate::journal::Sink;
use crate::protocol::journal::Window;
use crate::runner::measure::log_forwarder::LogForwarder;
use crate::tool::Tool;

pub struct Metered {
    pub trial_id: Uuid,
    pub window: Window,
    pub tool: Arc<dyn Tool>,
    pub sink: Arc<dyn Sink>,
    pub forwarder: Arc<LogForwarder>,
}
