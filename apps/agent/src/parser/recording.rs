//! The recorded outputs, as the runner would hand them over.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::protocol::spec::{Load, Scenario, ToolName, Workload};
use crate::tool::output::{ProcessExit, ToolOutput};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/parser/tool_output")
}

pub fn cases(tool: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder().join(tool))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub fn load(tool: &str, case: &str) -> ToolOutput {
    let folder = folder().join(tool).join(case);
    let read =
        |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{tool}/{case}/{name}: {e}"));
    let exit = read("exit");
    let exit = match exit.trim().split_once(' ').unwrap() {
        ("code", n) => ProcessExit::Code(n.parse().unwrap()),
        ("signal", n) => ProcessExit::Signal(n.parse().unwrap()),
        other => panic!("{other:?}"),
    };
    let files: BTreeMap<String, String> = fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains('.'))
        .map(|name| (name.clone(), read(&name)))
        .collect();
    ToolOutput {
        exit,
        stdout: read("stdout"),
        stderr: read("stderr"),
        files,
    }
}

/// What the recording was made under, as far as a parser looks at it.
pub fn scenario(tool: ToolName, rate: Option<u32>) -> Scenario {
    let (connections, keep_alive) = (8, true);
    Scenario {
        schema: 1,
        id: "recorded".to_owned(),
        title: "Recorded".to_owned(),
        summary: String::new(),
        workload: Workload::Static,
        tool,
        path: "/1k.bin".to_owned(),
        body_bytes: 1024,
        payload: None,
        in_flight: None,
        latency_until: None,
        load: match rate {
            Some(rate_per_s) => Load::Rate {
                rate_per_s,
                connections,
                keep_alive,
            },
            None => Load::Closed {
                connections,
                keep_alive,
            },
        },
        duration_s: 2.0,
        warmup_s: 0.0,
        thresholds: None,
        judged_by: None,
        http: None,
    }
}
