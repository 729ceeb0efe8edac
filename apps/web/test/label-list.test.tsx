import type { RunLabel } from "@rigmark/protocol";
import { describe, expect, it, vi } from "vitest";
import { LabelList } from "@/components/result/label-list";
import { render } from "./words";

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
    // Two items with one key are one to React, which then says so, and drops or doubles them.
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const html = render(<LabelList labels={labels} entries={[]} />);
    expect(html.match(/<li/g)).toHaveLength(labels.length);
    expect(said).not.toHaveBeenCalled();
    said.mockRestore();
  });
});
