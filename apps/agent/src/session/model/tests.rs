//! What is tried in the model: steps at random, and a disk that gets full.

use proptest::prelude::*;

use super::*;

impl Simulation {
    fn step(&mut self, step: &SessionStep) {
        match *step {
            SessionStep::Reach(which) => self.reach(which),
            SessionStep::Arrive(which) => self.arrive(which, false),
            SessionStep::Lose(which) => self.arrive(which, true),
            SessionStep::Pass(ms) => self.pass(ms * 1000),
            SessionStep::Write(raw) => self.write(if raw { StreamName::Raw } else { StreamName::Journal }),
            SessionStep::EndRun => self.end_run(),
            SessionStep::Crash => self.crash(),
            SessionStep::ExpireToken => self.plane.token_good = false,
            SessionStep::Cancel => self
                .plane
                .attempts
                .values_mut()
                .for_each(|attempt| attempt.cancel = true),
            SessionStep::Lock(taken) => self.lock_taken = taken,
            SessionStep::AddServer => self.tell(SessionEvent::InventoryChanged),
            SessionStep::Disk(full) => self.disk_full = full,
            SessionStep::Forget => self
                .plane
                .attempts
                .values_mut()
                .for_each(|attempt| attempt.forgotten = true),
        }
    }
}

#[derive(Debug, Clone)]
enum SessionStep {
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
    AddServer,
    Disk(bool),
    Forget,
}

fn step() -> impl Strategy<Value = SessionStep> {
    prop_oneof![
        12 => (0_usize..8).prop_map(SessionStep::Reach),
        12 => (0_usize..8).prop_map(SessionStep::Arrive),
        4 => (0_usize..8).prop_map(SessionStep::Lose),
        6 => (1_u64..2000).prop_map(SessionStep::Pass),
        1 => (2000_u64..90_000).prop_map(SessionStep::Pass),
        6 => any::<bool>().prop_map(SessionStep::Write),
        1 => Just(SessionStep::EndRun),
        1 => Just(SessionStep::Crash),
        1 => Just(SessionStep::AddServer),
        1 => Just(SessionStep::ExpireToken),
        1 => Just(SessionStep::Cancel),
        1 => any::<bool>().prop_map(SessionStep::Lock),
        1 => any::<bool>().prop_map(SessionStep::Disk),
        1 => Just(SessionStep::Forget),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_runs_twice_nothing_is_lost_and_healing_helps(steps in prop::collection::vec(step(), 0..250), runs in 1_u128..4) {
        let mut simulation = Simulation::new(runs);
        for step in &steps {
            simulation.step(step);
        }
        simulation.heal();
        simulation.check();
    }

    #[test]
    fn a_stopping_agent_ends_soon_whatever_is_under_way(steps in prop::collection::vec(step(), 0..150), lost in any::<bool>()) {
        let mut simulation = Simulation::new(2);
        for step in &steps {
            simulation.step(step);
        }
        simulation.tell(SessionEvent::Stop);
        let began = simulation.now;
        while simulation.exit.is_none() {
            prop_assert!(simulation.now < began + 60 * S, "still there after a minute");
            if simulation.running.is_some() {
                prop_assert!(simulation.cancelled_at.is_some());
                simulation.end_run();
            }
            for _ in 0..simulation.flights.len() {
                simulation.reach(0);
                simulation.arrive(0, lost);
            }
            simulation.pass(S / 2);
        }
        prop_assert_eq!(simulation.exit, Some(SessionEnd::Stopped));
    }
}

/// A run is over, and the disk takes the end of no chunk.
fn uncut() -> Simulation {
    let mut simulation = Simulation::new(1);
    (0..10).for_each(|_| simulation.turn());
    simulation.disk_full = true;
    simulation.write(StreamName::Journal);
    simulation.end_run();
    simulation
}

#[test]
fn room_that_is_made_in_time_lets_everything_arrive() {
    let mut simulation = uncut();
    let began = simulation.now;
    while simulation.now < began + 60 * S {
        simulation.turn();
    }
    assert!((2..=31).contains(&simulation.failed_cuts), "{}", simulation.failed_cuts);
    let said = simulation.log.iter().filter(|line| line.contains("full")).count();
    assert_eq!(said, 1, "{:?}", simulation.log);
    simulation.heal();
    simulation.check();
    assert!(simulation.plane.attempts.values().all(|attempt| attempt.finished));
}

#[test]
fn of_a_disk_that_stays_full_the_control_plane_is_told() {
    let mut simulation = uncut();
    let began = simulation.now;
    while simulation.current.is_some() {
        assert!(
            simulation.now < began + UNCUT_AT_MOST + 10 * S,
            "still waiting: {:?}",
            simulation.log
        );
        simulation.turn();
    }
    simulation.check();
    assert!(simulation.plane.attempts.values().all(|attempt| attempt.abandoned));
    assert!(simulation.log.last().unwrap().contains("full"), "{:?}", simulation.log);
}

/// Somebody measures here, or the owner's hours are over.
#[test]
fn a_host_where_no_run_may_begin_does_not_look_offline() {
    let mut simulation = Simulation::new(1);
    simulation.lock_taken = true;
    while simulation.now < 600 * S {
        simulation.turn();
        let silent = simulation.now - simulation.plane.heard_at;
        assert!(silent < 60 * S, "silent for {} s", silent / S);
    }
    simulation.heal();
    simulation.check();
    assert!(simulation.plane.attempts.values().any(|attempt| attempt.finished));
}

/// A database that was restored from a backup knows nothing of a run that measures now, or has just ended.
#[test]
fn what_a_control_plane_forgot_is_kept() {
    for ended in [false, true] {
        let mut simulation = Simulation::new(1);
        (0..10).for_each(|_| simulation.turn());
        simulation.write(StreamName::Journal);
        if ended {
            simulation.end_run();
        }
        simulation
            .plane
            .attempts
            .values_mut()
            .for_each(|attempt| attempt.forgotten = true);
        simulation.heal();
        simulation.check();
        assert_eq!(simulation.set_aside.len(), 1);
        assert!(simulation.delivered.is_empty());
    }
}
