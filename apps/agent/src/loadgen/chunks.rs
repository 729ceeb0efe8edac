//! A chunked body (RFC 9112, 7.1): which bytes are data, and where the body ends.

/// The most hexadecimal digits that a chunk size may have.
const MOST_DIGITS: u8 = 12;

#[derive(Debug, Default)]
pub struct Chunks {
    state: ChunkState,
    digits: u8,
    /// Of the chunk.
    left: u64,
    /// A line of trailers has had a byte.
    in_line: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum ChunkState {
    #[default]
    Size,
    /// The rest of the size's line, which may have extensions.
    Extension,
    Data,
    /// The line end behind the data.
    Behind,
    Trailer,
}

#[derive(Debug, PartialEq, Eq)]
pub enum ChunkPart {
    Framing,
    Data,
    End,
}

impl Chunks {
    /// How many of the first bytes are one part. `None` where they are no chunks.
    pub fn feed(&mut self, input: &[u8]) -> Option<(usize, ChunkPart)> {
        if self.state == ChunkState::Data {
            let n = usize::try_from(self.left).unwrap_or(usize::MAX).min(input.len());
            self.left -= n as u64;
            if self.left == 0 {
                self.state = ChunkState::Behind;
            }
            return Some((n, ChunkPart::Data));
        }
        match self.byte(*input.first()?)? {
            true => Some((1, ChunkPart::End)),
            false => Some((1, ChunkPart::Framing)),
        }
    }

    /// Was it the last one?
    fn byte(&mut self, byte: u8) -> Option<bool> {
        match (self.state, byte) {
            (ChunkState::Size, b'\n') | (ChunkState::Extension, b'\n') => {
                if self.digits == 0 {
                    return None;
                }
                self.digits = 0;
                self.in_line = false;
                self.state = if self.left == 0 {
                    ChunkState::Trailer
                } else {
                    ChunkState::Data
                };
            }
            (ChunkState::Size, b';' | b'\r' | b' ' | b'\t') => self.state = ChunkState::Extension,
            (ChunkState::Size, digit) => {
                let value = char::from(digit).to_digit(16)?;
                self.digits += 1;
                if self.digits > MOST_DIGITS {
                    return None;
                }
                self.left = self.left << 4 | u64::from(value);
            }
            (ChunkState::Extension | ChunkState::Behind, b'\r') | (ChunkState::Trailer, b'\r') => {}
            (ChunkState::Extension, _) => {}
            (ChunkState::Behind, b'\n') => self.state = ChunkState::Size,
            (ChunkState::Behind, _) => return None,
            (ChunkState::Trailer, b'\n') if self.in_line => self.in_line = false,
            (ChunkState::Trailer, b'\n') => return Some(true),
            (ChunkState::Trailer, _) => self.in_line = true,
            (ChunkState::Data, _) => unreachable!("data is taken as a whole"),
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The data, and how many bytes all of it took.
    fn read(input: &[u8], piece: usize) -> Option<(Vec<u8>, usize)> {
        let (mut chunks, mut data, mut at) = (Chunks::default(), Vec::new(), 0);
        for part in input.chunks(piece) {
            let mut rest = part;
            while !rest.is_empty() {
                let (n, kind) = chunks.feed(rest)?;
                at += n;
                match kind {
                    ChunkPart::Data => data.extend_from_slice(&rest[..n]),
                    ChunkPart::Framing => {}
                    ChunkPart::End => return Some((data, at)),
                }
                rest = &rest[n..];
            }
        }
        None
    }

    #[test]
    fn data_and_framing_are_separated_however_the_bytes_are_cut() {
        let text = b"5;x=y\r\nab\r\nc\r\n1\r\nd\r\n0\r\nT: 1\r\n\r\n";
        let all = [&text[..], b"HTTP/1.1 200"].concat();
        for piece in [1, 2, 3, 7, all.len()] {
            assert_eq!(read(&all, piece), Some((b"ab\r\ncd".to_vec(), text.len())), "{piece}");
        }
        assert_eq!(read(b"0\r\n\r\n", 1), Some((Vec::new(), 5)));
    }

    #[test]
    fn what_is_no_chunk_is_found() {
        for wrong in ["x\r\n", "\r\n", "2\r\nabc\r\n", "fffffffffffff\r\n", "-1\r\n"] {
            assert_eq!(read(wrong.as_bytes(), 4), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn chunks_of_any_sizes_add_up(body in prop::collection::vec(any::<u8>(), 0..300), size in 1usize..50, piece in 1usize..40) {
            let mut bytes = Vec::new();
            for part in body.chunks(size) {
                bytes.extend(format!("{:X}\r\n", part.len()).bytes().chain(part.iter().copied()).chain(*b"\r\n"));
            }
            bytes.extend(b"0\r\n\r\n");
            prop_assert_eq!(read(&bytes, piece), Some((body, bytes.len())));
        }
    }
}
