/** The database for `domain`, which alone may import this. */

export { Prisma, PrismaClient } from "../generated/client";
export { type Db, openDatabase, type Tx } from "./database";
export { type Listener, listen } from "./listen";
export { all, one, type Query, type Queryable, run, sql } from "./sql";
