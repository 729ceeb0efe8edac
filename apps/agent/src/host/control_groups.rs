//! What the control groups of this process leave it: those of a container, or of a service with a limit.

use std::path::Path;

use super::cores;
use super::sysroot::SysRoot;

pub fn memory_bytes(sys: &SysRoot) -> Option<u64> {
    let limit = |folder: &String| {
        let v2 = sys.text(&format!("{folder}/memory.max"));
        v2.or_else(|| sys.text(&format!("{folder}/memory.limit_in_bytes")))?
            .parse::<u64>()
            .ok()
    };
    folders(sys, "memory").iter().filter_map(limit).min()
}

/// What a limit leaves of it, where there is one.
pub fn memory_left_bytes(sys: &SysRoot) -> Option<u64> {
    let left = |folder: &String| {
        let number = |names: [&str; 2]| {
            let text = names.iter().find_map(|name| sys.text(&format!("{folder}/{name}")))?;
            text.parse::<u64>().ok()
        };
        let limit = number(["memory.max", "memory.limit_in_bytes"])?;
        let used = number(["memory.current", "memory.usage_in_bytes"])?;
        // Files that nobody read lately give way, as in MemAvailable.
        let stat = sys.text(&format!("{folder}/memory.stat")).unwrap_or_default();
        let cached = |name: &str| {
            let of = |line: &str| line.strip_prefix(name)?.trim().parse::<u64>().ok();
            stat.lines().find_map(of)
        };
        let cached = cached("inactive_file ").or_else(|| cached("total_inactive_file "));
        Some(limit.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
    };
    folders(sys, "memory").iter().filter_map(left).min()
}

/// CPU seconds a second, where they are fewer than `cpus`.
pub fn cpu_quota(sys: &SysRoot, cpus: usize) -> Option<f64> {
    let quota = |folder: &String| {
        let v2 = || {
            let text = sys.text(&format!("{folder}/cpu.max"))?;
            let (quota, period) = text.split_once(' ')?;
            Some((quota.parse::<f64>().ok()?, period.trim().parse::<f64>().ok()?))
        };
        let v1 = || {
            let number = |name: &str| sys.number(&format!("{folder}/cpu.cfs_{name}_us"));
            Some((number("quota")? as f64, number("period")? as f64))
        };
        let (quota, period) = v2().or_else(v1)?;
        // -1 of v1 is none.
        (quota > 0.0 && period > 0.0).then(|| quota / period)
    };
    let least = folders(sys, "cpu").iter().filter_map(quota).min_by(f64::total_cmp);
    least.filter(|least| *least < cpus as f64)
}

/// That of this process, of the CPUs that it may use.
pub fn cpu_quota_here() -> Option<f64> {
    cpu_quota(&SysRoot::host(), cores::allowed().len())
}

/// Why a reader should know of it.
pub fn cpu_quota_reason() -> Option<String> {
    let (quota, cpus) = (cpu_quota_here()?, cores::allowed().len());
    Some(format!(
        "The agent, the servers and the tools had a CPU quota of {quota:.2} CPUs' time on {cpus} CPUs, together: the kernel stops \
         them when it is used up. See \"CPU quota\" in rigmark doctor."
    ))
}

/// The folder of the group that this process is in, and of each group above it: that limits it, too. A container sees its own
/// group as the root.
fn folders(sys: &SysRoot, controller: &str) -> Vec<String> {
    let groups = sys.text("proc/self/cgroup").unwrap_or_default();
    let mut folders = Vec::new();
    for line in groups.lines() {
        // `0::/path` of v2; `4:memory:/path` and `3:cpu,cpuacct:/path` of v1.
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let mounted = match controllers {
            "" => vec!["sys/fs/cgroup".to_owned()],
            _ if controllers.split(',').any(|name| name == controller) => {
                vec![
                    format!("sys/fs/cgroup/{controllers}"),
                    format!("sys/fs/cgroup/{controller}"),
                ]
            }
            _ => continue,
        };
        for above in Path::new(path.trim_start_matches('/')).ancestors() {
            folders.extend(mounted.iter().map(|root| format!("{root}/{}", above.display())));
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quota_of(groups: &str, files: &[(&str, &str)]) -> Option<f64> {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files.iter().chain(&[("proc/self/cgroup", groups)]) {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        cpu_quota(&SysRoot::at(dir.path()), 4)
    }

    #[test]
    fn the_least_quota_of_the_own_group_and_those_above_counts() {
        assert_eq!(quota_of("0::/\n", &[]), None);
        let v2 = [
            ("sys/fs/cgroup/system.slice/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/system.slice/rigmark.service/cpu.max", "300000 100000\n"),
            ("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/large.slice/cpu.max", "400000 100000\n"),
        ];
        assert_eq!(quota_of("0::/system.slice/rigmark.service\n", &v2), Some(1.5));
        assert_eq!(quota_of("0::/user.slice\n", &v2), None);
        // As much as the CPUs can give is none.
        assert_eq!(quota_of("0::/large.slice\n", &v2), None);
        assert_eq!(
            quota_of("0::/\n", &[("sys/fs/cgroup/cpu.max", "50000 100000\n")]),
            Some(0.5)
        );
    }

    #[test]
    fn the_first_version_has_two_files_and_often_two_controllers_in_a_folder() {
        let files = [
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "200000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n"),
        ];
        assert_eq!(quota_of("3:cpu,cpuacct:/docker\n4:memory:/x\n", &files), Some(2.0));
        assert_eq!(quota_of("3:cpu,cpuacct:/\n", &files), None);
        assert_eq!(quota_of("3:cpuset:/docker\n", &files), None);
    }
}
