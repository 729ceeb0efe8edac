import type { TestProject } from "vitest/node";
import { startStack } from "./stack";

declare module "vitest" {
  export interface ProvidedContext {
    url: string;
    dir: string;
  }
}

/** One stack for all journeys; each makes accounts and hosts of its own. */
export default async function setup(project: TestProject) {
  const stack = await startStack();
  project.provide("url", stack.url);
  project.provide("dir", stack.dir);
  return stack.stop;
}
