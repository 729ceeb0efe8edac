//! What every command is given beside its own arguments.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::args::GlobalArgs;
use super::error::CliError;
use super::output::Output;
use crate::assets::Assets;
use crate::server::{Server, known};
use crate::state::State;

pub struct Env {
    pub out: Output,
    pub state: State,
    global: GlobalArgs,
    /// What need not be said again.
    said: RefCell<BTreeSet<String>>,
}

impl Env {
    pub fn new(global: GlobalArgs) -> Self {
        Self {
            out: Output::new(global.json, global.color),
            state: State::locate(global.state_dir.as_deref()),
            global,
            said: RefCell::default(),
        }
    }

    /// The folder with servers and scenarios. Looked for when first needed: `enroll` works without it.
    pub fn assets(&self) -> Result<Assets, CliError> {
        Ok(Assets::locate(self.global.assets.as_deref())?)
    }

    /// A server as it was typed. Says where another folder of that name is that is not meant.
    pub fn server(&self, assets: &Assets, text: &str) -> Result<Server, CliError> {
        for hidden in known::hidden(assets).into_iter().filter(|hidden| hidden.name == text) {
            if self.said.borrow_mut().insert(hidden.sentence.clone()) {
                self.out.note(&hidden.sentence);
            }
        }
        Ok(Server::from_argument(assets, &self.state, text)?)
    }
}
