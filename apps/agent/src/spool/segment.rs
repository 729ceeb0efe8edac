//! One segment file that is being written, and one that is read.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::SpoolError;
use super::format::{FRAMES_AT, Header, encode_header};

pub fn path(dir: &Path, number: u32) -> PathBuf {
    dir.join(format!("{number:08}.seg"))
}

/// The numbers of the segments in the folder, ascending.
pub fn list(dir: &Path) -> io::Result<Vec<u32>> {
    let mut numbers: Vec<u32> = match std::fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    }
    .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".seg")?.parse().ok())
    .collect();
    numbers.sort_unstable();
    Ok(numbers)
}

pub fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// An open segment. Clones share the file, so that whoever waits for the disk needs no lock.
#[derive(Debug, Clone)]
pub struct Segment {
    pub number: u32,
    pub path: PathBuf,
    file: Arc<File>,
    /// How far the disk is known to have it; 0 while not even its name is.
    synced: Arc<AtomicU64>,
    end: u64,
}

impl Segment {
    pub fn create(dir: &Path, header: &Header) -> Result<Self, SpoolError> {
        let path = path(dir, header.number);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .map_err(SpoolError::io(&path))?;
        let mut segment = Self::with(file, path, header.number, 0);
        if let Err(error) = segment.append(&encode_header(header)) {
            let _ = std::fs::remove_file(&segment.path);
            return Err(error);
        }
        Ok(segment)
    }

    /// Opens one that is there and cuts what comes after `end`.
    pub fn reopen(dir: &Path, number: u32, end: u64) -> Result<Self, SpoolError> {
        let path = path(dir, number);
        let open = || {
            let file = OpenOptions::new().read(true).write(true).open(&path)?;
            if file.metadata()?.len() > end {
                file.set_len(end)?;
            }
            io::Result::Ok(file)
        };
        let file = open().map_err(SpoolError::io(&path))?;
        Ok(Self::with(file, path, number, end))
    }

    fn with(file: File, path: PathBuf, number: u32, end: u64) -> Self {
        Self {
            number,
            path,
            file: Arc::new(file),
            synced: Arc::new(AtomicU64::new(0)),
            end,
        }
    }

    pub fn end(&self) -> u64 {
        self.end
    }

    pub fn is_empty(&self) -> bool {
        self.end <= FRAMES_AT as u64
    }

    /// All of it, or an error and the file as it was before.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), SpoolError> {
        if let Err(error) = write_at(&self.file, bytes, self.end) {
            // Making a file shorter needs no room.
            let _ = self.file.set_len(self.end);
            return Err(SpoolError::io(&self.path)(error));
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Makes sure that the disk has everything before `end`.
    pub fn sync(&self, end: u64) -> Result<(), SpoolError> {
        let before = self.synced.load(Ordering::Acquire);
        if before >= end {
            return Ok(());
        }
        let sync = || {
            sync_data(&self.file)?;
            match (before, self.path.parent()) {
                (0, Some(dir)) => sync_dir(dir),
                _ => Ok(()),
            }
        };
        sync().map_err(SpoolError::io(&self.path))?;
        self.synced.fetch_max(end, Ordering::AcqRel);
        Ok(())
    }

    pub fn read(&self, start: u64, end: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; (end - start) as usize];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes)
    }
}

#[cfg(not(test))]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file.write_all_at(bytes, at)
}

#[cfg(test)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    match tests::space_left() {
        Some(room) if room < bytes.len() => {
            file.write_all_at(&bytes[..room], at)?;
            tests::set_space_left(Some(0));
            Err(io::ErrorKind::StorageFull.into())
        }
        Some(room) => {
            tests::set_space_left(Some(room - bytes.len()));
            file.write_all_at(bytes, at)
        }
        None => file.write_all_at(bytes, at),
    }
}

#[cfg(not(test))]
fn sync_data(file: &File) -> io::Result<()> {
    file.sync_data()
}

#[cfg(test)]
fn sync_data(file: &File) -> io::Result<()> {
    if tests::failing() {
        return Err(io::Error::from_raw_os_error(libc::EIO));
    }
    file.sync_data()
}

#[cfg(test)]
pub mod tests {
    //! A disk that gets full or fails, for the thread of one test.
    use std::cell::Cell;
    thread_local!(static SPACE_LEFT: Cell<Option<usize>> = const { Cell::new(None) });
    thread_local!(static FAILING: Cell<bool> = const { Cell::new(false) });
    pub fn space_left() -> Option<usize> {
        SPACE_LEFT.get()
    }
    pub fn set_space_left(bytes: Option<usize>) {
        SPACE_LEFT.set(bytes);
    }
    pub fn failing() -> bool {
        FAILING.get()
    }
    pub fn set_failing(failing: bool) {
        FAILING.set(failing);
    }
}
