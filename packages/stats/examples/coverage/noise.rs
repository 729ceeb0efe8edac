//! Noise of a block's log-ratio, with a true mean of 0.

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In (0, 1).
    pub fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    pub fn index(&mut self, len: usize) -> usize {
        (self.next() % len as u64) as usize
    }

    /// Box & Muller, Ann. Math. Statist. 29 (1958) 610–611.
    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Noise {
    /// Both rates are normal with a CV of 10 %.
    Normal,
    /// Both rates are log-normal: the log-ratio is normal, sd 10 %.
    LogNormal,
    /// The log-ratio is Student's t with 3 degrees of freedom.
    HeavyTails,
    /// One block of twenty is ten times as noisy.
    Outliers,
    /// Drawn from recorded rates of A/A tests. The labels mean the same, so each sign is as likely as the other.
    Rates,
    /// The same of CPU times a request.
    CpuTimes,
    /// The recorded rates with the signs that they happened to have, about their mean.
    RatesAsTheyFell,
    /// The log-ratio itself is log-normal (σ ½): noise that hits one of the two alone.
    Skewed,
}

/// What the chosen method is not held to: true means that are not in the middle.
pub const SHOWN: [Noise; 2] = [Noise::RatesAsTheyFell, Noise::Skewed];

/// What the chosen method is held to.
pub const HELD: [Noise; 6] = [
    Noise::Normal,
    Noise::LogNormal,
    Noise::HeavyTails,
    Noise::Outliers,
    Noise::Rates,
    Noise::CpuTimes,
];

impl Noise {
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::LogNormal => "log-normal",
            Self::HeavyTails => "t, 3 df",
            Self::Outliers => "5 % outliers",
            Self::Rates => "recorded rates",
            Self::CpuTimes => "recorded CPU times",
            Self::RatesAsTheyFell => "recorded rates, signs as they fell",
            Self::Skewed => "skewed",
        }
    }

    /// `n` blocks.
    pub fn draw(self, stream: &mut SplitMix64, n: usize, recorded: &Recorded) -> Vec<f64> {
        (0..n).map(|_| self.one(stream, recorded)).collect()
    }

    fn one(self, stream: &mut SplitMix64, recorded: &Recorded) -> f64 {
        let rate = |stream: &mut SplitMix64| (1.0 + 0.1 * stream.normal()).max(0.01).ln();
        match self {
            Self::Normal => rate(stream) - rate(stream),
            Self::LogNormal => 0.1 * stream.normal(),
            Self::HeavyTails => {
                let squares: f64 = (0..3).map(|_| stream.normal().powi(2)).sum();
                0.1 * stream.normal() / (squares / 3.0).sqrt()
            }
            Self::Outliers => {
                let wide = if stream.uniform() < 0.05 { 1.0 } else { 0.1 };
                wide * stream.normal()
            }
            Self::Rates => either_sign(pick(&recorded.rates, stream), stream),
            Self::CpuTimes => either_sign(pick(&recorded.cpu_times, stream), stream),
            Self::RatesAsTheyFell => pick(&recorded.rates, stream) - recorded.mean_rate,
            Self::Skewed => 0.1 * ((0.5 * stream.normal()).exp() - 0.125_f64.exp()),
        }
    }
}

fn pick(values: &[f64], stream: &mut SplitMix64) -> f64 {
    values[stream.index(values.len())]
}

fn either_sign(value: f64, stream: &mut SplitMix64) -> f64 {
    value.copysign(stream.uniform() - 0.5)
}

/// Log-ratios of a server to itself.
pub struct Recorded {
    rates: Vec<f64>,
    cpu_times: Vec<f64>,
    mean_rate: f64,
}

pub fn recorded() -> Recorded {
    let file: serde_json::Value = serde_json::from_str(include_str!("recorded.json")).unwrap();
    let logs = |key: &str| -> Vec<f64> { serde_json::from_value(file[key].clone()).unwrap() };
    let rates = logs("requests_per_s");
    Recorded {
        mean_rate: rates.iter().sum::<f64>() / rates.len() as f64,
        rates,
        cpu_times: logs("cpu_us_per_request"),
    }
}
