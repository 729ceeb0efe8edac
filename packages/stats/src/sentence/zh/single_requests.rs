//! Single requests in a closed loop: sentences with times and without ranks.

use super::unranked;
use crate::figures::Figures;
use crate::input::ScenarioInput;
use crate::sentence::number::time;
use crate::sentence::single_requests::times;
use crate::sentence::tidy;
use crate::unranked::unranked as why_unranked;

/// Why nobody is ranked.
pub const NOT_RANKED: &str = "闭环中的单个请求：不排名";

/// The times of all, then who has none and why.
#[must_use]
pub fn scenario(scenario: &ScenarioInput, figures: &[Figures<'_>]) -> String {
    let timed = times(scenario, figures);
    let mut sentences = String::new();
    if !timed.is_empty() {
        sentences += &format!("首字节时间的中位数：{}。", timed.join("，"));
    }
    let others = figures.iter().filter(|f| why_unranked(scenario, f).is_some());
    sentences.extend(others.map(|f| entry(scenario, f)));
    sentences + "闭环中的单个请求不排名。"
}

/// One entry with its time alone.
#[must_use]
pub fn entry(scenario: &ScenarioInput, figures: &Figures<'_>) -> String {
    let name = &figures.label;
    match (why_unranked(scenario, figures), figures.metric) {
        (None, Some(found)) => format!(
            "{name}：首字节时间 {}（单个请求的中位数），不排名。",
            time(found.median)
        ),
        (why, _) => {
            let words = why.map_or_else(String::new, |why| unranked::words(&why, scenario, figures));
            let words = tidy(&words);
            format!("{name} 没有可用的首字节时间：{}。", words.trim_end_matches(['.', '。']))
        }
    }
}
