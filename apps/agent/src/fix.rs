//! What would fix it. A fix is a command or whole sentences; only here it is put beside its reason.

/// The reason, then what to do about it.
pub fn with_reason(reason: &str, fix: Option<&str>) -> String {
    match fix.map(str::trim).filter(|f| !f.is_empty()) {
        None => reason.to_owned(),
        Some(command) if is_command(command) => format!("{reason} To fix it, run `{command}`."),
        Some(sentence) => format!("{reason} {sentence}"),
    }
}

/// By the same rule the web app sets a command in its own type.
fn is_command(fix: &str) -> bool {
    !fix.contains('`') && !fix.ends_with(['.', '!'])
}

#[cfg(test)]
mod tests {
    use super::with_reason;

    #[test]
    fn commands_and_sentences_are_told_apart() {
        assert_eq!(
            with_reason(
                "RIGMARK_AB names /nonexistent, which is no program.",
                Some("unset RIGMARK_AB")
            ),
            "RIGMARK_AB names /nonexistent, which is no program. To fix it, run `unset RIGMARK_AB`."
        );
        assert_eq!(
            with_reason("It is gone.", Some("Install the agent again.")),
            "It is gone. Install the agent again."
        );
        assert_eq!(with_reason("It is gone.", None), "It is gone.");
        assert_eq!(with_reason("It is gone.", Some("")), "It is gone.");
    }
}
