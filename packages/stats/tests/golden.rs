//! The golden examples, which test-ts/golden.test.ts runs through WebAssembly: the same input gives the same bytes.

use rigmark_stats::{SummaryInput, summarize, wasm};
use std::path::{Path, PathBuf};

fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".input.json"));
    paths.sort();
    paths
}

#[test]
fn each_input_gives_its_output() {
    assert!(inputs().len() > 5);
    for path in inputs() {
        let json = std::fs::read_to_string(&path).unwrap();
        let input: SummaryInput = serde_json::from_str(&json).unwrap();
        let summary = summarize(&input).unwrap();
        let wanted = std::fs::read_to_string(path.to_string_lossy().replace(".input.", ".output.")).unwrap();
        assert_eq!(
            serde_json::to_string_pretty(&summary).unwrap() + "\n",
            wanted,
            "{}",
            path.display()
        );
        assert_eq!(
            wasm::summarize_json(json.as_bytes()),
            serde_json::to_vec(&summary).unwrap()
        );
    }
}
