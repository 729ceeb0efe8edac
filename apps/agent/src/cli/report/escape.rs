//! Text from a run inside Markdown: it stays text, whatever a forge makes of Markdown and HTML. Pages do the same
//! (`packages/domain/src/report/internal/render/markdown.ts`).

/// Stands behind what a forge would turn into a link or a mention, and is not seen.
const STOP: char = '\u{200b}';

/// Free text inside a paragraph or a cell: one line, without mentions, references, links, Markdown and HTML.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in unlinked(&one_line(text)).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Inside HTML that stands in Markdown, such as `<code>`: no character is Markdown's any more.
pub fn html_in_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in unlinked(&one_line(text)).chars() {
        if "&<>\"'|\\`*_[]~!$".contains(c) {
            out.push_str(&format!("&#{};", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// A command as it is copied: nothing is put into it. Only for `<code>`, in which a forge links nothing.
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in one_line(text).chars().filter(|c| !is_direction(*c)) {
        if "&<>\"'|\\`*_[]~!$@#:".contains(c) {
            out.push_str(&format!("&#{};", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    format!("<code>{out}</code>")
}

/// In an HTML page of our own.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars().filter(|c| !is_direction(*c)) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A forge turns @name, #1, !1 and addresses into links, and text with right-to-left marks into something else than it is.
fn unlinked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let plain: String = text.chars().filter(|c| !is_direction(*c)).collect();
    let mut rest = plain.as_str();
    'text: while let Some(c) = rest.chars().next() {
        if let Some(word) = LINKS.iter().find(|word| starts_with(rest, word)) {
            let (scheme, after) = rest.split_at(word.len());
            if after.starts_with([':', '.']) {
                out.push_str(scheme);
                if !after.starts_with("://") {
                    out.push(STOP);
                }
                rest = after;
                continue 'text;
            }
        }
        // Whatever the scheme.
        if rest.starts_with("://") {
            out.push(STOP);
        }
        out.push(c);
        if matches!(c, '@' | '#') {
            out.push(STOP);
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

const LINKS: [&str; 6] = ["https", "http", "ftp", "mailto", "xmpp", "www"];

fn starts_with(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word))
}

fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_scheme_and_no_mark_of_direction_is_left() {
        assert_eq!(markdown("smb://evil/x"), "smb\u{200b}://evil/x");
        assert_eq!(code("a\u{202e}b"), "<code>ab</code>");
        assert_eq!(html("a\u{2066}<b"), "a&lt;b");
    }

    #[test]
    fn nothing_of_a_label_is_more_than_text() {
        let shown = markdown("a|b <img src=x> [x](https://evil.example) @everyone #1 `c` *d* ![i](j)\n# h");
        assert_eq!(
            shown,
            "a\\|b &lt;img src=x&gt; \\[x\\](https\u{200b}://evil.example) @\u{200b}everyone #\u{200b}1 \\`c\\` \\*d\\* \
             \\!\\[i\\](j) #\u{200b} h"
        );
        assert_eq!(markdown("WWW.evil.example"), "WWW\u{200b}.evil.example");
        assert_eq!(markdown("a\u{202e}b"), "ab");
        assert_eq!(
            code("it's `<b>` @me"),
            "<code>it&#39;s &#96;&#60;b&#62;&#96; &#64;me</code>"
        );
        assert_eq!(html("<script>\"'&"), "&lt;script&gt;&quot;&#39;&amp;");
        for text in ["</code></details>", "a | b", "<!-- rigmark:x -->", "-->"] {
            assert!(
                !markdown(text).contains('<') && !markdown(text).contains("-->"),
                "{text}"
            );
            assert!(!html_in_markdown(text).contains(['<', '>', '|']), "{text}");
        }
    }
}
