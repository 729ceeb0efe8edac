//! What the control plane is told about the host, and the digest that says whether it still holds.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::protocol::catalogue::Catalogue;
use crate::protocol::facts::{DoctorCheck, HostFacts};

#[derive(Debug, Clone, PartialEq)]
pub struct Inventory {
    pub facts: HostFacts,
    pub catalogue: Catalogue,
}

impl Inventory {
    /// sha256 of the JSON of `{"facts", "catalogue"}`, where what changes by itself from minute to minute is left
    /// out: the temperature, the throttle flags, and what each check found (its status stays).
    pub fn digest(&self) -> String {
        #[derive(Serialize)]
        struct StableParts<'a> {
            facts: HostFacts,
            catalogue: &'a Catalogue,
        }
        let calm = |check: &DoctorCheck| DoctorCheck {
            found: String::new(),
            ..check.clone()
        };
        let facts = HostFacts {
            temperature_millic: None,
            throttle_flags: None,
            checks: self.facts.checks.iter().map(calm).collect(),
            ..self.facts.clone()
        };
        let catalogue = &self.catalogue;
        let json = serde_json::to_vec(&StableParts { facts, catalogue }).expect("messages are plain data");
        hex::encode(Sha256::digest(json))
    }
}
