//! What can happen to the files.

use std::path::PathBuf;

use proptest::prelude::*;

#[derive(Debug, Clone)]
pub enum Damage {
    Truncate(prop::sample::Index),
    Flip(prop::sample::Index, u8),
    Zero(prop::sample::Index, usize),
    Garbage(Vec<u8>),
    Delete,
}

pub fn damage() -> impl Strategy<Value = (prop::sample::Index, Damage)> {
    let what = prop_oneof![
        3 => any::<prop::sample::Index>().prop_map(Damage::Truncate),
        5 => (any::<prop::sample::Index>(), 0_u8..8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        2 => (any::<prop::sample::Index>(), 1_usize..5000).prop_map(|(at, n)| Damage::Zero(at, n)),
        1 => prop::collection::vec(any::<u8>(), 1..100).prop_map(Damage::Garbage),
        1 => Just(Damage::Delete),
    ];
    (any::<prop::sample::Index>(), what)
}

pub fn inflict(files: &[PathBuf], which: prop::sample::Index, damage: &Damage) {
    let files: Vec<&PathBuf> = files.iter().filter(|path| path.exists()).collect();
    if files.is_empty() {
        return;
    }
    let path = which.get(&files);
    let mut bytes = std::fs::read(path).unwrap();
    if bytes.is_empty() {
        return;
    }
    match damage {
        Damage::Truncate(at) => bytes.truncate(at.index(bytes.len())),
        Damage::Flip(at, bit) => {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        Damage::Zero(at, n) => {
            let at = at.index(bytes.len());
            let end = (at + n).min(bytes.len());
            bytes[at..end].fill(0);
        }
        Damage::Garbage(extra) => bytes.extend(extra),
        Damage::Delete => return std::fs::remove_file(path).unwrap(),
    }
    std::fs::write(path, bytes).unwrap();
}
