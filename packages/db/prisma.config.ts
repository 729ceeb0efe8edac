import { defineConfig } from "prisma/config";

/** For `prisma generate` only; migrations are applied by `src/migrate`, which needs no downloaded engine. */
export default defineConfig({ schema: "schema", migrations: { path: "migrations" } });
