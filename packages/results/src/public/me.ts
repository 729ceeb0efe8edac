import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { WorkspaceSlug } from "../view/scalar";
import { Scope } from "../view/token";
import { At } from "./scalar";

export const Person = z.object({ name: z.string(), email: z.string() }).meta({ id: "Person" });

export const Me = z
  .object({
    token: z.object({ id: Id, name: z.string(), scopes: z.array(Scope), expires_at: At.nullable() }),
    person: Person.nullable().describe("Whose token it is; null for a token of a workspace."),
    workspaces: z.array(z.object({ slug: WorkspaceSlug, name: z.string() })),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;
