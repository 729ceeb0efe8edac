//! How often a 95 % interval of the ratio holds the true one, and how wide it is: the reason for the method in
//! `src/ratio.rs`, and the tables of docs/method.md. Then how often sets with permuted labels get a verdict.
//!
//!     cargo run --release -p rigmark-stats --example coverage [REPLICATIONS]
//!
//! The same replications give the same tables on one machine.

mod methods;
mod noise;

use methods::NAMES;
use noise::{HELD, Noise, Recorded, SHOWN, SplitMix64};
use rigmark_stats::ratio::LogRatios;

const BLOCKS: [usize; 4] = [5, 7, 10, 20];

fn main() {
    let asked = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let replications: usize = asked.unwrap_or(4_000);
    let recorded = noise::recorded();
    println!("Coverage in %, and mean width of the log-ratio in %, of {replications} replications.\n");
    println!("| noise | blocks | {} |", NAMES.join(" | "));
    println!("|---|---|{}", "---|".repeat(NAMES.len()));
    let mut stream = SplitMix64(20_240_917);
    for noise in HELD.into_iter().chain(SHOWN) {
        for n in BLOCKS {
            let cells = cells(noise, n, replications, &recorded, &mut stream);
            println!("| {} | {n} | {} |", noise.name(), cells.join(" | "));
        }
    }
    println!("\nVerdicts of a difference in sets with permuted labels, in %, by Student's t.\n");
    println!("| noise | {} |", BLOCKS.map(|n| format!("{n} blocks")).join(" | "));
    println!("|---|{}", "---|".repeat(BLOCKS.len()));
    for noise in HELD.into_iter().chain(SHOWN) {
        let shares = BLOCKS.map(|n| permuted(noise, n, 10 * replications, &recorded, &mut stream));
        println!(
            "| {} | {} |",
            noise.name(),
            shares.map(|s| format!("{s:.1}")).join(" | ")
        );
    }
}

fn cells(noise: Noise, n: usize, replications: usize, recorded: &Recorded, stream: &mut SplitMix64) -> Vec<String> {
    let mut held = [0.0; NAMES.len()];
    let mut width = [0.0; NAMES.len()];
    let mut done = 0.0;
    for _ in 0..replications {
        let logs = noise.draw(stream, n, recorded);
        // Blocks that are all the same have no interval.
        if LogRatios::of(&logs).is_err() {
            continue;
        }
        done += 1.0;
        for (i, (low, high)) in methods::intervals(&logs, stream).into_iter().enumerate() {
            held[i] += f64::from(u8::from(low <= 0.0 && 0.0 <= high));
            width[i] += high - low;
        }
    }
    let cell = |i: usize| {
        let wide = 100.0 * width[i] / done;
        let wide = if wide.is_finite() {
            format!("{wide:.1}")
        } else {
            "∞".to_owned()
        };
        format!("{:.1}, {wide}", 100.0 * held[i] / done)
    };
    (0..NAMES.len()).map(cell).collect()
}

/// The share of sets with a verdict, in %, when each block's labels are changed or left by chance.
fn permuted(noise: Noise, n: usize, sets: usize, recorded: &Recorded, stream: &mut SplitMix64) -> f64 {
    let verdicts = (0..sets)
        .filter(|_| {
            let mut logs = noise.draw(stream, n, recorded);
            logs.iter_mut()
                .for_each(|log| *log = if stream.next() >> 63 == 0 { *log } else { -*log });
            LogRatios::of(&logs).is_ok_and(|sample| sample.p() < 0.05)
        })
        .count();
    100.0 * verdicts as f64 / sets as f64
}
