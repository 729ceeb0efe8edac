"use client";

import { Fragment, useEffect, useState } from "react";
import { areKeysOn, keepKeysOn } from "@/lib/single-keys";
import { Dialog } from "../ui/dialog";

const KEYS = [
  ["/", "Search"],
  ["j", "Next run"],
  ["k", "Previous run"],
  ["Enter", "Open the run"],
  ["x", "Select or deselect the run"],
  ["c", "Compare the selected runs"],
  ["?", "Show these shortcuts"],
] as const;

/** Whether single keys act, and a way to switch them on or off. */
export function useKeysOn(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(true);
  useEffect(() => setOn(areKeysOn()), []);
  const choose = (next: boolean) => {
    setOn(next);
    keepKeysOn(next);
  };
  return [on, choose];
}

interface KeysDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  on: boolean;
  setOn: (on: boolean) => void;
}

export function KeysDialog({ open, onOpenChange, on, setOn }: KeysDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="mt-4 grid grid-cols-[5rem_minmax(0,1fr)] gap-y-1.5">
        {KEYS.map(([key, what]) => (
          <Fragment key={key}>
            <dt>
              <kbd className="border border-line px-1.5">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
      <label className="mt-4 flex cursor-pointer items-center gap-3">
        <input type="checkbox" checked={on} onChange={(event) => setOn(event.target.checked)} />
        Use these shortcuts in this browser
      </label>
      <div className="mt-5 flex justify-end">
        <button type="button" className="btn" onClick={() => onOpenChange(false)}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
