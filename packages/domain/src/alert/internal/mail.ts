import type { AlertFinding, AlertMessage } from "@rigmark/results";
import { lineOf } from "./message";

const SUBJECT_CHARS = 150;

/** An alert as a mail. Who gets it is signed in somewhere else, so it is in English like the pages of a workspace. */
export function mailOf(message: AlertMessage, publicUrl: string): { subject: string; text: string } {
  const { run, findings, more, workspace } = message;
  const settings = `${publicUrl}/w/${workspace}/alerts`;
  const parts = [
    run ? `${lineOf(run.title)}, on ${lineOf(run.host)}:\n${run.url}` : message.text,
    ...findings.map(partOf),
    ...(more > 0 ? [`There ${more === 1 ? "is" : "are"} ${more} more on the page of the run.`] : []),
    `You get this because you turned on alerts by email in the workspace ${workspace}. To turn them off: ${settings}`,
  ];
  return { subject: lineOf(`Rigmark: ${message.text}`, SUBJECT_CHARS), text: parts.join("\n\n") };
}

function partOf({ sentence, scenario_title, url, first_run }: AlertFinding): string {
  const first = first_run ? `\nFirst run after the change: ${first_run.url}` : "";
  return `${lineOf(sentence)}\n${lineOf(scenario_title)}: ${url}${first}`;
}
