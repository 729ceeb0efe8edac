//! What is tried in the model: steps at random, and a disk that gets full.

use proptest::prelude::*;

use super::*;

impl World {
    fn step(&mut self, step: &Step) {
        match *step {
            Step::Reach(which) => self.reach(which),
            Step::Arrive(which) => self.arrive(which, false),
            Step::Lose(which) => self.arrive(which, true),
            Step::Pass(ms) => self.pass(ms * 1000),
            Step::Write(raw) => self.write(if raw { StreamName::Raw } else { StreamName::Journal }),
            Step::EndRun => self.end_run(),
            Step::Crash => self.crash(),
            Step::ExpireToken => self.plane.token_good = false,
            Step::Cancel => self.plane.attempts.values_mut().for_each(|deal| deal.cancel = true),
            Step::Lock(taken) => self.lock_taken = taken,
            Step::Disk(full) => self.disk_full = full,
            Step::Forget => self.plane.attempts.values_mut().for_each(|deal| deal.forgotten = true),
        }
    }
}

#[derive(Debug, Clone)]
enum Step {
    Reach(usize),
    Arrive(usize),
    Lose(usize),
    Pass(u64),
    Write(bool),
    EndRun,
    Crash,
    ExpireToken,
    Cancel,
    Lock(bool),
    Disk(bool),
    Forget,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0_usize..8).prop_map(Step::Reach),
        12 => (0_usize..8).prop_map(Step::Arrive),
        4 => (0_usize..8).prop_map(Step::Lose),
        6 => (1_u64..2000).prop_map(Step::Pass),
        1 => (2000_u64..90_000).prop_map(Step::Pass),
        6 => any::<bool>().prop_map(Step::Write),
        1 => Just(Step::EndRun),
        1 => Just(Step::Crash),
        1 => Just(Step::ExpireToken),
        1 => Just(Step::Cancel),
        1 => any::<bool>().prop_map(Step::Lock),
        1 => any::<bool>().prop_map(Step::Disk),
        1 => Just(Step::Forget),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_runs_twice_nothing_is_lost_and_healing_helps(steps in prop::collection::vec(step(), 0..250), runs in 1_u128..4) {
        let mut world = World::new(runs);
        for step in &steps {
            world.step(step);
        }
        world.heal();
        world.check();
    }

    #[test]
    fn a_stopping_agent_ends_soon_whatever_is_under_way(steps in prop::collection::vec(step(), 0..150), lost in any::<bool>()) {
        let mut world = World::new(2);
        for step in &steps {
            world.step(step);
        }
        world.tell(Event::Stop);
        let began = world.now;
        while world.exit.is_none() {
            prop_assert!(world.now < began + 60 * S, "still there after a minute");
            if world.running.is_some() {
                prop_assert!(world.cancelled_at.is_some());
                world.end_run();
            }
            for _ in 0..world.flights.len() {
                world.reach(0);
                world.arrive(0, lost);
            }
            world.pass(S / 2);
        }
        prop_assert_eq!(world.exit, Some(SessionEnd::Stopped));
    }
}

/// A run is over, and the disk takes the end of no chunk.
fn uncut() -> World {
    let mut world = World::new(1);
    (0..10).for_each(|_| world.turn());
    world.disk_full = true;
    world.write(StreamName::Journal);
    world.end_run();
    world
}

#[test]
fn room_that_is_made_in_time_lets_everything_arrive() {
    let mut world = uncut();
    let began = world.now;
    while world.now < began + 60 * S {
        world.turn();
    }
    assert!((2..=31).contains(&world.failed_cuts), "{}", world.failed_cuts);
    let said = world.log.iter().filter(|line| line.contains("full")).count();
    assert_eq!(said, 1, "{:?}", world.log);
    world.heal();
    world.check();
    assert!(world.plane.attempts.values().all(|deal| deal.finished));
}

#[test]
fn of_a_disk_that_stays_full_the_control_plane_is_told() {
    let mut world = uncut();
    let began = world.now;
    while world.current.is_some() {
        assert!(
            world.now < began + UNCUT_AT_MOST + 10 * S,
            "still waiting: {:?}",
            world.log
        );
        world.turn();
    }
    world.check();
    assert!(world.plane.attempts.values().all(|deal| deal.abandoned));
    assert!(world.log.last().unwrap().contains("full"), "{:?}", world.log);
}

/// A database that was restored from a backup knows nothing of a run that measures now, or has just ended.
#[test]
fn what_a_control_plane_forgot_is_kept() {
    for ended in [false, true] {
        let mut world = World::new(1);
        (0..10).for_each(|_| world.turn());
        world.write(StreamName::Journal);
        if ended {
            world.end_run();
        }
        world.plane.attempts.values_mut().for_each(|deal| deal.forgotten = true);
        world.heal();
        world.check();
        assert_eq!(world.set_aside.len(), 1);
        assert!(world.delivered.is_empty());
    }
}
