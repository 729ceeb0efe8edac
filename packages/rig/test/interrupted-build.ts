import { runCommand } from "../src/command";
import { buildArchives } from "../src/network/archives";
import { useInstallation } from "../src/paths";

/** A build of archives that does not end by itself; the file says that it has begun. */
const [folder = "", begun = ""] = process.argv.slice(2);
useInstallation(folder);
runCommand(() =>
  buildArchives("aarch64-unknown-linux-musl", ["sh", "-c", 'touch "$0"; exec sleep 600', begun]),
);
