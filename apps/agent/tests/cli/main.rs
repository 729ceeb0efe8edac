//! The commands, each as a person or a script calls it, with real servers and tools. One program, because each test program
//! takes seconds to link.

mod bad_load;
#[cfg(target_os = "linux")]
mod begins;
mod byo;
mod calibrate;
mod command_line;
mod own_load;
mod own_server;
mod plan;
mod port_in_use;
mod proxy;
#[cfg(target_os = "linux")]
mod simulated;
#[path = "../support/mod.rs"]
mod support;
mod terminal;
mod tools;
mod update;
mod verify;
mod verify_cheats;
