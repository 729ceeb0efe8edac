//! After which blocks a run is looked at, and when it ends.

use super::*;

/// Blocks that were done, and what the rule was asked after, when it says enough after `enough` blocks or later.
async fn blocks_done(plan: &Plan, enough: u32) -> (u32, Vec<u32>, Vec<String>) {
    let sink = MemorySink::new(|| 0);
    let (_keep, cancel) = watch::channel(false);
    let asked = Mutex::new(Vec::new());
    let rule = |_: &Plan, so_far: &SoFar| {
        asked.lock().unwrap().push(so_far.blocks);
        let a_block = plan.trials.iter().filter(|t| t.block == 0).count();
        assert_eq!(so_far.trials.len(), a_block * so_far.blocks as usize);
        (so_far.blocks >= enough).then(|| RunLabel {
            code: "ended-early".into(),
            message: String::new(),
            entry_key: None,
        })
    };
    let result = drive(plan, &mut Mock::default(), &sink, &rule, cancel).await;
    assert_eq!(result.status, RunStatus::Succeeded);
    let labels = sink.events().into_iter().filter_map(|event| match event {
        Event::Label(label) => Some(label.code),
        _ => None,
    });
    let done = trials(&sink);
    let last = done.last().map_or(0, |t| t.block + 1);
    // Whole blocks, in the plan's order.
    let ids = |t: &[PlanTrial]| {
        t.iter()
            .filter(|t| t.block < last)
            .map(|t| t.trial_id)
            .collect::<Vec<_>>()
    };
    assert_eq!(done.iter().map(|t| t.trial_id).collect::<Vec<_>>(), ids(&plan.trials));
    let labels = labels.collect();
    (last, asked.into_inner().unwrap(), labels)
}

#[tokio::test]
async fn a_run_ends_after_a_look_that_says_enough_and_is_asked_nowhere_else() {
    let plan = with_looks(plan(&["a", "b"], &["s", "t"], 10), 3, 10, vec![3, 5, 10]);
    assert_eq!(blocks_done(&plan, 4).await, (5, vec![3, 5], vec!["ended-early".into()]));
    assert_eq!(blocks_done(&plan, 1).await.0, 3);
    assert_eq!(blocks_done(&plan, 99).await, (10, vec![3, 5, 10], vec![]));
}

#[tokio::test]
async fn without_a_precision_nobody_is_asked() {
    let mut plan = with_looks(plan(&["a", "b"], &["s"], 4), 4, 4, vec![4]);
    plan.blocks.as_mut().unwrap().precision = None;
    assert_eq!(blocks_done(&plan, 1).await, (4, vec![], vec![]));
}

proptest::proptest! {
    /// Never before the least, never beyond the most; with one look never early.
    #[test]
    fn a_run_stays_between_its_least_and_its_most(least in 1u32..8, more in 0u32..12, enough in 0u32..25, one: bool) {
        let most = least + more;
        let looks = if one { vec![most] } else { crate::runner::plan::looks(least, most) };
        let plan = with_looks(plan(&["a", "b"], &["s"], most), least, most, looks.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (done, _, _) = runtime.block_on(blocks_done(&plan, enough));
        proptest::prop_assert!((least..=most).contains(&done) && looks.contains(&done));
        proptest::prop_assert!(!one || done == most);
    }
}
