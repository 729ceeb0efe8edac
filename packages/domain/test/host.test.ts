import { sql } from "@rigmark/db";
import type { InstallStep } from "@rigmark/protocol";
import type { StepReport } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import {
  authenticateHost,
  challengeHost,
  createEnrollment,
  enrollHost,
  getEnrollment,
  getHost,
  listHosts,
  openSession,
  putFacts,
  reportStep,
  revokeHost,
  watchEnrollment,
} from "../src/index";
import { FACTS, makeAgentKey } from "../src/testing/index";
import { useWorld } from "./world";

const world = useWorld();
const hello = (key: string, public_key = makeAgentKey().publicKey) => ({
  key,
  public_key,
  hostname: FACTS.hostname,
  agent_version: "0.1.0",
});
const enroll = (input: ReturnType<typeof hello>) => enrollHost({ ctx: world.anonymous, input });

describe("an enrollment key", () => {
  const make = async () => {
    const ada = await world.person("Ada");
    const made = await createEnrollment({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, name: "attic" },
    });
    const status = () =>
      getEnrollment({
        ctx: ada.ctx,
        input: { workspace: ada.workspace, enrollmentId: made.enrollment_id },
      });
    return { ada, made, status };
  };

  it("works once: of many that try at the same moment one wins", async () => {
    const { made, status } = await make();
    expect(await status()).toMatchObject({ status: "waiting" });
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => enroll(hello(made.key))));
    expect(tries.filter((t) => t.status === "fulfilled")).toHaveLength(1);
    for (const t of tries) if (t.status === "rejected") expect(t.reason).toMatchObject({ code: "key_used" });
    expect(await status()).toMatchObject({ status: "used", host: { name: "attic", status: "waiting" } });
  });

  it("gives the same agent the same host when the first response was lost", async () => {
    const { made } = await make();
    const request = hello(made.key);
    expect(await enroll(request)).toEqual(await enroll(request));
  });

  it("without a name gives the host its own, with whole characters only", async () => {
    const ada = await world.person("Ada");
    const { key } = await createEnrollment({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    const { host_name } = await enroll({ ...hello(key), hostname: `x${"😀".repeat(99)}` });
    expect(host_name).toBe(`x${"😀".repeat(79)}`);
  });

  it("expires after an hour, and an unknown one is unknown", async () => {
    const { made, status } = await make();
    world.clock.advance(3601);
    expect(await status()).toMatchObject({ status: "expired" });
    await expect(enroll(hello(made.key))).rejects.toMatchObject({ code: "key_expired" });
    await expect(enroll(hello(`rgme_${"A".repeat(43)}`))).rejects.toMatchObject({ code: "key_unknown" });
  });

  it("is not traded for a public key that anybody could sign for", async () => {
    const { ada, made } = await make();
    for (const hex of [
      "00".repeat(32),
      `01${"00".repeat(31)}`,
      `ec${"ff".repeat(31)}`,
      `${"00".repeat(31)}80`,
    ]) {
      const weak = Buffer.from(hex, "hex").toString("base64url");
      await expect(enroll(hello(made.key, weak)), hex).rejects.toMatchObject({ code: "invalid" });
    }
    expect(await listHosts({ ctx: ada.ctx, input: { workspace: ada.workspace } })).toEqual([]);
    expect((await enroll(hello(made.key))).host_name).toBe("attic");
  });

  it("is stored only as its sha256", async () => {
    const { made } = await make();
    const { rows } = await world.domain.db.query<{ dump: string }>({
      text: `SELECT string_agg(t::text, ' ') || (SELECT string_agg(k::text, ' ') FROM enrollment_key k) AS dump FROM enrollment_lookup t`,
      values: [],
    });
    expect(rows[0]?.dump).not.toContain(made.key);
    expect(rows[0]?.dump).not.toContain(Buffer.from(made.key).toString("hex"));
  });

  it("tells a waiting page, which ends when the host is online", async () => {
    const { ada, made } = await make();
    const input = { workspace: ada.workspace, enrollmentId: made.enrollment_id };
    const seen: string[] = [];
    const watching = (async () => {
      for await (const s of watchEnrollment({ ctx: ada.ctx, input }))
        seen.push(s.status === "used" ? s.host.status : s.status);
    })();
    const key = makeAgentKey();
    const { host_id } = await enroll(hello(made.key, key.publicKey));
    const { nonce, protocol } = await challengeHost({
      ctx: world.anonymous,
      input: { host_id, protocol_min: 1, protocol_max: 1 },
    });
    const signature = key.sign(host_id, nonce);
    const { token } = await openSession({
      ctx: world.anonymous,
      input: { host_id, nonce, protocol, signature },
    });
    await authenticateHost({ ctx: world.anonymous, input: { token } });
    await watching;
    expect(seen.at(-1)).toBe("online");
  });
});

describe("the steps of an installation", () => {
  const make = async () => {
    const ada = await world.person("Ada");
    const input = { workspace: ada.workspace };
    const made = await createEnrollment({ ctx: ada.ctx, input });
    const asked = { ...input, enrollmentId: made.enrollment_id };
    const report = (step: InstallStep, more: Partial<Parameters<typeof reportStep>[0]["input"]> = {}) =>
      reportStep({
        ctx: world.anonymous,
        input: { key: made.key, step, state: "done", text: step, ...more },
      });
    const steps = async () =>
      (await getEnrollment({ ctx: ada.ctx, input: asked })).steps.map(
        ({ step, state }) => `${step} ${state}`,
      );
    return { ada, made, asked, report, steps };
  };

  it("are shown in order, the last word of each, and a new start begins anew", async () => {
    const { report, steps } = await make();
    await report("started");
    world.clock.advance(1);
    await report("downloaded", { state: "failed", text: "the disk is full" });
    expect(await steps()).toEqual(["started done", "downloaded failed"]);
    world.clock.advance(1);
    await report("started");
    expect(await steps()).toEqual(["started done"]);
    world.clock.advance(1);
    await report("downloaded");
    await report("downloaded");
    expect(await steps()).toEqual(["started done", "downloaded done"]);
  });

  it("have no control characters, and 300 characters at most", async () => {
    const { ada, asked, report } = await make();
    await report("started", { text: `\u001b[31m red\u0000 \u202e${"é".repeat(400)}` });
    const { steps } = await getEnrollment({ ctx: ada.ctx, input: asked });
    const text = steps[0]?.text ?? "";
    expect([...text]).toHaveLength(300);
    expect(text).toMatch(/^\[31m red\P{Cc}* é+$/u);
  });

  it("leave the key to the enrollment, and then belong to its host until the hour is over", async () => {
    const { ada, made, report, steps } = await make();
    await report("started");
    const { host_id } = await enroll(hello(made.key));
    const other = await world.host(ada);
    const refused = { code: "unauthenticated" };
    await expect(report("enrolled")).rejects.toMatchObject(refused);
    await expect(report("enrolled", { host_id: other.hostId })).rejects.toMatchObject(refused);
    await report("enrolled", { host_id });
    // It is no new start of this host's script.
    await report("started", { host_id });
    expect(await steps()).toEqual(["enrolled done", "started done"]);
    await revokeHost({ ctx: ada.ctx, input: { workspace: ada.workspace, hostId: host_id } });
    await expect(report("service", { host_id })).rejects.toMatchObject(refused);
  });

  it("are refused in the same words for each key that may not", async () => {
    const { made, report } = await make();
    const why = async (more: Parameters<typeof report>[1]) => {
      const error = await report("started", more).then(
        () => null,
        (thrown: Error) => thrown,
      );
      return error?.message;
    };
    expect(await why({})).toBeUndefined();
    const words = await why({ key: `rgme_${"A".repeat(43)}` });
    expect(words).toContain("cannot report steps");
    expect(await why({ key: null })).toBe(words);
    expect(await why({ key: "rgms_x" })).toBe(words);
    world.clock.advance(3601);
    expect(await why({ key: made.key })).toBe(words);
  });

  it("are bounded: after 200 reports a key takes no more", async () => {
    const { report, steps } = await make();
    for (let i = 0; i < 200; i++) await report("downloaded");
    await expect(report("verified")).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await steps()).toEqual(["downloaded done"]);
  });

  it("reach a page that waits, one by one", async () => {
    const { ada, asked, report } = await make();
    const reader = watchEnrollment({ ctx: ada.ctx, input: asked });
    const next = async () => (await reader.next()).value?.steps.map(({ step }: StepReport) => step);
    expect(await next()).toEqual([]);
    await report("started");
    expect(await next()).toEqual(["started"]);
    world.clock.advance(1);
    await report("downloaded");
    expect(await next()).toEqual(["started", "downloaded"]);
    await reader.return(undefined);
  });
});

describe("a session", () => {
  it("is opened by the host's own key, with a nonce that works once", async () => {
    const ada = await world.person("Ada");
    const made = await createEnrollment({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    const key = makeAgentKey();
    const { host_id } = await enroll(hello(made.key, key.publicKey));
    const challenge = () =>
      challengeHost({ ctx: world.anonymous, input: { host_id, protocol_min: 1, protocol_max: 3 } });
    const open = (nonce: string, signature: string) =>
      openSession({ ctx: world.anonymous, input: { host_id, nonce, protocol: 1, signature } });
    const one = await challenge();
    await expect(open(one.nonce, makeAgentKey().sign(host_id, one.nonce))).rejects.toMatchObject({
      code: "unauthenticated",
    });
    const signature = key.sign(host_id, one.nonce);
    const both = await Promise.allSettled([open(one.nonce, signature), open(one.nonce, signature)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(open(one.nonce, signature)).rejects.toMatchObject({ code: "unauthenticated" });
    const two = await challenge();
    world.clock.advance(61);
    await expect(open(two.nonce, key.sign(host_id, two.nonce))).rejects.toMatchObject({
      code: "unauthenticated",
    });
    const three = await challenge();
    const { token } = await open(three.nonce, key.sign(host_id, three.nonce));
    const who = () => authenticateHost({ ctx: world.anonymous, input: { token } });
    expect(await who()).toMatchObject({ kind: "agent", hostId: host_id });
    world.clock.advance(3600);
    await expect(who()).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("nonces", () => {
  const enrolled = async () => {
    const ada = await world.person("Ada");
    const made = await createEnrollment({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    const key = makeAgentKey();
    const { host_id } = await enroll(hello(made.key, key.publicKey));
    const challenge = () =>
      challengeHost({ ctx: world.anonymous, input: { host_id, protocol_min: 1, protocol_max: 1 } });
    const open = (nonce: string, protocol = 1) =>
      openSession({
        ctx: world.anonymous,
        input: { host_id, nonce, protocol, signature: key.sign(host_id, nonce) },
      });
    return { host_id, challenge, open };
  };

  it("that a stranger asks for keep no agent from its session, and leave nothing behind", async () => {
    const { host_id, challenge, open } = await enrolled();
    const { nonce } = await challenge();
    for (let i = 0; i < 40; i += 1) await challenge();
    const kept = sql`SELECT count(*) AS kept FROM host_nonce WHERE host_id = ${host_id}`;
    expect((await world.domain.db.query(kept)).rows).toEqual([{ kept: 0 }]);
    expect((await open(nonce)).expires_in_s).toBe(3600);
  });

  it("work for the host and the protocol that they were made for, and only as they were made", async () => {
    const [ada, eve] = [await enrolled(), await enrolled()];
    const { nonce } = await ada.challenge();
    const forged = `${nonce.startsWith("A") ? "B" : "A"}${nonce.slice(1)}`;
    const refused = { code: "unauthenticated", message: expect.stringContaining("nonce") };
    await expect(eve.open(nonce)).rejects.toMatchObject(refused);
    await expect(ada.open(nonce, 2)).rejects.toMatchObject(refused);
    await expect(ada.open(forged)).rejects.toMatchObject(refused);
    await ada.open(nonce);
  });
});

describe("strings of an agent", () => {
  it("are stored and given back as text, also those that no database holds", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const odd = `<img src=x onerror=alert(1)> \u0000 \ud800 '";--`;
    await putFacts({
      ctx: agent.ctx,
      input: { ...FACTS, hostname: odd, board: odd, mitigations: { "a\u0000b": "\\u0000" } },
    });
    const seen = await getHost({ ctx: ada.ctx, input: { workspace: ada.workspace, hostId: agent.hostId } });
    expect(seen.facts?.mitigations).toEqual({ "a\ufffdb": "\\u0000" });
    expect(seen.facts?.board).toBe(`<img src=x onerror=alert(1)> \ufffd \ufffd '";--`);
  });
});
