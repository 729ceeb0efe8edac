import type { RunView } from "@rigmark/results";
import { plainLine } from "@/lib/text";
import { Command } from "../ui/command";

/** The command that does the same again, and the versions that it was done with. */
export function RepeatThis({ run }: { run: Pick<RunView, "repeat_command" | "environment" | "entries"> }) {
  const agent = run.environment?.facts.agent_version;
  return (
    <div className="space-y-2">
      <p className="text-ink-2">
        The same plan on your own host, without an account. <code>rigmark plan</code> in place of{" "}
        <code>rigmark run</code> prints it and starts nothing.
      </p>
      <Command text={run.repeat_command} label="Command that repeats this run" />
      {run.entries.length > 0 && (
        <p className="text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
          {agent ? `Measured with Rigmark ${plainLine(agent)}. ` : ""}What the servers’ folders held:{" "}
          {run.entries.map((entry, i) => (
            <span key={entry.key}>
              {i > 0 && ", "}
              <bdi>{plainLine(entry.label)}</bdi>{" "}
              <code title={entry.content_hash}>{entry.content_hash.slice(0, 12)}</code>
            </span>
          ))}
          . Where your servers, your scenarios, your load tools or your Rigmark are others the command stops
          before it builds; without the options that begin with <code>--expect</code> it measures what is
          there.
        </p>
      )}
    </div>
  );
}
