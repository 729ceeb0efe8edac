import { z } from "zod";
import { capture } from "../exec";
import { version } from "../paths";
import { CommandError } from "../say";
import type { TarFile } from "./tar";
import type { Target } from "./targets";

const Metadata = z.object({
  packages: z.array(
    z.object({ id: z.string(), name: z.string(), version: z.string(), license: z.string().nullable() }),
  ),
  resolve: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        deps: z.array(
          z.object({ pkg: z.string(), dep_kinds: z.array(z.object({ kind: z.string().nullable() })) }),
        ),
      }),
    ),
  }),
});

/** Every crate that is linked into the agent for the target, as CycloneDX 1.6: https://cyclonedx.org/docs/1.6/json/ */
export async function sbom(target: Target): Promise<TarFile> {
  const args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", target.agent];
  const said = await capture("cargo", args);
  if (said.code !== 0) throw new CommandError(`the agent's crates are not known: ${said.stderr.trim()}`);
  const { packages, resolve } = Metadata.parse(JSON.parse(said.stdout));
  const agent = packages.find(({ name }) => name === "rigmark");
  if (!agent) throw new CommandError("the workspace has no crate rigmark.");
  const linked = new Map(
    resolve.nodes.map(({ id, deps }) => [
      id,
      // Neither what only tests use nor what only runs while building.
      deps.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null)).map(({ pkg }) => pkg),
    ]),
  );
  const found = new Set([agent.id]);
  for (const id of found) for (const next of linked.get(id) ?? []) found.add(next);
  const crates = packages.filter(({ id }) => found.has(id) && id !== agent.id);
  const described = crates
    .sort((a, b) => a.name.localeCompare(b.name, "en") || a.version.localeCompare(b.version, "en"))
    .map((crate) => ({
      type: "library",
      name: crate.name,
      version: crate.version,
      purl: `pkg:cargo/${crate.name}@${crate.version}`,
      ...(crate.license && { licenses: [{ expression: crate.license.replaceAll("/", " OR ") }] }),
    }));
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", name: "rigmark", version: version() } },
    components: described,
  };
  const data = Buffer.from(`${JSON.stringify(document, null, 1)}\n`);
  return { path: "share/rigmark/sbom.cdx.json", mode: 0o644, data };
}
