import { startCluster } from "@rigmark/db/testing";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    clusterUrl: string;
  }
}

/** One PostgreSQL for the run of these tests. */
export default async function setup(project: TestProject) {
  const cluster = await startCluster();
  project.provide("clusterUrl", cluster.url);
  return cluster.stop;
}
