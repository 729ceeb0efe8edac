//! `json-sum`: the sum of an array of integers, exact, and a refusal for anything else.

use super::bodies::{self, Bodies};
use super::draw::{between, log_between, one_of, rng};
use super::http::REFUSAL_BYTES;
use super::post::Post;
use super::report::{CheckFault, CheckResult, Checks};
use crate::splitmix::SplitMix64;

const LARGEST: i128 = (1 << 63) - 1;

pub const BODIES: Bodies = Bodies {
    what: "sum",
    draw,
    alike,
    large: 1_200_000..=1_500_000,
};

pub fn check(checks: &mut Checks) {
    bodies::check(checks, &BODIES);
    checks.check(
        "sum",
        "negative numbers, an empty array and blanks are summed right",
        sums,
    );
    checks.check("sum-wide", "sums are exact up to 2^63 - 1", |c| {
        all(c, &wide(&mut rng()))
    });
    checks.check("sum-many", "10,000 numbers are summed right", |c| {
        let mut rng = rng();
        let numbers = numbers(&mut rng, 10_000, 1 << 40);
        all(c, &[post(&numbers, &mut rng)])
    });
    checks.check("sum-overflow", "a sum that does not fit is refused", overflow);
    checks.check("sum-refused", "what is no array of integers is refused", refused);
}

/// Of 1 to 40 numbers, a few as likely as many.
fn draw(rng: &mut SplitMix64) -> Post {
    let count = log_between(rng, 1, 40);
    let widest = one_of(rng, &[10, 1000, 1 << 20, 1 << 40]);
    post(&numbers(rng, count, widest), rng)
}

/// About `bytes` long, each a single digit off the one before: what is remembered by a body's length or by a part of it is
/// found out.
fn alike(rng: &mut SplitMix64, bytes: usize, count: usize) -> Vec<Post> {
    // Eight digits, a comma, and now and then a sign or a blank.
    let mut numbers = numbers(rng, bytes / 10 + 1, 1 << 26);
    let blanks = rng.clone();
    let next = || {
        let at = between(rng, 0, numbers.len() - 1);
        numbers[at] = digit_off(rng, numbers[at]);
        // The same blanks each time.
        post(&numbers, &mut blanks.clone())
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// Another number of the same length.
fn digit_off(rng: &mut SplitMix64, number: i128) -> i128 {
    let sign = if number < 0 { -1 } else { 1 };
    let digits = number.unsigned_abs().checked_ilog10().unwrap_or_default();
    let place = 10i128.pow(rng.below(u64::from(digits) + 1) as u32);
    let old = number.abs() / place % 10;
    // Never 0, which may not stand first.
    let new = (1..10).filter(|digit| *digit != old).nth(between(rng, 0, 7));
    number + sign * place * (new.unwrap_or(old) - old)
}

fn numbers(rng: &mut SplitMix64, count: usize, widest: u64) -> Vec<i128> {
    let draw = |rng: &mut SplitMix64| i128::from(rng.below(2 * widest + 1)) - i128::from(widest);
    (0..count).map(|_| draw(rng)).collect()
}

fn post(numbers: &[i128], rng: &mut SplitMix64) -> Post {
    let mut body = Vec::new();
    let blank = |rng: &mut SplitMix64, body: &mut Vec<u8>| {
        body.extend_from_slice(one_of(rng, &["", "", "", " ", "\t", "\r\n"]).as_bytes());
    };
    blank(rng, &mut body);
    body.push(b'[');
    for (i, number) in numbers.iter().enumerate() {
        if i > 0 {
            body.push(b',');
        }
        blank(rng, &mut body);
        body.extend_from_slice(number.to_string().as_bytes());
    }
    blank(rng, &mut body);
    body.push(b']');
    of(body, numbers.iter().sum())
}

fn of(body: Vec<u8>, sum: i128) -> Post {
    Post {
        path: "/json-sum",
        kind: "application/json",
        body,
        right: format!("sum = {sum}"),
    }
}

fn all(checks: &Checks, posts: &[Post]) -> CheckResult {
    let mut connection = checks.connect()?;
    for post in posts {
        let start: String = String::from_utf8_lossy(&post.body).chars().take(60).collect();
        post.ask(&mut connection, &format!("POST /json-sum with {start:?}"))?;
    }
    Ok(())
}

fn sums(checks: &Checks) -> CheckResult {
    let mut rng = rng();
    let mut posts = vec![
        of(b"[]".to_vec(), 0),
        of(b" [\t\r\n] ".to_vec(), 0),
        of(b"[-0]".to_vec(), 0),
        of(b"\n[ 1 ,\t-2\r\n, 3 ] ".to_vec(), 2),
    ];
    posts.extend((0..20).map(|_| draw(&mut rng)));
    all(checks, &posts)
}

fn wide(rng: &mut SplitMix64) -> Vec<Post> {
    let any = 1 + i128::from(rng.next_u64() >> 2);
    let plans = [
        vec![1 << 31],
        vec![-(1 << 31) - 1],
        vec![(1 << 53) + 1],
        vec![LARGEST],
        vec![-LARGEST],
        vec![LARGEST - any, any],
        vec![any - LARGEST, -any],
        vec![LARGEST, -any],
    ];
    plans.iter().map(|numbers| post(numbers, rng)).collect()
}

fn overflow(checks: &Checks) -> CheckResult {
    let mut rng = rng();
    let any = 1 + i128::from(rng.below(1 << 40));
    for numbers in [
        vec![LARGEST, any],
        vec![-LARGEST, -1 - any],
        vec![LARGEST, LARGEST, 2 + any],
        vec![1 << 64],
        vec![LARGEST * LARGEST],
    ] {
        let post = post(&numbers, &mut rng);
        let sum: i128 = numbers.iter().sum();
        let what = format!("An array whose sum is {sum}");
        is_refused(checks, &post, &what)?;
    }
    Ok(())
}

fn refused(checks: &Checks) -> CheckResult {
    let mut rng = rng();
    let number = rng.below(1000);
    let bodies = [
        String::new(),
        "[".to_owned(),
        format!("[{number}"),
        format!("[{number},]"),
        format!("[{number} 1]"),
        format!("[{number}]x"),
        format!("{{\"a\":{number}}}"),
        number.to_string(),
        "null".to_owned(),
        format!("[{number},null]"),
        format!("[{number},\"2\"]"),
        format!("[[{number}],2]"),
        format!("[{number}.5]"),
        "[-]".to_owned(),
        format!("[0{number}]"),
        "[".repeat(50_000),
    ];
    for body in bodies {
        let start: String = body.chars().take(40).collect();
        is_refused(checks, &of(body.into_bytes(), 0), &format!("The body {start:?}"))?;
    }
    // The server lives.
    all(checks, &[draw(&mut rng)])
}

fn is_refused(checks: &Checks, post: &Post, what: &str) -> CheckResult {
    let mut connection = checks.connect()?;
    connection.send(&post.bytes()).map_err(|e| CheckFault::http(what, e))?;
    let head = connection.head().map_err(|e| CheckFault::http(what, e))?;
    // The body of a refusal may be anything.
    match head.status {
        400..=499 => Ok(()),
        other => {
            let body = connection.any_body(&head, REFUSAL_BYTES).unwrap_or_default();
            let body: String = String::from_utf8_lossy(&body).chars().take(100).collect();
            let message = format!("{what} got status {other} and {body:?}, and not 4xx.");
            Err(CheckFault::new(message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alike_bodies_differ_in_one_digit_and_their_sums_are_right() {
        let mut rng = SplitMix64::new(3);
        for bytes in [50, 3000] {
            let posts = alike(&mut rng, bytes, 30);
            for pair in posts.windows(2) {
                assert_eq!(pair[0].body.len(), pair[1].body.len());
                let differ = pair[0].body.iter().zip(&pair[1].body).filter(|(a, b)| a != b).count();
                assert_eq!(differ, 1);
                assert_ne!(pair[0].right, pair[1].right);
            }
            for post in posts {
                let numbers: Vec<i64> = serde_json::from_slice(&post.body).unwrap();
                assert_eq!(post.right, format!("sum = {}", numbers.iter().sum::<i64>()));
            }
        }
    }
}
