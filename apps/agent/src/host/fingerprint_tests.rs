use std::path::PathBuf;

use super::*;

#[derive(Deserialize)]
struct Example {
    a: Environment,
    b: Environment,
    canonical_a: String,
    fingerprint_a: String,
    differences: Vec<Difference>,
}

fn example() -> Example {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packages/protocol/golden/environment-differences.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_example_that_the_app_reads_too() {
    let example = example();
    assert_eq!(canonical(&example.a), example.canonical_a);
    assert_eq!(fingerprint(&example.a), example.fingerprint_a);
    assert_eq!(differences(&example.a, &example.b), example.differences);
}

#[test]
fn the_same_environment_has_no_differences_whatever_the_moment_is() {
    let a = example().a;
    let mut later = a.clone();
    later.load1_before = Some(9.0);
    later.facts.hostname = "other".to_owned();
    later.facts.boot_id = "other".to_owned();
    later.facts.temperature_millic = Some(80_000);
    later.facts.nofile_soft = Some(1);
    later.facts.memory_bytes = later.facts.memory_bytes.map(|b| b - (1 << 20));
    later.facts.agent_version = "0.1.99".to_owned();
    assert_eq!(differences(&a, &later), Vec::new());
    assert_eq!(fingerprint(&a), fingerprint(&later));
}

/// Each change that a reader must hear of changes the hash and has words.
#[test]
fn the_hash_changes_exactly_with_the_words() {
    type Change = fn(&mut Environment);
    let changes: [(&str, Change); 12] = [
        ("CPU", |e| e.facts.cpu_model = None),
        ("CPU governor", |e| e.facts.governor = Some("powersave".to_owned())),
        ("turbo", |e| e.facts.turbo = Some(true)),
        ("two threads a core (SMT)", |e| e.facts.smt = Some(true)),
        ("kernel", |e| e.facts.kernel = Some("7.0".to_owned())),
        ("memory", |e| e.facts.memory_bytes = Some(64 << 30)),
        ("transparent huge pages", |e| e.facts.thp = Some("always".to_owned())),
        ("address space randomization", |e| e.facts.aslr = Some(0)),
        ("agent", |e| e.facts.agent_version = "0.2.0".to_owned()),
        ("network namespace for each trial", |e| e.sandboxed = !e.sandboxed),
        ("load tool ab", |e| e.tools.clear()),
        ("mitigation of spectre_v2", |e| e.facts.mitigations = None),
    ];
    let a = example().a;
    for (name, change) in changes {
        let mut b = a.clone();
        change(&mut b);
        let found: Vec<String> = differences(&a, &b).into_iter().map(|d| d.name).collect();
        assert_eq!(found, [name]);
        assert_ne!(fingerprint(&a), fingerprint(&b), "{name}");
    }
}
