import { randomUUID } from "node:crypto";
import { sql } from "@rigmark/db";
import { expect, it } from "vitest";
import { ensureHome, findFirstReport } from "../src/index";
import { useWorld } from "./world";

const world = useWorld();
const first = (language: "en" | "zh" = "en") =>
  findFirstReport({ ctx: world.anonymous, input: { language } });

async function store(workspace: string, slug: string, byLauncher: boolean): Promise<void> {
  const id = randomUUID();
  await world.domain.db.query(
    sql`INSERT INTO report (workspace_id, report_id, run_id, title, host_name, headline, snapshot, sha256, by_launcher)
        SELECT workspace_id, ${id}::uuid, ${randomUUID()}::uuid, 'x', 'x', ${slug}, '{}', '', ${byLauncher} FROM workspace_slug WHERE slug = ${workspace}`,
  );
  await world.domain.db.query(
    sql`INSERT INTO report_slug (slug, workspace_id, report_id) SELECT ${slug}, workspace_id, report_id FROM report WHERE report_id = ${id}::uuid`,
  );
}

it("is the launcher's own in the workspace that it made, and no person's", async () => {
  expect(await first()).toBeNull();
  const { workspace } = await ensureHome({ ctx: world.system });
  const ada = await world.person("Ada");
  // As a person, or a token of the workspace, makes one.
  await store(workspace, "of-a-token", false);
  await store(ada.workspace, "of-another-workspace", true);
  expect(await first()).toBeNull();
  await store(workspace, "of-the-launcher", true);
  expect(await first()).toEqual({
    url: "https://rigmark.example/r/of-the-launcher",
    headline: "of-the-launcher",
    language: "en",
  });
  expect(await first("zh")).toMatchObject({ headline: "of-the-launcher", language: "en" });
  const snapshot = JSON.stringify({ runs: [{ summary: { sentence_zh: "epoll 更快。" } }] });
  await world.domain.db.query(
    sql`UPDATE report SET snapshot = ${snapshot} WHERE headline = 'of-the-launcher'`,
  );
  expect(await first("zh")).toMatchObject({ headline: "epoll 更快。", language: "zh" });
  await world.domain.db.query(sql`UPDATE report SET revoked_at = now() WHERE headline = 'of-the-launcher'`);
  expect(await first()).toBeNull();
});
