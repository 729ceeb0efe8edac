import { one, type Queryable, run, sql } from "@rigmark/db";
import type { AuditWhat } from "@rigmark/results";
import { uuidv7 } from "uuidv7";
import type { Actor, Ctx } from "../context";
import { atMost, printable, storable } from "./text";

const NAME_CHARS = 200;

interface AuditInput {
  workspaceId: string;
  what: AuditWhat;
  /** To what, as people call it. */
  subject?: string;
  /** Who did it, where the actor only acts for them. */
  by?: { userId: string; name: string };
}

/** Records who did what. Names are kept as they were, so that the log can be read when person and thing are gone. */
export async function audit(on: Queryable, ctx: Ctx, event: AuditInput): Promise<void> {
  const { id, name, token } = event.by
    ? { id: event.by.userId, name: event.by.name, token: null }
    : whoIs(ctx.actor);
  await run(
    on,
    sql`INSERT INTO audit_event (workspace_id, event_id, at, actor_id, actor_name, token_name, what, subject)
        VALUES (${event.workspaceId}, ${uuidv7()}, ${ctx.now()}, ${id}, ${short(name)}, ${token === null ? null : short(token)},
          ${event.what}, ${short(event.subject ?? "")})`,
  );
}

const short = (text: string): string => atMost(printable(storable(text)), NAME_CHARS);

function whoIs(actor: Actor): { id: string | null; name: string; token: string | null } {
  if (actor.kind === "user") return { id: actor.userId, name: actor.name, token: actor.token?.name ?? null };
  if (actor.kind === "workspace") return { id: null, name: "The workspace", token: actor.token.name };
  return { id: null, name: actor.kind === "system" ? "The installation" : "An agent", token: null };
}

export async function nameOfPerson(on: Queryable, userId: string): Promise<string> {
  const row = await one<{ name: string }>(on, sql`SELECT name FROM "user" WHERE id = ${userId}`);
  return row?.name ?? "";
}

/** `bob@example.org as member`. */
export const invitedInWords = (email: string | null, role: string): string =>
  `${email ?? "whoever has the link"} as ${role}`;

/** Of one its name, of several their number. */
export const runsInWords = (titles: readonly string[]): string =>
  titles.length === 1 ? `the run ${titles[0]}` : `${titles.length} runs`;
