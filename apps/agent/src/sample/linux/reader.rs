//! A file of /proc or /sys that is read again and again: opened once, read from its beginning each time.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Room for what is read here; of a longer file (/proc/stat of a large machine) the beginning is enough.
const BUFFER_BYTES: usize = 16 * 1024;

pub type Buffer = [u8; BUFFER_BYTES];

pub fn buffer() -> Box<Buffer> {
    Box::new([0; BUFFER_BYTES])
}

pub struct Reader(File);

impl Reader {
    pub fn open(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// The file's text as it is now; `None` once the process behind it is gone. A text that is longer than the buffer
    /// ends after its last whole word. Process names may be any bytes, so what is not UTF-8 is replaced.
    pub fn read<'b>(&self, buffer: &'b mut Buffer) -> Option<Cow<'b, str>> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.0.read_at(&mut buffer[filled..], filled as u64).ok()? {
                0 => break,
                n => filled += n,
            }
        }
        let mut bytes = &buffer[..filled];
        if filled == buffer.len() {
            bytes = &bytes[..bytes.iter().rposition(u8::is_ascii_whitespace)?];
        }
        Some(String::from_utf8_lossy(bytes))
    }

    pub fn number(&self, buffer: &mut Buffer) -> Option<i64> {
        self.read(buffer)?.trim().parse().ok()
    }
}
