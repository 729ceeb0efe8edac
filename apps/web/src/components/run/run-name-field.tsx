"use client";

import type { RunWords } from "@rigmark/results";
import { MOST_NAME } from "@rigmark/results/run-list";
import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTRPC } from "@/trpc/client";

interface RunNameFieldProps {
  workspace: string;
  runId: string;
  name: string;
  onSaved: (words: RunWords) => void;
  /** It was saved or given up. */
  onEnd: () => void;
}

/** Stands in the heading in place of the name; Enter saves, Escape gives up. */
export function RunNameField({ workspace, runId, name, onSaved, onEnd }: RunNameFieldProps) {
  const trpc = useTRPC();
  const [text, setText] = useState([...name].slice(0, MOST_NAME).join(""));
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const edit = useMutation(
    trpc.run.edit.mutationOptions({
      onSuccess: (words) => {
        onSaved(words);
        onEnd();
      },
    }),
  );
  const usable = text.trim() !== "" && !edit.isPending;
  const save = () => {
    if (usable) edit.mutate({ workspace, runId, title: text });
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) save();
    if (event.key === "Escape") onEnd();
  };
  return (
    <span className="flex flex-wrap items-center gap-2 font-normal text-base">
      <input
        ref={input}
        className="input max-w-[34rem]"
        aria-label="Name of the run"
        aria-invalid={edit.error ? true : undefined}
        value={text}
        maxLength={MOST_NAME}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <button type="button" className="btn" data-kind="primary" disabled={!usable} onClick={save}>
        Save
      </button>
      <button type="button" className="btn" onClick={onEnd}>
        Cancel
      </button>
      {edit.error && (
        <span className="w-full text-[0.929rem] text-bad" role="alert">
          {edit.error.message}
        </span>
      )}
    </span>
  );
}
