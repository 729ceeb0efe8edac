import { describe, expect, it } from "vitest";
import { valueIn, withValue } from "@/lib/query";

describe("a choice in the address", () => {
  it("comes back as it went in, beside what else is there", () => {
    const query = withValue("?lang=zh&hide=a%2Cb,c", "latencies-of", "c&d=é x");
    expect(query).toBe("?lang=zh&hide=a%2Cb,c&latencies-of=c%26d%3D%C3%A9%20x");
    expect(valueIn(query, "latencies-of")).toBe("c&d=é x");
    expect(valueIn(query, "hide")).toBe("a,b,c");
    expect(withValue(query, "lang", "en")).toBe("?hide=a%2Cb,c&latencies-of=c%26d%3D%C3%A9%20x&lang=en");
  });

  it("is gone when it is empty, and no other is taken for it", () => {
    expect(withValue("?block=2", "block", "")).toBe("");
    expect(withValue("?block=2&lang=zh", "block", "")).toBe("?lang=zh");
    expect(valueIn("?my-block=2", "block")).toBe("");
    expect(valueIn("?block=%E0%A4%A", "block")).toBe("");
    expect(valueIn("", "block")).toBe("");
  });
});
