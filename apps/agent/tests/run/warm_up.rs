//! Load before the load that counts.

use std::os::unix::fs::PermissionsExt;

use rigmark::program::on_path;
use rigmark::protocol::journal::Trial;

use crate::support::{all_measured, checkout, once, plan, ran, records, rigmark, run, trials};

/// ab's shortest run is a second, so it is stopped when a shorter warm-up is over, even one that would not end at all.
#[test]
fn a_warm_up_ends_when_its_time_is_over_and_not_when_the_tool_does() {
    let dir = tempfile::tempdir().unwrap();
    let ab = on_path("ab").expect("these tests have the real ab");
    let script = format!(
        "#!/bin/sh\ncase $PWD in */warm-up) exec sleep 600 ;; esac\nexec {} \"$@\"\n",
        ab.display()
    );
    let wrapper = dir.path().join("ab");
    std::fs::write(&wrapper, script).unwrap();
    std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).unwrap();
    let rest = ["--duration", "1s", "--warmup", "0.2s"];
    let args = once("epoll", "static-1k-ab", &rest);
    let mut command = rigmark(dir.path(), &args);
    command.env("RIGMARK_AB", &wrapper);
    let ran = ran(command);
    let records = records(&dir.path().join("r.json"));
    let trial = trials(&records).remove(0);
    assert!(trial.warmup_us.unwrap() >= 200_000, "{trial:?}");
    assert!(trial.result.is_some(), "{}", ran.stderr);
    assert_eq!(plan(&records).trials[0].warmup_s, 0.2);
}

#[test]
fn a_server_that_compiles_while_it_runs_is_warmed_up_until_it_is_steady() {
    let dir = tempfile::tempdir().unwrap();
    let copy = dir.path().join("epoll");
    rigmark::server::content::copy(&checkout().join("servers/epoll"), &copy).unwrap();
    let manifest = copy.join("server.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("[requires]", "jit = true\n[requires]")).unwrap();
    let rest = ["--duration", "1s", "--warmup", "0.5s"];
    let servers = ["--server", "epoll", "--server", "compiles=./epoll"];
    let what = ["--scenario", "plaintext-loadgen", "--repeats", "1", "--out", "r.json"];
    let ran = run(dir.path(), &[&["run"], servers.as_slice(), &what, &rest].concat());
    let records = records(&dir.path().join("r.json"));
    let trials = trials(&records);
    all_measured(&ran, &trials);
    let (jit, plain): (Vec<Trial>, Vec<Trial>) = trials.into_iter().partition(|t| t.warmup_steady.is_some());
    assert!(plain[0].warmup_us.unwrap() >= 400_000);
    // Two windows of a second at least, and none that begins after 6 s; on a noisy host they may not agree.
    let jit = &jit[0];
    assert!(jit.warmup_us.unwrap() >= 2_000_000, "{:?}", jit.warmup_us);
    let label = jit.labels.iter().find(|l| l.code == "not-steady");
    assert_eq!(label.is_none(), jit.warmup_steady == Some(true), "{label:?}");
    assert!(label.is_none_or(|l| l.message.contains("of warm-up")), "{label:?}");
}
