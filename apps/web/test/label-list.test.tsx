import type { RunLabel } from "@rigmark/protocol";
import { Children, type ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { LabelList } from "@/components/result/label-list";

const label = (code: string, message: string): RunLabel => ({ code, message, entry_key: null });

describe("the labels of a run", () => {
  it("are all there where several have one code", () => {
    const labels = [
      label("left-out", "go is left out: go is not installed."),
      label("left-out", "netty is left out: It was not chosen for this run."),
      label(
        "baseline-changed",
        "The suite compares with go, which is left out; axum is compared with instead.",
      ),
    ];
    const list = LabelList({ labels, entries: [] }) as ReactElement<{ children: ReactElement[] }>;
    const items = Children.toArray(list.props.children) as ReactElement[];
    // Two items with one key are one to React, which then drops or doubles them.
    expect(new Set(items.map((item) => item.key)).size).toBe(labels.length);
  });
});
