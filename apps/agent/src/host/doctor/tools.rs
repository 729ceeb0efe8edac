//! Checks of the programs that builds and loads need.

use super::check::Check;
use crate::assets::Assets;
use crate::program::{self, find_command};
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::facts::DoctorCheck;
use crate::tool::{self, autocannon};

pub fn checks(assets: Option<&Assets>) -> Vec<DoctorCheck> {
    let mut all = vec![compiler(assets), node()];
    match assets {
        Some(assets) => all.extend(tool::catalogue(assets).iter().map(load_tool)),
        None => all.push(Check::new("assets", "Servers and scenarios").fail(
            "not found",
            "Without them there is nothing to measure.",
            "Set RIGMARK_ASSETS to the folder that holds `servers` and `scenarios`.",
        )),
    }
    all
}

/// Looked for where a build looks: what only other programs would find compiles nothing.
fn compiler(assets: Option<&Assets>) -> DoctorCheck {
    let check = Check::new("compiler", "C compiler and make");
    let missing: Vec<&str> = ["cc", "make"]
        .into_iter()
        .filter(|name| find_command(name).is_none())
        .collect();
    if !missing.is_empty() {
        let fix = if cfg!(target_os = "macos") {
            "xcode-select --install".to_owned()
        } else {
            program::install("build-essential", "")
        };
        let found = format!("{} not found", missing.join(" and "));
        if assets.is_some_and(Assets::has_prebuilt) {
            return check.warn(
                found,
                "Only servers that came with the agent ready-made can be measured.",
                fix,
            );
        }
        return check.fail(found, "The servers under test are built on this host.", fix);
    }
    match crate::host::compiler() {
        Some(version) => check.ok(version),
        None => check.fail(
            "cc does not start",
            "The servers under test are built on this host.",
            "cc --version",
        ),
    }
}

fn node() -> DoctorCheck {
    let check = Check::new("node", "Node");
    let why = "autocannon runs in it.";
    let Some(program) = autocannon::find_node() else {
        return check.warn("not installed", why, autocannon::install_node());
    };
    let version = program::ask_version(&program, &["--version"])
        .unwrap_or_default()
        .trim()
        .to_owned();
    match autocannon::node_major(&version) {
        Some(major) if major >= autocannon::NODE_MIN => check.ok(version),
        Some(_) => check.warn(
            format!("{version}, and {} or newer is needed", autocannon::NODE_MIN),
            why,
            autocannon::newer_node(),
        ),
        None => check.warn("it does not start", why, format!("{} --version", program.display())),
    }
}

pub(super) fn load_tool(tool: &CatalogueTool) -> DoctorCheck {
    let name = tool.name.as_str();
    let check = Check::new(name, format!("Load tool: {name}"));
    if tool.supported {
        return check.ok(tool.version.as_deref().unwrap_or("there"));
    }
    check.warn(
        tool.reason.as_deref().unwrap_or("it does not work here"),
        "Scenarios with this tool cannot run here.",
        tool.fix.as_deref().unwrap_or("Install it."),
    )
}
