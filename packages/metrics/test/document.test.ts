import { expect, it } from "vitest";
import { METRICS } from "../src/catalogue";
import { metricsDocument } from "../src/document";

/** After a change of the catalogue: `pnpm --filter @rigmark/metrics run document`. */
it("docs/metrics.md says what the catalogue says", async () => {
  await expect(metricsDocument()).toMatchFileSnapshot("../../../docs/metrics.md");
});

it("every metric is under its own name, once, and says when it is not known or what it cannot tell", () => {
  const text = metricsDocument();
  for (const [key, metric] of Object.entries(METRICS)) {
    expect(metric.id).toBe(key);
    expect(text.split(`- \`${key}\`, `)).toHaveLength(2);
    expect(metric.limits.length, key).toBeGreaterThan(20);
  }
});
