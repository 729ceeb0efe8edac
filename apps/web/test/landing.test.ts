import { describe, expect, it } from "vitest";
import { landing } from "@/lib/landing";

const place = (slug: string, hosts = 0, runs = 0) => ({ slug, hosts, runs });

describe("where somebody lands", () => {
  it("is where they were last, if they still belong there", () => {
    const places = [place("own"), place("home", 1, 3)];
    expect(landing(places, "own")?.slug).toBe("own");
    expect(landing(places, "left-long-ago")?.slug).toBe("home");
  });

  it("is where there is something to see, else the first", () => {
    expect(landing([place("own"), place("home", 1)], undefined)?.slug).toBe("home");
    expect(landing([place("own"), place("other")], undefined)?.slug).toBe("own");
    expect(landing([], undefined)).toBeUndefined();
  });
});
