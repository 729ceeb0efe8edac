//! What is set, and what cannot be.

use super::*;

#[test]
fn what_was_set_is_said_and_put_back() {
    let host = TunedHost::new();
    let tuning = host.begin();
    assert_eq!(host.now(), DURING);
    assert!(host.has_record() && tuning.refused().is_empty());
    let tuned: Vec<(String, String, String)> = tuning
        .tuned()
        .into_iter()
        .map(|t| (t.name, t.before, t.during))
        .collect();
    let line = |name: &str, before: &str, during: &str| (name.to_owned(), before.to_owned(), during.to_owned());
    assert_eq!(
        tuned,
        [
            line("CPU governor", "ondemand, powersave", "performance"),
            line("turbo", "0", "1"),
            line("address space randomization", "2", "0"),
            line("transparent huge pages", "madvise", "never"),
        ]
    );
    assert_eq!(tuning.end(), Vec::<String>::new());
    assert_eq!(host.now(), BEFORE);
    assert!(!host.has_record());
}

#[test]
fn what_nobody_could_find_again_is_not_changed() {
    let host = TunedHost::new();
    fs::create_dir_all(host.root.path().join(POINTER)).unwrap();
    let tuning = host.begin();
    assert!(tuning.tuned().is_empty());
    assert!(
        tuning.refused()[0].contains("no command would find the originals"),
        "{:?}",
        tuning.refused()
    );
    host.is_untouched();
}

#[test]
fn only_a_path_of_the_right_shape_is_written() {
    use setting::Kind;
    let cpu = "sys/devices/system/cpu";
    for file in ["cpufreq/policy12/scaling_governor", "cpu3/cpufreq/scaling_governor"] {
        assert!(Kind::Governor.is_file(&format!("{cpu}/{file}")), "{file}");
    }
    for file in [
        "cpufreq/policy/scaling_governor",
        "cpufreq/policy0/../../x/scaling_governor",
        "cpu3/../cpufreq/scaling_governor",
        "cpufreq/policy0/scaling_max_freq",
        "x/scaling_governor",
    ] {
        assert!(!Kind::Governor.is_file(&format!("{cpu}/{file}")), "{file}");
    }
    assert!(Kind::Aslr.is_file(ASLR) && !Kind::Turbo.is_file(ASLR) && !Kind::HugePages.is_file(ASLR));
}

#[test]
fn what_is_not_there_or_does_not_take_it_is_named() {
    let host = TunedHost::new();
    host.write(
        "sys/devices/system/cpu/cpufreq/policy0/scaling_available_governors",
        "ondemand powersave",
    );
    fs::remove_file(host.root.path().join(NO_TURBO)).unwrap();
    let tuning = host.begin();
    let refused = tuning.refused();
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(refused[0].contains("CPU governor: the kernel has ondemand powersave and no performance"));
    assert!(refused[1].contains("turbo: this machine shows no such setting"));
    // The other group of cores has it.
    assert_eq!(host.sys().text(GOVERNORS[1].0).as_deref(), Some("performance"));
}

#[test]
fn without_a_place_for_the_originals_nothing_is_touched() {
    let host = TunedHost::new();
    let file = host.state.path().join("file");
    fs::write(&file, "").unwrap();
    let tuning = Tuning::begin(&host.sys(), &file, HugePages::Never);
    assert_eq!(tuning.refused().len(), 4);
    assert!(tuning.refused()[0].contains("the originals cannot be kept"));
    assert_eq!(host.now(), BEFORE);
}

#[test]
fn huge_pages_are_a_stated_choice() {
    let host = TunedHost::new();
    let thp = |choice| {
        let _tuning = Tuning::begin(&host.sys(), host.state.path(), choice);
        host.sys().value(THP).unwrap()
    };
    assert_eq!(
        (thp(HugePages::Always), thp(HugePages::Keep)),
        ("always".to_owned(), "madvise".to_owned())
    );
    assert_eq!("never".parse(), Ok(HugePages::Never));
    assert!("sometimes".parse::<HugePages>().is_err());
}

#[test]
fn what_is_within_reach_is_what_would_be_set() {
    let host = TunedHost::new();
    let all = [
        "CPU governor",
        "turbo",
        "address space randomization",
        "transparent huge pages",
    ];
    let reach = within_reach(&host.sys());
    assert_eq!(
        (reach.sets, reach.missing),
        (all.map(str::to_owned).to_vec(), Vec::new())
    );
    fs::remove_file(host.root.path().join(NO_TURBO)).unwrap();
    let reach = within_reach(&host.sys());
    assert!(!reach.sets.contains(&"turbo".to_owned()) && reach.missing.is_empty());
    host.write(NO_TURBO, "0");
    host.is_untouched();
}
