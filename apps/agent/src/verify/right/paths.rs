//! A path that has nothing to do with the known ones is not answered like them: who does so looks nothing up. A router that
//! matches by prefix, or a page that says "not found" with status 200, is no cheat.

use super::super::draw::{random_name, rng};
use super::super::report::{Checks, Fault, Verdict};
use super::load::{Ask, Load, Right};

pub fn unknown(checks: &Checks, load: &Load<'_>, count: usize) -> Verdict {
    let mut rng = rng();
    let drawn = || [random_name(), format!("{}/{}.html", random_name(), random_name())];
    let drawn = std::iter::repeat_with(drawn).flatten();
    for path in drawn.take(count).map(|name| format!("/{name}")) {
        let mut connection = checks.connect()?;
        let Ask { bytes, right, .. } = load.next_at(&path, &mut rng);
        // It may be refused in any way: no load asks for it.
        if connection.send(&bytes).is_err() {
            continue;
        }
        let Ok(head) = connection.head() else { continue };
        let Right::Body(known) = right else { continue };
        let Ok(body) = connection.any_body(&head, known.len() + 1) else {
            continue;
        };
        if (200..300).contains(&head.status) && body == *known {
            return Err(Fault::new(format!(
                "{path}, a drawn path that nobody knows, was answered with {} and the body of {}: every path seems to be \
                 answered alike.",
                head.status, load.scenario.path
            )));
        }
    }
    Ok(())
}
