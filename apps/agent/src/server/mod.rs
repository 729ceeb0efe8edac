//! Servers under test: what their folders say, whether this host can build and run them, and their processes.

use crate::assets::Assets;
use crate::protocol::catalogue::CatalogueServer;

/// Every bundled server, with whether it works here and why not.
pub fn catalogue(assets: &Assets) -> Vec<CatalogueServer> {
    let _ = assets;
    Vec::new()
}
