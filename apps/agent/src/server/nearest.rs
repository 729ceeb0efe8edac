//! "Did you mean": the known names that are closest to a mistyped one.

/// At most three, best first; none when nothing is close.
pub fn nearest<'a>(asked: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let close = asked.chars().count().max(3) / 2;
    let mut scored: Vec<(usize, &str)> = known
        .into_iter()
        .map(|name| {
            let contained = asked.len() >= 3 && (name.contains(asked) || asked.contains(name));
            (if contained { 1 } else { distance(asked, name) }, name)
        })
        .filter(|(score, _)| *score <= close)
        .collect();
    scored.sort();
    scored.into_iter().map(|(_, name)| name).take(3).collect()
}

/// The end of a sentence about an unknown name, with its mark: what is close, else everything.
pub fn hint<'a>(asked: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let close = nearest(asked, known.iter().copied());
    if close.is_empty() && known.is_empty() {
        "there is none.".to_owned()
    } else if let ([], [only]) = (close.as_slice(), known.as_slice()) {
        format!("there is only {only}.")
    } else if close.is_empty() {
        format!("there are {}.", known.join(", "))
    } else {
        format!("did you mean {}?", close.join(" or "))
    }
}

/// Levenshtein, with a swap of neighbors as one edit.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if swap { best.min(rows[i - 2][j - 2] + 1) } else { best }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_finds_its_name() {
        let known = ["epoll", "io-uring", "nginx", "libuv"];
        assert_eq!(nearest("epol", known), ["epoll"]);
        assert_eq!(nearest("ngnix", known), ["nginx"]);
        assert_eq!(nearest("io_uring", known), ["io-uring"]);
        assert_eq!(nearest("apache", known), Vec::<&str>::new());
        assert_eq!(hint("apache", known), "there are epoll, io-uring, nginx, libuv.");
        assert_eq!(hint("apache", ["epoll"]), "there is only epoll.");
        assert_eq!(hint("apache", []), "there is none.");
        assert_eq!(hint("liubv", known), "did you mean libuv?");
    }
}
