import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type Member, member } from "../src/client";
import { env, inherited, root } from "../src/env";
import { finish } from "../src/process";

const RECORDING = join(root, "apps/agent/tests/pull_request/recorded/slower.jsonl");
const RUN = "01a2104a-7a92-7615-86d8-13880ba8c657";
const COMMIT = "8f0e6d2b4a1c3957be60d1f2a4c8e9b7d5f31a02";

/** The real program reads a run, its report and its file, and they are one. */
describe("a run of the app in the place of its file", () => {
  const url = inject("url");
  const dir = join(inject("dir"), "run-as-file");
  let ada: Member;
  let report: string;

  const tokenOf = (who: Member) =>
    who.trpc.token.create.mutate({
      workspace: null,
      name: "run-as-file",
      scopes: ["publish", "queue"],
      days: 30,
    });
  let token: { token: string };
  const rigmark = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    finish(env.RIGMARK_AGENT, args, {
      cwd: dir,
      env: {
        ...inherited,
        XDG_CONFIG_HOME: join(dir, "config"),
        RIGMARK_STATE: join(dir, "state"),
        RIGMARK_URL: url,
        RIGMARK_TOKEN: token.token,
        ...more,
      },
    });
  const refused = async (args: string[], words: RegExp, more: NodeJS.ProcessEnv = {}) => {
    const { code, stdout, stderr } = await rigmark(args, more);
    expect({ code, stdout, lines: stderr.trim().split("\n").length }, stderr).toEqual({
      code: 1,
      stdout: "",
      lines: 1,
    });
    expect(stderr).toMatch(words);
  };

  beforeAll(async () => {
    await mkdir(dir, { recursive: true });
    ada = await member(url);
    token = await tokenOf(ada);
    // A recording leaves out what no report needs; the app takes no gaps.
    const lines = (await readFile(RECORDING, "utf8")).trimEnd().split("\n");
    const whole = lines.map((line, seq) => `${JSON.stringify({ ...JSON.parse(line), seq })}\n`).join("");
    await writeFile(join(dir, "r.jsonl"), whole);
    const job = {
      GITHUB_ACTIONS: "true",
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: "ada/server",
      GITHUB_SHA: COMMIT,
      GITHUB_REF: "refs/pull/7/merge",
      GITHUB_HEAD_REF: "topic",
    };
    const published = await rigmark(["publish", "r.jsonl", "--report", "--json"], job);
    expect(published.code, published.stderr).toBe(0);
    expect(JSON.parse(published.stdout).run_id).toBe(RUN);
    report = JSON.parse(published.stdout).report.url;
  });

  it("is said in the same words in every form", async () => {
    for (const form of ["--md", "--csv", "--html"]) {
      const file = await rigmark(["report", "r.jsonl", form]);
      for (const place of [RUN, `${url}/w/${ada.workspace}/runs/${RUN}`, report]) {
        const other = await rigmark(["report", place, form]);
        expect(other.code, other.stderr).toBe(0);
        // A report hides the host's name, and no form shows it.
        expect(other.stdout, `${form} of ${place}`).toBe(file.stdout);
      }
    }
  });

  it("stands beside its file and its report", async () => {
    for (const [a = "", b = ""] of [
      ["r.jsonl", RUN],
      [RUN, report],
    ]) {
      const { code, stdout, stderr } = await rigmark(["compare", a, b, "--json"]);
      expect(code, stderr).toBe(0);
      const compared = JSON.parse(stdout);
      expect(compared.same_environment).toBe(true);
      expect(
        compared.scenarios[0].entries.map((e: { ratio_of_medians: number }) => e.ratio_of_medians),
      ).toEqual([1, 1]);
    }
  });

  it("has its comment, on the pull request that it was published for", async () => {
    const comment = await rigmark(["comment", "--run", RUN, "--dry-run", "--fail-on", "slower:3%"]);
    expect(comment.code, comment.stderr).toBe(3);
    expect(comment.stdout).toContain("slower than base");
    expect(comment.stdout).toContain(COMMIT);
  });

  it("is refused in one sentence where it may not be read", async () => {
    await refused(["compare", "r.jsonl", RUN.replace("01a2", "01a3")], /There is no such run/);
    const other = await member(url);
    const foreign = { RIGMARK_TOKEN: (await tokenOf(other)).token };
    await refused(["compare", "r.jsonl", RUN], /There is no such run, or you do not belong/, foreign);
    await ada.trpc.report.revoke.mutate({
      workspace: ada.workspace,
      reportId: (await ada.trpc.report.list.query({ workspace: ada.workspace })).reports[0]?.report_id ?? "",
    });
    // Its address stops working within a second.
    await expect.poll(async () => (await fetch(`${report}.json`)).status).toBe(404);
    await refused(["compare", "r.jsonl", report], /This report is gone/);
    await refused(["compare", "r.jsonl", RUN], /You are not logged in/, {
      RIGMARK_URL: "",
      RIGMARK_TOKEN: "",
    });
    const revoked = await fetch(`${url}/api/v1/me/token`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${token.token}` },
    });
    expect(revoked.status).toBe(204);
    await refused(["publish", "r.jsonl"], /RIGMARK_TOKEN/);
    await refused(["comment", "--run", RUN, "--dry-run"], /RIGMARK_TOKEN/);
  });
});
