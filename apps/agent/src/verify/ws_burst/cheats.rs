//! Cheats that tell messages apart by what the loads send and by when: each is found, and an honest echo passes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest, Sha1};

use super::*;
use crate::verify::ws_echo;

/// What is known of a message when it came.
struct ReceivedMessage<'a> {
    text: bool,
    data: &'a [u8],
    /// On this connection, from 1.
    number: usize,
    open: usize,
}

/// What goes back; none for a message that is lost.
type Echo = fn(&ReceivedMessage) -> Option<Vec<u8>>;

static SHORT_ONES: AtomicUsize = AtomicUsize::new(0);
static LONG_ONES: AtomicUsize = AtomicUsize::new(0);

/// Lives as long as the tests do.
fn serve(echo: Echo) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let open: &AtomicUsize = Box::leak(Box::new(AtomicUsize::new(0)));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || {
                open.fetch_add(1, Ordering::SeqCst);
                // It ends when the client goes.
                let _ = converse(stream.unwrap(), echo, open);
                open.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    address
}

fn converse(mut stream: TcpStream, echo: Echo, open: &AtomicUsize) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut head, mut byte) = (String::new(), [0]);
    while !head.ends_with("\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0] as char);
    }
    let key = |line: &str| Some(line.split_once(": ")?.1.to_owned());
    let is_key = |line: &&str| line.to_ascii_lowercase().starts_with("sec-websocket-key");
    let key = head.lines().find(is_key).and_then(key).unwrap();
    let accept = STANDARD.encode(Sha1::digest(format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11")));
    let response = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(response.as_bytes())?;
    for number in 1.. {
        let (opcode, data) = read_frame(&mut stream)?;
        let (text, open) = (opcode == 1, open.load(Ordering::SeqCst));
        let data = &data;
        if let Some(back) = echo(&ReceivedMessage {
            text,
            data,
            number,
            open,
        }) {
            stream.write_all(&frame(&mut rng(), opcode, &back, true, false))?;
        }
    }
    Ok(())
}

fn read_frame(stream: &mut TcpStream) -> std::io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    stream.read_exact(&mut head)?;
    let mut length = usize::from(head[1] & 127);
    let more = [2, 8].get(length.wrapping_sub(126)).copied().unwrap_or_default();
    if more > 0 {
        let mut bytes = [0; 8];
        stream.read_exact(&mut bytes[8 - more..])?;
        length = u64::from_be_bytes(bytes) as usize;
    }
    let mut key = [0; 4];
    stream.read_exact(&mut key)?;
    let mut data = vec![0; length];
    stream.read_exact(&mut data)?;
    for (byte, key) in data.iter_mut().zip(key.iter().cycle()) {
        *byte ^= key;
    }
    Ok((head[0] & 15, data))
}

fn checks_of(echo: Echo) -> Checks {
    Checks::new(serve(echo), Instant::now() + Duration::from_secs(300))
}

/// The first fault of those checks that are about echoes, in the order in which they are made.
fn fault_of(echo: Echo) -> Option<(String, String)> {
    let mut checks = checks_of(echo);
    ws_echo::check_echoes(&mut checks);
    let failed = checks.done().into_iter().find(|check| check.message.is_some())?;
    Some((failed.id, failed.message.unwrap()))
}

fn whole(came: &ReceivedMessage) -> Option<Vec<u8>> {
    Some(came.data.to_vec())
}

fn every_fiftieth(of: &AtomicUsize) -> bool {
    of.fetch_add(1, Ordering::SeqCst) % 50 == 49
}

fn lowered_where(found: bool, came: &ReceivedMessage) -> Option<Vec<u8>> {
    Some(if found {
        came.data.to_ascii_lowercase()
    } else {
        came.data.to_vec()
    })
}

#[test]
fn an_honest_echo_passes() {
    assert_eq!(fault_of(whole), None);
}

#[test]
fn lower_case_of_some_texts_is_named() {
    let cheats: [Echo; 4] = [
        |came| lowered_where(came.text && (2..10).contains(&came.data.len()), came),
        |came| lowered_where(came.text && (2001..65_535).contains(&came.data.len()), came),
        |came| lowered_where(came.text && came.data.len() >= 100 && came.data.is_ascii(), came),
        |came| match std::str::from_utf8(came.data) {
            Ok(text) if came.text => Some(text.to_lowercase().into_bytes()),
            _ => whole(came),
        },
    ];
    for (number, cheat) in cheats.into_iter().enumerate() {
        let (id, message) = fault_of(cheat).unwrap_or_else(|| panic!("cheat {number} passed"));
        assert_eq!(id, "echo", "{number}: {message}");
        assert!(message.ends_with("it came back in lower case."), "{number}: {message}");
    }
}

#[test]
fn lost_messages_of_some_sorts_are_missed() {
    let cheats: [Echo; 5] = [
        |came| whole(came).filter(|_| came.open < 50 || came.number != 3),
        |came| whole(came).filter(|data| data.len() >= 12 || !every_fiftieth(&SHORT_ONES)),
        |came| whole(came).filter(|data| data.len() <= 2000 || !every_fiftieth(&LONG_ONES)),
        |came| whole(came).filter(|_| came.number < 131 || came.number % 2 == 0),
        |came| whole(came).filter(|_| came.open < 5 || came.number != 7),
    ];
    for (number, cheat) in cheats.into_iter().enumerate() {
        let fault = check(&checks_of(cheat)).expect_err(&format!("cheat {number} passed"));
        let mentions = |text| fault.message.contains(text);
        // Of the last message there is none that comes in its place.
        assert!(
            mentions(" was lost: ") || mentions("nothing came"),
            "{number}: {}",
            fault.message
        );
    }
}

#[test]
fn a_message_that_is_lost_among_others_that_are_sent_alone_is_called_lost() {
    let (id, message) = fault_of(|came| whole(came).filter(|_| came.number % 20 != 0)).unwrap();
    assert_eq!(id, "echo", "{message}");
    assert!(
        message.starts_with("The echo was right for the first 19 messages and then wrong: A message of ")
            && message.ends_with("was lost: the next echo is that of the message after it."),
        "{message}"
    );
}

#[test]
fn an_echo_that_comes_late_is_right() {
    let late = |came: &ReceivedMessage| {
        if came.number == 3 && came.open == 1 {
            std::thread::sleep(Duration::from_millis(1500));
        }
        whole(came)
    };
    assert_eq!(fault_of(late), None);
}

#[test]
fn an_echo_that_is_wrong_only_later_says_how_many_were_right() {
    let (id, message) = fault_of(|came| {
        let mut data = came.data.to_vec();
        if let Some(byte) = data.first_mut().filter(|_| came.number > 200) {
            *byte ^= 1;
        }
        Some(data)
    })
    .unwrap();
    assert_eq!(id, "burst", "{message}");
    assert!(
        message.starts_with("The echo was right for the first ") && message.contains(" messages and then wrong: "),
        "{message}"
    );
}
