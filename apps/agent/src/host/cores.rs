//! Gives server and tool cores of their own, so that neither can take the other's.
//!
//! The server gets half of the cores (the larger half of an odd number), the tool the rest. Hardware threads of one
//! core stay together. Where there is only one core, or no affinity (macOS), both share and the run says so.

use tokio::process::Command;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cores {
    Split { server: Vec<usize>, tool: Vec<usize> },
    Shared { cpus: usize, reason: String },
}

impl Cores {
    pub fn of_this_host() -> Self {
        match cpus_by_core() {
            Some(cores) => split(cores),
            None => Cores::Shared {
                cpus: std::thread::available_parallelism().map_or(1, |n| n.get()),
                reason: "This system does not let a process be kept on chosen cores, so server and tool share them."
                    .to_owned(),
            },
        }
    }

    /// CPUs that the server may use.
    pub fn server(&self) -> usize {
        match self {
            Cores::Split { server, .. } => server.len(),
            Cores::Shared { cpus, .. } => *cpus,
        }
    }

    pub fn tool(&self) -> usize {
        match self {
            Cores::Split { tool, .. } => tool.len(),
            Cores::Shared { cpus, .. } => *cpus,
        }
    }

    /// `server 0-1, tool 2-3`, or `shared: 2`.
    pub fn words(&self) -> String {
        match self {
            Cores::Split { server, tool } => format!("server {}, tool {}", spoken(server), spoken(tool)),
            Cores::Shared { cpus, .. } => format!("shared: {cpus}"),
        }
    }

    pub fn shared_reason(&self) -> Option<&str> {
        match self {
            Cores::Split { .. } => None,
            Cores::Shared { reason, .. } => Some(reason),
        }
    }

    pub fn pin_server(&self, command: &mut Command) {
        if let Cores::Split { server, .. } = self {
            pin(command, server);
        }
    }

    pub fn pin_tool(&self, command: &mut Command) {
        if let Cores::Split { tool, .. } = self {
            pin(command, tool);
        }
    }
}

/// `cores` has the CPUs of each core.
fn split(mut cores: Vec<Vec<usize>>) -> Cores {
    cores.sort();
    if cores.len() < 2 {
        return Cores::Shared {
            cpus: cores.iter().map(Vec::len).sum::<usize>().max(1),
            reason: "The agent may use only one core, so server and tool share it.".to_owned(),
        };
    }
    let tool = cores.split_off(cores.len().div_ceil(2));
    Cores::Split {
        server: cores.concat(),
        tool: tool.concat(),
    }
}

/// `0-3,8`, as sysfs writes it; not longer than the protocol's names.
fn spoken(cpus: &[usize]) -> String {
    let mut cpus = cpus.to_vec();
    cpus.sort_unstable();
    let runs: Vec<String> = cpus
        .chunk_by(|a, b| a + 1 == *b)
        .map(|run| match run {
            [one] => one.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => String::new(),
        })
        .collect();
    let text = runs.join(",");
    if text.len() <= 80 {
        text
    } else {
        format!("{} of {} to {}", cpus.len(), cpus[0], cpus[cpus.len() - 1])
    }
}

/// "0-3,8" as in sysfs.
#[cfg(any(target_os = "linux", test))]
fn parse_list(text: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        cpus.extend(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?);
    }
    Some(cpus)
}

/// The CPUs that this process may use, by number where the system has numbers for them; never empty.
pub fn allowed() -> Vec<Option<usize>> {
    #[cfg(target_os = "linux")]
    if let Some(cpus) = affinity().filter(|cpus| !cpus.is_empty()) {
        return cpus.into_iter().map(Some).collect();
    }
    vec![None; std::thread::available_parallelism().map_or(1, |n| n.get())]
}

/// Keeps the calling thread on one CPU, where the system lets it.
pub fn stay_on(cpu: usize) {
    // SAFETY: cpu_set_t is plain bits; CPU_SET ignores what is out of its range; the call reads within its size.
    #[cfg(target_os = "linux")]
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = cpu;
}

#[cfg(target_os = "linux")]
fn affinity() -> Option<Vec<usize>> {
    // SAFETY: cpu_set_t is plain bits, and the call writes within its size.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) != 0 {
            return None;
        }
        let cpus = 0..libc::CPU_SETSIZE as usize;
        Some(cpus.filter(|cpu| libc::CPU_ISSET(*cpu, &set)).collect())
    }
}

/// The CPUs that this process may use, those of one core together.
#[cfg(target_os = "linux")]
fn cpus_by_core() -> Option<Vec<Vec<usize>>> {
    let allowed = affinity()?;
    let mut cores: Vec<Vec<usize>> = Vec::new();
    for cpu in &allowed {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        let siblings = std::fs::read_to_string(path)
            .ok()
            .and_then(|t| parse_list(&t))
            .unwrap_or_else(|| vec![*cpu]);
        let core: Vec<usize> = siblings.into_iter().filter(|s| allowed.contains(s)).collect();
        if !cores.contains(&core) {
            cores.push(core);
        }
    }
    Some(cores)
}

#[cfg(not(target_os = "linux"))]
fn cpus_by_core() -> Option<Vec<Vec<usize>>> {
    None
}

#[cfg(target_os = "linux")]
fn pin(command: &mut Command, cpus: &[usize]) {
    use std::os::unix::process::CommandExt;
    // SAFETY: cpu_set_t is plain bits; CPU_SET ignores what is out of its range.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        cpus.iter().for_each(|cpu| libc::CPU_SET(*cpu, &mut set));
        set
    };
    let enter = move || {
        // SAFETY: a plain system call on a set that the closure owns.
        match unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    };
    // SAFETY: `enter` makes one system call and allocates nothing.
    unsafe { command.as_std_mut().pre_exec(enter) };
}

#[cfg(not(target_os = "linux"))]
fn pin(_command: &mut Command, _cpus: &[usize]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_gets_half_and_siblings_stay_together() {
        let two = split(vec![vec![0], vec![1]]);
        assert_eq!((two.server(), two.tool()), (1, 1));
        let threads = split(vec![vec![0, 4], vec![1, 5], vec![2, 6], vec![3, 7]]);
        assert_eq!(
            threads,
            Cores::Split {
                server: vec![0, 4, 1, 5],
                tool: vec![2, 6, 3, 7]
            }
        );
        assert_eq!(split(vec![vec![0], vec![1], vec![2]]).server(), 2);
        let one = split(vec![vec![0, 1]]);
        assert!(one.shared_reason().unwrap().contains("only one core"));
        assert_eq!(one.tool(), 2);
    }

    #[test]
    fn a_split_has_words() {
        let split = split(vec![vec![0, 4], vec![1, 5], vec![2, 6], vec![3, 7]]);
        assert_eq!(split.words(), "server 0-1,4-5, tool 2-3,6-7");
        assert!(spoken(&(0..200).map(|n| n * 2).collect::<Vec<_>>()).len() <= 80);
    }

    #[test]
    fn lists_of_sysfs() {
        assert_eq!(parse_list("0-2,8\n"), Some(vec![0, 1, 2, 8]));
        assert_eq!(parse_list("5"), Some(vec![5]));
        assert_eq!(parse_list("x"), None);
    }
}
