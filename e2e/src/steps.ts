import { beforeEach } from "vitest";

/** The steps of this file build on each other: after one that failed the others would only wait for what never comes. */
export function endAtFirstFailure(): void {
  let failed = false;
  beforeEach(({ skip, onTestFailed }) => {
    if (failed) skip("an earlier step failed");
    onTestFailed(() => {
      failed = true;
    });
  });
}
