import type { ReleaseTarget } from "@rigmark/results";

/** What runs such an agent, as people call it. */
export const TARGET_NAMES: Record<ReleaseTarget, string> = {
  "aarch64-unknown-linux-musl": "Raspberry Pi 3 or newer and other 64-bit ARM, Linux",
  "x86_64-unknown-linux-musl": "x86-64, Linux",
  "armv7-unknown-linux-gnueabihf": "Raspberry Pi with a 32-bit system",
  "aarch64-apple-darwin": "Mac with Apple silicon",
  "x86_64-apple-darwin": "Mac with Intel",
};
