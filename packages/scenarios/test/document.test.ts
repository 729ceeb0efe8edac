import { expect, it } from "vitest";
import { document } from "../src/document";
import { scenarios, suites } from "../src/index";

/** After a change of the data: `pnpm --filter @rigmark/scenarios exec vitest run -u`. */
it("docs/suites.md says what the data says", async () => {
  await expect(document(suites().values(), scenarios().values())).toMatchFileSnapshot(
    "../../../docs/suites.md",
  );
});
