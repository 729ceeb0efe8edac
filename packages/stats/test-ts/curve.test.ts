import { expect, test } from "vitest";
import { curve } from "../src-ts/index";

/** 100,000 latencies of 1 to 100,000 µs, made by the Rust side. */
const BLOB =
  "HISTFAAAAR14nO2PQW7CMBBF45+0iVpVidru2kqo6rYnqKoirtNtNxU7lBsgDsAKcRjEKdjDimUwOAgIDoTItgT8Gc/YnvGfJ7+m3SfP+3j2lPn5LpYpzLLsZ6oK4xijGL0IkxD9ADM/XwNgLjRrKNDG/4H4xZf071Wut3/iBW/SN9n9PcYD7mUo35z01Uvth7hZuZ/vu169Sv356314Bd8rlHnlhzZmEk444QZmFi1AVbPwknDCCXcJD4p2G2jMQtEVh3CDasIvDR4pu4uivZO2eKRtdxDhhBNudFCSPCaJPhnrOEAQTjjhNQY1Gu/S18nOxQGCcMIJr6FtNVvSmltRfjnhqREd4YQTbleXio5IhcplUadzLjr+nD+/Dt3fAnPlRbk=";

test("histograms are added and read", () => {
  const one = curve({ blobs: [BLOB] });
  expect(one).toMatchObject({ count: 100_000, note: null });
  expect(one.points.map((point) => point.p)).toContain(99.99);
  expect(one.points.find((point) => point.p === 50)?.us).toBeCloseTo(50_000, -2);
  const two = curve({ blobs: [BLOB, BLOB] });
  expect(two.count).toBe(200_000);
  expect(two.points).toEqual(one.points);
});

test("what cannot be read is said and not thrown", () => {
  expect(curve({ blobs: [] })).toEqual({
    count: 0,
    max_us: null,
    points: [],
    note: "no histogram",
    note_zh: "没有直方图",
    over_time: null,
  });
  const torn = curve({ blobs: [BLOB, BLOB.slice(0, 200)] });
  expect(torn.points).toEqual([]);
  expect(torn.note).toMatch(/^histogram 2 of 2 cannot be read: /);
});
