import { defineConfig } from "prisma/config";

/** For `prisma generate` only. `src/migrate` applies the migrations; `dev` compares them with the schema. */
export default defineConfig({ schema: "schema", migrations: { path: "migrations" } });
