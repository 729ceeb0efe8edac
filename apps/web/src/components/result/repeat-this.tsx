import type { RunView } from "@rigmark/results";
import { neededOf } from "@rigmark/results/needed";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Command } from "../ui/command";
import { Text } from "../ui/text";

interface RepeatThisProps {
  run: Pick<RunView, "repeat_command" | "environment" | "entries" | "scenarios" | "spec">;
  /** What leads to the same plan in the app. */
  action?: ReactNode;
}

/** The command that does the same again, what it needs beside Rigmark, and the versions that it was done with. */
export function RepeatThis({ run, action }: RepeatThisProps) {
  const w = useWords();
  const t = useTranslations("report.repeat");
  // Servers that the run named by their paths are folders of a repository in it.
  const inClone = /=\.[/@]/.test(run.repeat_command);
  const agent = run.environment?.facts.agent_version;
  const needed = neededOf(w, run, plainLine);
  return (
    <div className="space-y-2">
      {action}
      <p className="text-ink-2">
        {t.rich("intro", {
          plan: () => <code key="plan">rigmark plan</code>,
          run: () => <code key="run">rigmark run</code>,
        })}
      </p>
      <Command text={run.repeat_command} label={t("label")} />
      {needed && (
        <p className="text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]" data-needed>
          <Text text={needed} />
        </p>
      )}
      {inClone && <p className="text-[0.929rem] text-ink-2">{t("clone")}</p>}
      {run.entries.length > 0 && (
        <p className="text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
          {agent && `${t("measuredWith", { version: plainLine(agent) })} `}
          {t.rich("held", {
            list: () =>
              run.entries.map((entry, i) => (
                <span key={entry.key}>
                  {i > 0 && ", "}
                  <bdi>{plainLine(entry.label)}</bdi>{" "}
                  <code title={entry.content_hash}>{entry.content_hash.slice(0, 12)}</code>
                </span>
              )),
            expect: () => <code key="expect">--expect</code>,
          })}
        </p>
      )}
    </div>
  );
}
