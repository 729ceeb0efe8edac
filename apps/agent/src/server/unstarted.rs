//! Why a program could not be started, from a look at its file: the kernel's own words name the wrong thing.

use std::io::{ErrorKind, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::program::find_command;
use crate::text::plain;

/// Of a file, enough for its first line.
const LOOKED_AT: u64 = 256;
const SHOWN_CHARS: usize = 80;
const SHELL_LINE: &str = r#"each argument is a string of its own; for a shell line write ["sh", "-c", "…"]"#;

/// What to do about it, as the end of a sentence. `from` is where the program would have been started; `folders` may stand before
/// what was typed, and have spaces of their own.
pub fn next_step(program: &str, from: &Path, folders: [&Path; 2], error: &std::io::Error) -> Option<String> {
    let file = match program.contains('/') {
        true => Some(from.join(program)),
        false => find_command(program),
    };
    let about = file.and_then(|file| about(&file, error));
    if about.is_some() || error.kind() != ErrorKind::NotFound {
        return about;
    }
    let folders = folders.map(|folder| folder.display().to_string());
    let typed = folders.iter().find_map(|folder| program.strip_prefix(folder.as_str()));
    let spaced = typed.unwrap_or(program).contains(char::is_whitespace);
    spaced.then(|| SHELL_LINE.to_owned())
}

fn about(file: &Path, error: &std::io::Error) -> Option<String> {
    let meta = std::fs::metadata(file).ok()?;
    let name = plain(&file.file_name()?.to_string_lossy(), SHOWN_CHARS);
    if meta.is_dir() {
        return Some("that is a folder; name the program in it".to_owned());
    }
    if meta.permissions().mode() & 0o111 == 0 {
        return Some(format!("its file is not executable; make it so with `chmod +x {name}`"));
    }
    let (opened, mut start) = (std::fs::File::open(file).ok()?, Vec::new());
    opened.take(LOOKED_AT).read_to_end(&mut start).ok()?;
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if start.starts_with(b"#!") && line.ends_with(b"\r") {
        return Some("its first line ends with a carriage return; save it with Unix line ends".to_owned());
    }
    if let Some(rest) = line.strip_prefix(b"#!") {
        let rest = String::from_utf8_lossy(rest);
        let interpreter = rest.split_whitespace().next().unwrap_or_default();
        let shown = plain(interpreter, SHOWN_CHARS);
        let gone = !Path::new(interpreter).is_file();
        return gone.then(|| format!("its first line names {shown}, which is not here; install it or change the line"));
    }
    if error.raw_os_error() != Some(libc::ENOEXEC) {
        return None;
    }
    Some(match start.contains(&0) {
        true => "its file is for another kind of processor or system; build it for this one".to_owned(),
        false => "begin it with a line such as #!/bin/sh".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_what_is_wrong_with_it() {
        let dir = tempfile::tempdir().unwrap();
        let folders = [dir.path().join("a b"), dir.path().join("src")];
        let next = |program: &str, code| {
            let error = std::io::Error::from_raw_os_error(code);
            next_step(program, dir.path(), [&folders[0], &folders[1]], &error).unwrap_or_default()
        };
        let write = |name: &str, mode, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        write("plain.sh", 0o644, "#!/bin/sh\n");
        assert!(next("./plain.sh", libc::EACCES).contains("`chmod +x plain.sh`"));
        write("dos.sh", 0o755, "#!/bin/sh\r\nexit\r\n");
        assert!(next("./dos.sh", libc::ENOENT).contains("carriage return"));
        write("gone.sh", 0o755, "#!/no/such/interpreter -x\n");
        assert!(next("./gone.sh", libc::ENOENT).contains("names /no/such/interpreter, which is not here"));
        write("bare.sh", 0o755, "exit\n");
        assert!(next("./bare.sh", libc::ENOEXEC).contains("#!/bin/sh"));
        write("other", 0o755, "\u{7f}ELF\0\0");
        assert!(next("./other", libc::ENOEXEC).contains("another kind of processor"));
        assert!(next("node server.js", libc::ENOENT).contains("each argument is a string of its own"));
        let missing = folders[0].join("server");
        assert_eq!(next(missing.to_str().unwrap(), libc::ENOENT), "");
        assert_eq!(next("./nothing", libc::ENOENT), "");
    }
}
