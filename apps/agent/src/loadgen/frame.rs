//! Frames of RFC 6455: a client's (masked) written, a server's (unmasked) read.

pub const CONTINUATION: u8 = 0;
pub const TEXT: u8 = 1;
pub const BINARY: u8 = 2;
pub const CLOSE: u8 = 8;
pub const PING: u8 = 9;
pub const PONG: u8 = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameHead {
    /// Bytes of the head itself.
    pub bytes: usize,
    pub fin: bool,
    pub opcode: u8,
    pub length: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParsedFrame {
    Frame(FrameHead),
    Incomplete,
    Broken,
}

/// Of a server's frame.
pub fn parse(input: &[u8]) -> ParsedFrame {
    let &[first, second, ref rest @ ..] = input else {
        return ParsedFrame::Incomplete;
    };
    let (fin, opcode) = (first & 0x80 != 0, first & 0x0f);
    let known = matches!(opcode, CONTINUATION..=BINARY | CLOSE..=PONG);
    // Reserved bits are for extensions, which were not requested; a server does not mask.
    if first & 0x70 != 0 || !known || second & 0x80 != 0 {
        return ParsedFrame::Broken;
    }
    let (bytes, length) = match second {
        126 => match rest.first_chunk::<2>() {
            Some(n) => (4, u64::from(u16::from_be_bytes(*n))),
            None => return ParsedFrame::Incomplete,
        },
        127 => match rest.first_chunk::<8>() {
            Some(n) => (10, u64::from_be_bytes(*n)),
            None => return ParsedFrame::Incomplete,
        },
        n => (2, u64::from(n)),
    };
    if (opcode >= CLOSE && (!fin || second > 125)) || length >> 63 != 0 {
        return ParsedFrame::Broken;
    }
    ParsedFrame::Frame(FrameHead {
        bytes,
        fin,
        opcode,
        length,
    })
}

/// The head of a client's whole message; the mask follows it.
pub fn write_head(to: &mut Vec<u8>, opcode: u8, length: usize, mask: [u8; 4]) {
    to.push(0x80 | opcode);
    match length {
        0..=125 => to.push(0x80 | length as u8),
        126..=0xffff => {
            to.push(0x80 | 126);
            to.extend_from_slice(&(length as u16).to_be_bytes());
        }
        _ => {
            to.push(0x80 | 127);
            to.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    to.extend_from_slice(&mask);
}

/// The payload began at `from` of `bytes`.
pub fn mask(bytes: &mut [u8], from: usize, mask: [u8; 4]) {
    let wide = u64::from_ne_bytes([mask[0], mask[1], mask[2], mask[3], mask[0], mask[1], mask[2], mask[3]]);
    let mut eights = bytes[from..].chunks_exact_mut(8);
    for eight in &mut eights {
        let word = u64::from_ne_bytes(eight.try_into().expect("it has eight")) ^ wide;
        eight.copy_from_slice(&word.to_ne_bytes());
    }
    for (byte, key) in eights.into_remainder().iter_mut().zip(mask.into_iter().cycle()) {
        *byte ^= key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_frame_that_was_written_is_read_back(
            opcode in prop_oneof![Just(TEXT), Just(BINARY)],
            payload in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..300),
                prop::collection::vec(any::<u8>(), 65_530..65_540),
            ],
            key in any::<[u8; 4]>(),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut bytes = Vec::new();
            write_head(&mut bytes, opcode, payload.len(), key);
            let head = bytes.len();
            bytes.extend(&payload);
            mask(&mut bytes, head, key);
            // As a server would send it: without the mask.
            bytes[1] &= 0x7f;
            bytes.drain(head - 4..head);
            let expected = FrameHead { bytes: head - 4, fin: true, opcode, length: payload.len() as u64 };
            prop_assert_eq!(parse(&bytes), ParsedFrame::Frame(expected));
            let unmasked: Vec<u8> = bytes[head - 4..].iter().enumerate().map(|(i, b)| b ^ key[i % 4]).collect();
            prop_assert_eq!(unmasked, payload);
            prop_assert_eq!(parse(&bytes[..cut.index(head - 4)]), ParsedFrame::Incomplete);
        }

        #[test]
        fn any_bytes_are_taken(input in prop::collection::vec(any::<u8>(), 0..20)) {
            if let ParsedFrame::Frame(frame) = parse(&input) {
                prop_assert!(frame.bytes <= input.len());
                prop_assert!(frame.opcode < CLOSE || (frame.fin && frame.length <= 125));
            }
        }
    }

    #[test]
    fn masked_reserved_and_unknown_frames_are_broken() {
        for broken in [[0x81, 0x81], [0xc1, 0], [0x83, 0], [0x09, 0], [0x89, 126]] {
            let mut bytes = broken.to_vec();
            bytes.extend([0; 8]);
            assert_eq!(parse(&bytes), ParsedFrame::Broken, "{broken:x?}");
        }
    }
}
