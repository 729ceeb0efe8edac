"use client";

import type { RunView, RunWords } from "@rigmark/results";
import { MOST_NOTE } from "@rigmark/results/run-list";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { tagsFrom, tagsProblem } from "@/lib/tags";
import { plainText } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { useMay } from "../shell/may";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";
import { takeFocus } from "../ui/take-focus";
import { useFocusBack } from "../ui/use-focus-back";
import { TagList } from "./tag-list";

interface RunNotesProps {
  workspace: string;
  run: Pick<RunView, "run_id" | "note" | "tags">;
  onSaved: (words: RunWords) => void;
}

/** Tags and note of a run, and a form that changes both. */
export function RunNotes({ workspace, run, onSaved }: RunNotesProps) {
  const [editing, setEditing] = useState(false);
  const mayEdit = useMay("queue");
  const button = useFocusBack(editing);
  if (editing)
    return <NotesForm workspace={workspace} run={run} onSaved={onSaved} onEnd={() => setEditing(false)} />;
  const described = run.note !== null || run.tags.length > 0;
  return (
    <div className="mt-1 max-w-[70ch]" data-notes>
      <TagList workspace={workspace} tags={run.tags} />
      {run.note && (
        <p className="whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">{plainText(run.note)}</p>
      )}
      {mayEdit && (
        <button
          ref={button}
          type="button"
          className="btn no-print -ml-2"
          data-kind="quiet"
          data-size="small"
          onClick={() => setEditing(true)}
        >
          {described ? "Edit note and tags" : "Add a note or tags"}
        </button>
      )}
    </div>
  );
}

function NotesForm({ workspace, run, onSaved, onEnd }: RunNotesProps & { onEnd: () => void }) {
  const trpc = useTRPC();
  const id = useId();
  const [note, setNote] = useState(run.note ?? "");
  const [written, setWritten] = useState(run.tags.join(", "));
  const tags = tagsFrom(written);
  const problem = tagsProblem(tags);
  const edit = useMutation(
    trpc.run.edit.mutationOptions({
      onSuccess: (words) => {
        onSaved(words);
        onEnd();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    edit.mutate({ workspace, runId: run.run_id, note, tags });
  };
  return (
    <form onSubmit={submit} className="mt-2 max-w-[40rem] space-y-3 text-ink">
      <div>
        <label htmlFor={id} className="mb-1 block font-medium">
          Note
        </label>
        <textarea
          ref={takeFocus}
          id={id}
          className="input"
          rows={4}
          maxLength={MOST_NOTE}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      <Field
        label="Tags"
        hint="Separated by commas, such as release, arm64"
        value={written}
        onChange={(event) => setWritten(event.target.value)}
        error={problem}
      />
      {edit.error && <Problem message={edit.error.message} />}
      <div className="flex gap-2">
        <button
          type="submit"
          className="btn"
          data-kind="primary"
          disabled={edit.isPending || problem !== null}
        >
          Save
        </button>
        <button type="button" className="btn" onClick={onEnd}>
          Cancel
        </button>
      </div>
    </form>
  );
}
