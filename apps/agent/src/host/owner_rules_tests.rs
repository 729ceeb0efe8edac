use super::*;

fn rules(text: &str) -> OwnerRules {
    let path = PathBuf::from("/etc/rigmark/agent.toml");
    let file = parse(&path, text).unwrap();
    OwnerRules {
        files: vec![(path, file)],
    }
}

fn at(text: &str) -> TimeOfDay {
    TimeOfDay::try_from(text.to_owned()).unwrap()
}

#[test]
fn nothing_is_forbidden_without_a_file_and_by_an_empty_one() {
    let none = OwnerRules::default();
    assert_eq!((none.phrases(&[]), none.closed(at("12:00"))), (None, None));
    let empty = rules("");
    assert_eq!((empty.phrases(&[]), empty.closed(at("12:00"))), (Some(vec![]), None));
    assert!(!empty.forbid_builds() && !empty.forbid_tuning());
}

#[test]
fn hours_go_over_midnight_and_their_end_is_outside() {
    let night = rules("hours = { from = \"22:00\", until = \"06:30\" }");
    for open in ["22:00", "23:59", "00:00", "06:29"] {
        assert_eq!(night.closed(at(open)), None, "{open}");
    }
    for closed in ["06:30", "12:00", "21:59"] {
        assert!(night.closed(at(closed)).is_some(), "{closed}");
    }
    let day = rules("hours = { from = \"08:00\", until = \"18:00\" }");
    assert_eq!(day.closed(at("08:00")), None);
    assert_eq!(
        day.closed(at("18:00")).unwrap(),
        "The owner of this host lets runs begin from 08:00 to 18:00 only (/etc/rigmark/agent.toml); it is 18:00 there."
    );
}

#[test]
fn what_is_forbidden_is_off_in_the_catalogue_and_refused_in_a_run() {
    let rules = rules("[forbid]\nservers = [\"nginx\"]\ntools = [\"k6\"]\nbuilds = true\ntuning = true\n");
    let golden = include_str!("../../../../packages/protocol/golden/catalogue.json");
    let mut catalogue: crate::protocol::catalogue::Catalogue = serde_json::from_str(golden).unwrap();
    catalogue.servers[0].name = "nginx".to_owned();
    catalogue.tools[0].name = ToolName::K6;
    rules.restrict(&mut catalogue.servers, &mut catalogue.tools);
    let said = "The owner of this host forbids nginx (/etc/rigmark/agent.toml).";
    assert_eq!(catalogue.servers[0].reason.as_deref(), Some(said));
    assert!(!catalogue.servers[0].supported && !catalogue.tools[0].supported);
    let golden = include_str!("../../../../packages/protocol/golden/run-spec.json");
    let mut spec: RunSpec = serde_json::from_str(golden).unwrap();
    spec.entries.truncate(1);
    spec.entries[0].server = "epoll".to_owned();
    spec.tune = Some(true);
    assert!(
        rules
            .refusal(&spec, &[ToolName::Wrk])
            .unwrap()
            .contains("forbids tuning")
    );
    spec.tune = None;
    assert_eq!(rules.refusal(&spec, &[ToolName::Wrk]), None);
    assert!(rules.refusal(&spec, &[ToolName::K6]).unwrap().contains("forbids k6"));
    spec.entries[0].server = "nginx".to_owned();
    assert_eq!(rules.refusal(&spec, &[]).as_deref(), Some(said));
    assert_eq!(
        rules.phrases(&["nginx".to_owned()]).unwrap(),
        ["not measured: nginx", "no load by k6", "no builds", "no tuning"]
    );
}

#[test]
fn a_file_that_is_not_understood_forbids_everything() {
    let path = Path::new("/etc/rigmark/agent.toml");
    for (text, where_and_what) in [
        ("forbid = 1", "agent.toml:1:"),
        (
            "[forbid]\nserver = [\"nginx\"]",
            "agent.toml:2:1: unknown field `server`",
        ),
        (
            "hours = { from = \"8\", until = \"18:00\" }",
            "\"8\" is not a time of day",
        ),
        (
            "hours = { from = \"08:00\", until = \"24:00\" }",
            "\"24:00\" is not a time of day",
        ),
        ("[forbid]\ntools = [\"telnet\"]", "agent.toml:2:"),
        ("hours = { from = \"00:00\", until = \"00:00\" }", "is never"),
    ] {
        let sentence = parse(path, text).unwrap_err();
        assert!(sentence.contains(where_and_what), "{sentence}");
        assert!(sentence.ends_with("the agent begins no run."), "{sentence}");
    }
}

#[test]
fn the_files_of_the_user_and_of_the_machine_both_count() {
    let dir = tempfile::tempdir().unwrap();
    let (user, machine) = (dir.path().join("user"), dir.path().join("machine"));
    for (folder, text) in [
        (&user, "[forbid]\ntuning = true\n"),
        (&machine, "[forbid]\nservers = [\"nginx\"]\n"),
    ] {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("agent.toml"), text).unwrap();
    }
    let assets = Assets::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let assets = assets.with_owner(vec![user.clone(), machine]);
    let rules = OwnerRules::read(&assets).unwrap();
    assert!(rules.forbid_tuning() && rules.of_server("nginx").is_some() && !rules.forbid_builds());
    let before = assets.owner_files();
    std::fs::write(user.join("agent.toml"), "tuning").unwrap();
    assert_ne!(assets.owner_files(), before);
    assert!(OwnerRules::read(&assets).is_err());
    // Its disk is not mounted, perhaps.
    std::fs::remove_file(user.join("agent.toml")).unwrap();
    assert!(OwnerRules::read(&assets).is_ok());
    std::os::unix::fs::symlink(dir.path().join("nowhere"), user.join("agent.toml")).unwrap();
    assert!(OwnerRules::read(&assets).unwrap_err().ends_with("begins no run."));
}

#[test]
fn a_name_that_forbids_nothing_is_told() {
    let phrases = rules("[forbid]\nservers = [\"Nginx\"]").phrases(&["nginx".to_owned()]);
    assert_eq!(
        phrases.unwrap(),
        ["/etc/rigmark/agent.toml names no server of this host: Nginx"]
    );
}
