import { run, sql, type Tx } from "@rigmark/db";
import { uuidv7 } from "uuidv7";

/** `Ada Lovelace` → `ada-lovelace`; never empty. */
export const slugFrom = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40) || "lab";

/** Slug of the workspace that the launcher makes. */
export const HOME = "home";
/** What people's names do not become: the launcher's own, and words of addresses and of those who run the place. */
const RESERVED = new Set([
  HOME,
  ..."account admin api app badge device dl docs embed explore favicon forgot-password icon".split(" "),
  ..."install join login new oembed r report reports reset-password rigmark root setup sign-in".split(" "),
  ..."sign-up support system theme w welcome".split(" "),
]);

/**
 * Makes a workspace under the wanted slug, or that slug with the next free number. Without an owner it is the home of
 * this installation, of which there is one.
 */
export async function createWorkspace(
  tx: Tx,
  name: string,
  wanted: string,
  ownerId: string | null,
  now: Date,
) {
  const workspaceId = uuidv7();
  const home = ownerId === null;
  await run(
    tx,
    sql`INSERT INTO workspace (workspace_id, name, created_at, home) VALUES (${workspaceId}, ${name}, ${now}, ${home})`,
  );
  for (let n = !home && RESERVED.has(wanted) ? 2 : 1; ; n += 1) {
    const slug = n === 1 ? wanted : `${wanted}-${n}`;
    const made = await run(
      tx,
      sql`INSERT INTO workspace_slug (slug, workspace_id) VALUES (${slug}, ${workspaceId}) ON CONFLICT (slug) DO NOTHING`,
    );
    if (made === 0) continue;
    if (ownerId !== null) await addMember(tx, workspaceId, ownerId, now);
    return { workspaceId, slug };
  }
}

export const addMember = (tx: Tx, workspaceId: string, userId: string, now: Date) =>
  run(
    tx,
    sql`INSERT INTO member (workspace_id, user_id, role, created_at) VALUES (${workspaceId}, ${userId}, 'owner', ${now})
        ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = 'owner'`,
  );
