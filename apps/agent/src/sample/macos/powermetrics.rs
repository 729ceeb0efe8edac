//! What `powermetrics` prints, line by line: the power of the chip over the time since its last sample, and on Intel the
//! temperature.

/// A sample that is complete, or a temperature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Found {
    /// Of the chip, over the time since the sample before.
    EnergyUj(u64),
    TemperatureMillic(i64),
}

/// `Combined` is macOS 12 and newer on Apple silicon, `Package` is macOS 11 there, the last is Intel.
const POWER: [&str; 3] = [
    "Combined Power (CPU + GPU + ANE):",
    "Package Power:",
    "Intel energy model derived package power (CPUs+GT+SA):",
];
const HEAD: &str = "*** Sampled system activity";
const TEMPERATURE: &str = "CPU die temperature:";
/// More than any Mac draws, or a sample may last: what is beyond is no figure.
const MOST_MW: f64 = 1e6;
const MOST_MS: f64 = 1e8;

/// Reads the lines of one run of the tool in order.
#[derive(Debug, Default)]
pub struct Text {
    /// How long the sample lasted whose lines are being read; a sample has one line of power.
    elapsed_ms: Option<f64>,
}

impl Text {
    pub fn line(&mut self, line: &str) -> Option<Found> {
        let line = line.trim();
        if line.starts_with(HEAD) {
            self.elapsed_ms = elapsed_ms(line);
            return None;
        }
        if let Some(value) = line.strip_prefix(TEMPERATURE) {
            let degrees = number(value.trim().strip_suffix('C')?)?;
            return (0.0..200.0)
                .contains(&degrees)
                .then_some(Found::TemperatureMillic((degrees * 1000.0).round() as i64));
        }
        let power = POWER.iter().find_map(|name| line.strip_prefix(name))?;
        // Milliwatts over milliseconds are microjoules.
        let uj = milliwatts(power)? * self.elapsed_ms.take()?;
        Some(Found::EnergyUj(uj.round() as u64))
    }
}

/// `*** Sampled system activity (Wed Nov  3 10:01:02 2021 +0100) (1003.42ms elapsed) ***`
fn elapsed_ms(head: &str) -> Option<f64> {
    let (before, _) = head.split_once("ms elapsed")?;
    let (_, elapsed) = before.rsplit_once('(')?;
    number(elapsed).filter(|ms| (0.0..MOST_MS).contains(ms))
}

/// `983 mW` or `1.23W`
fn milliwatts(text: &str) -> Option<f64> {
    let text = text.trim();
    let mw = match text.strip_suffix("mW") {
        Some(mw) => number(mw)?,
        None => number(text.strip_suffix('W')?)? * 1000.0,
    };
    (0.0..MOST_MW).contains(&mw).then_some(mw)
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|n| n.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    // The tool documents no format: powermetrics(1) shows its options only. These texts have the lines that public parsers of it
    // read (asitop, powermetrics-go, MacPowerMonitor). No one of them was recorded by us on a Mac.
    const APPLE_SILICON: &str = "\
Machine model: MacBookPro18,1
OS version: 21E230
Boot arguments:
Boot time: Mon Mar 28 09:00:00 2022



*** Sampled system activity (Mon Mar 28 11:08:42 2022 +0200) (1003.42ms elapsed) ***


**** Processor usage ****

E-Cluster Online: 100%
E-Cluster HW active frequency: 1293 MHz
CPU 0 frequency: 1338 MHz
CPU 0 active residency:  55.11% (1020 MHz:  39% 1404 MHz: 2.2%)

CPU Power: 954 mW
GPU Power: 28 mW
ANE Power: 0 mW
Combined Power (CPU + GPU + ANE): 983 mW

**** GPU usage ****

GPU HW active frequency: 338 MHz
GPU Power: 28 mW
";

    const INTEL: &str = "\
*** Sampled system activity (Sat Nov 20 10:00:00 2021 +0100) (500.00ms elapsed) ***

**** Processor usage ****

Intel energy model derived package power (CPUs+GT+SA): 2.48W

System Average frequency as fraction of nominal: 67.83% (1763.61 Mhz)

**** SMC sensors ****

CPU Thermal level: 47
Fan: 1200 rpm
CPU die temperature: 52.39 C
GPU die temperature: 48.12 C
";

    fn all(text: &str) -> Vec<Found> {
        let mut reader = Text::default();
        text.lines().filter_map(|line| reader.line(line)).collect()
    }

    #[test]
    fn apple_silicon_tells_milliwatts_of_the_whole_chip() {
        assert_eq!(all(APPLE_SILICON), [Found::EnergyUj(986_362)]);
        let older = APPLE_SILICON.replace("Combined Power (CPU + GPU + ANE): 983 mW", "Package Power: 983 mW");
        assert_eq!(all(&older), [Found::EnergyUj(986_362)]);
    }

    #[test]
    fn intel_tells_watts_and_the_temperature() {
        assert_eq!(
            all(INTEL),
            [Found::EnergyUj(1_240_000), Found::TemperatureMillic(52_390)]
        );
    }

    #[test]
    fn each_sample_counts_its_own_time_once() {
        let twice = format!("{INTEL}{}", INTEL.replace("500.00ms", "250.00ms"));
        let energy: Vec<Found> = all(&twice)
            .into_iter()
            .filter(|f| matches!(f, Found::EnergyUj(_)))
            .collect();
        assert_eq!(energy, [Found::EnergyUj(1_240_000), Found::EnergyUj(620_000)]);
        // Without a head nobody knows for how long.
        assert_eq!(all("Combined Power (CPU + GPU + ANE): 983 mW\n"), []);
    }

    #[test]
    fn what_is_no_figure_is_nothing() {
        for line in [
            "Combined Power (CPU + GPU + ANE): n/a",
            "Combined Power (CPU + GPU + ANE): -3 mW",
            "Combined Power (CPU + GPU + ANE): inf mW",
            "Combined Power (CPU + GPU + ANE): 983",
            "CPU die temperature: hot C",
            "CPU die temperature: 5000 C",
            "CPU die temperature: 52 F",
        ] {
            let text = format!("*** Sampled system activity (x) (10.00ms elapsed) ***\n{line}\n");
            assert_eq!(all(&text), [], "{line}");
        }
        for head in ["(ms elapsed)", "(-1.0ms elapsed)", "(NaNms elapsed)", "10.0", ""] {
            let text = format!("*** Sampled system activity {head} ***\nPackage Power: 1 mW\n");
            assert_eq!(all(&text), [], "{head}");
        }
    }
}
