//! A server that ends connections that were to stay: what the trial's label says. Pure.

use crate::protocol::result::Reason;
use crate::verify::Closes;

/// `made`: connections that the kernel counted while there was load.
pub fn label(closes: Closes, made: Option<u64>) -> Reason {
    let after = match closes.after {
        1 => "each request".to_owned(),
        n => format!("{} requests", grouped(n)),
    };
    let how = if closes.announced { "" } else { " without saying so" };
    let made = made.map_or_else(String::new, |n| {
        format!("; {} connections were made during the load", grouped(n))
    });
    Reason::new(
        "closes-after",
        format!("The server closes a connection after {after}{how}{made}."),
    )
}

/// It says why connections were made anew, so the label that only says that they were is not needed.
pub fn add(labels: &mut Vec<Reason>, closes: Option<Reason>) {
    if let Some(closes) = closes {
        labels.retain(|label| label.code != "connections-renewed");
        labels.push(closes);
    }
}

/// 1000000 is 1,000,000.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_says_after_how_many_and_how_many_connections_were_made() {
        let of = |after, announced, made| label(Closes { after, announced }, made).message;
        assert_eq!(
            of(1000, true, Some(1_234_567)),
            "The server closes a connection after 1,000 requests; 1,234,567 connections were made during the load."
        );
        assert_eq!(of(1, true, None), "The server closes a connection after each request.");
        assert_eq!(
            of(30, false, None),
            "The server closes a connection after 30 requests without saying so."
        );
    }

    #[test]
    fn it_stands_in_for_the_label_that_connections_were_renewed() {
        let mut labels = vec![Reason::new("connections-renewed", "…"), Reason::new("steal", "…")];
        add(&mut labels, None);
        assert_eq!(labels.len(), 2);
        add(
            &mut labels,
            Some(label(
                Closes {
                    after: 5,
                    announced: true,
                },
                None,
            )),
        );
        let codes: Vec<&str> = labels.iter().map(|l| l.code.as_str()).collect();
        assert_eq!(codes, ["steal", "closes-after"]);
    }
}
