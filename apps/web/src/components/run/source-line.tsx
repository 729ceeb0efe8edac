import type { Source } from "@rigmark/protocol";
import { sourceLink, sourceName } from "@rigmark/results/source";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { runsPath } from "@/lib/run-filter";
import { plainLine } from "@/lib/text";

interface SourceLineProps {
  source: Source;
  /** Not where the line itself is a link. */
  linked?: boolean;
  /** Where its other runs are; branch and pull request lead there. */
  workspace?: string;
}

/** `owner/name@abc1234 · feature · PR #12`: which commit was measured. */
export function SourceLine({ source, linked = true, workspace }: SourceLineProps) {
  const t = useTranslations("report.source");
  const { branch, pull_request: pullRequest, repository } = source;
  const found = (of: object, words: string): ReactNode =>
    workspace === undefined ? (
      words
    ) : (
      <a className="link" href={runsPath(workspace, { repository, ...of })}>
        {words}
      </a>
    );
  const link = linked ? sourceLink(source) : null;
  const name = plainLine(sourceName(source));
  return (
    <span className="font-mono text-[0.857rem] [overflow-wrap:anywhere]" title={source.commit}>
      {link ? (
        <a className="link" href={link} rel="noreferrer nofollow">
          {name}
        </a>
      ) : (
        <bdi>{name}</bdi>
      )}
      {branch !== null && <> · {found({ branch: [branch] }, plainLine(branch))}</>}
      {pullRequest !== null && <> · {found({ pullRequest }, t("pullRequest", { n: String(pullRequest) }))}</>}
      {source.dirty && <> · {t("dirty")}</>}
    </span>
  );
}
