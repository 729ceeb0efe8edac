import { member } from "./client";
import { inherited, root } from "./env";
import { run } from "./process";
import { startStack } from "./stack";

const WITHIN_MS = 30 * 60_000;

/**
 * The story of a pull request (apps/agent/tests/pull_request/story.rs) with a real app: its comments link to reports, and
 * those are opened here as a reader would. Needs a build of the app; measures for several minutes.
 */
async function story(): Promise<number> {
  const stack = await startStack();
  try {
    const ada = await member(stack.url);
    const { token } = await ada.trpc.token.create.mutate({
      workspace: null,
      name: "pull requests",
      scopes: ["publish", "queue"],
      days: 30,
    });
    const test = run(
      "cargo",
      ["test", "-p", "rigmark", "--test", "pull_request", "story::", "--", "--ignored", "--nocapture"],
      { cwd: root, env: { ...inherited, RIGMARK_URL: stack.url, RIGMARK_TOKEN: token } },
    );
    test.child.stdout?.pipe(process.stdout, { end: false });
    const late = setTimeout(() => void test.stop(), WITHIN_MS);
    const code = await test.exited;
    clearTimeout(late);
    const text = test.lines.join("\n");
    if (code !== 0) process.stdout.write(`${test.lines.slice(-20).join("\n")}\n`);
    const reports = new Set(text.match(/http:\/\/127\.0\.0\.1:\d+\/r\/[\w-]+/g) ?? []);
    for (const report of reports) {
      const page = await (await opened(report)).text();
      const picture = await opened(`${report}/og.png`);
      const bytes = (await picture.arrayBuffer()).byteLength;
      const verdict = /<title>([^<]*)/.exec(page)?.[1] ?? "no title";
      process.stdout.write(
        `${report}: ${verdict}\n  picture: ${picture.headers.get("content-type")}, ${bytes} bytes\n`,
      );
    }
    return code === 0 && reports.size > 0 ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

async function opened(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}

process.exitCode = await story();
