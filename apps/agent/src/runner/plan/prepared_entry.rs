//! An entry of the plan as it is on this host.

use std::collections::BTreeMap;

use crate::server::Server;
use crate::server::build::Built;

pub struct PreparedEntry {
    pub server: Server,
    pub options: BTreeMap<String, i64>,
    pub built: Option<Built>,
}
