import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import * as glue from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import { MigrationAdapter } from "./adapter";
import { schemaFiles } from "./schema";

/** The part of the standard WebAssembly interface that is used; Node's types leave it out. */
interface Wasm {
  instantiate(
    bytes: Uint8Array,
    imports: unknown,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
}
interface Glue {
  __wbg_set_wasm(wasm: Record<string, unknown>): void;
  SchemaEngine: typeof SchemaEngine;
}

let loading: Promise<Glue["SchemaEngine"]> | undefined;

// Where the engine reports a panic; without it the panic itself would be lost.
Object.assign(globalThis, {
  PRISMA_WASM_PANIC_REGISTRY: {
    set_message(message: string) {
      throw new Error(`Prisma's schema engine broke: ${message}`);
    },
  },
});

/** Prisma's own schema engine as WebAssembly: the ordinary CLI would download a binary instead. */
async function load(): Promise<Glue["SchemaEngine"]> {
  const bound = glue as unknown as Glue;
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm");
  const bytes = await readFile(join(dirname(entry), "schema_engine_bg.wasm"));
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Wasm };
  const { instance } = await wasm.instantiate(bytes, { "./schema_engine_bg.js": glue });
  bound.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bound.SchemaEngine;
}

export async function withSchemaEngine<T>(
  url: string,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= load();
  const Engine = await loading;
  const schema = await schemaFiles();
  // A pool of its own: the engine leaves its session, and the lock in it, open.
  const pool = new pg.Pool({ connectionString: url, application_name: "rigmark migrate" });
  pool.on("error", () => undefined);
  const factory = bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(pool));
  const datamodels = schema.files.map((f): [string, string] => [f.path, f.content]);
  const engine = await Engine.new({ datamodels }, () => undefined, factory);
  try {
    return await use(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}
