import { expect, test } from "vitest";
import { field, mountOf } from "../src/bench/cgroup";
import { MemoryByRole, roleOf, toolOf } from "../src/bench/memory-by-role";

test("the role of a process is told by its command line", () => {
  const role = (line: string) => roleOf(line.split(" "));
  expect(role("/usr/local/bin/rigmark agent")).toBe("agent");
  expect(role("/usr/local/bin/rigmark internal hold-netns")).toBe("agent");
  // A program that was replaced meanwhile is started from what the kernel still has of it.
  expect(role("/proc/self/exe internal hold-netns")).toBe("agent");
  expect(role("/proc/self/exe internal verify")).toBe("verification");
  expect(role("/proc/self/exe internal loadgen --job /tmp/job")).toBe("tools");
  expect(role("/usr/bin/ab -k -c 32 http://127.0.0.1:8080/1k.bin")).toBe("tools");
  expect(role("make BUILD=/tmp/x")).toBe("builds");
  expect(role("/state/build/epoll --address 127.0.0.1 --port 8080")).toBe("servers");
  expect(roleOf(["nginx: worker process"])).toBe("servers");
  expect(toolOf(["/opt/node", "autocannon.mjs"])).toBe("autocannon");
  expect(toolOf(["/usr/bin/rigmark", "internal", "verify"])).toBeNull();
});

test("what Rigmark takes beside a server is the most at one moment, not the sum of peaks", () => {
  const memory = new MemoryByRole();
  const none = { agent: 0, verification: 0, tools: 0, servers: 0, builds: 0 };
  memory.add({ ...none, agent: 10, verification: 30, servers: 400 });
  memory.add({ ...none, agent: 12, tools: 20, builds: 90 });
  expect(memory.mostBesideServers).toBe(40);
  expect(memory.most).toEqual({ agent: 12, verification: 30, tools: 20, servers: 400, builds: 90 });
});

test("where control groups are mounted", () => {
  const mounts = [
    "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0",
    "cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0",
    "cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0",
  ].join("\n");
  expect(mountOf(mounts, "cgroup2")).toBe("/sys/fs/cgroup/unified");
  expect(mountOf(mounts, "cgroup", "memory")).toBe("/sys/fs/cgroup/memory");
  expect(mountOf(mounts, "cgroup", "cpuacct")).toBe("/sys/fs/cgroup/cpu,cpuacct");
  expect(mountOf(mounts, "cgroup", "pids")).toBeNull();
});

test("a field of a control group's file", () => {
  expect(field("low 0\noom 2\noom_kill 1\n", "oom_kill")).toBe("1");
  expect(field("low 0\n", "oom_kill")).toBeNull();
  expect(field(null, "oom_kill")).toBeNull();
});
