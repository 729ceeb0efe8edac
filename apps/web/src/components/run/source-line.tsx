import type { Source } from "@rigmark/protocol";
import { commitLink, pullLink, sourceLink, sourceName } from "@rigmark/results/source";
import { useTranslations } from "next-intl";
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
  const runs = (of: object): string | null =>
    workspace === undefined ? null : runsPath(workspace, { repository, ...of });
  const link = linked ? (commitLink(source) ?? sourceLink(source)) : null;
  const name = plainLine(sourceName(source));
  return (
    <span className="font-mono text-[0.857rem] [overflow-wrap:anywhere]" title={source.commit}>
      {link ? <AtForge href={link}>{name}</AtForge> : <bdi>{name}</bdi>}
      {branch !== null && (
        <>
          {" · "}
          <Found runs={runs({ branch: [branch] })}>{plainLine(branch)}</Found>
        </>
      )}
      {pullRequest !== null && (
        <>
          {" · "}
          <PullRequest
            n={String(pullRequest)}
            runs={runs({ pullRequest })}
            link={linked ? pullLink(source) : null}
          />
        </>
      )}
      {source.dirty && <> · {t("dirty")}</>}
    </span>
  );
}

/** A link to the runs that have it, where they are known. */
function Found({ runs, children }: { runs: string | null; children: string }) {
  if (runs === null) return <>{children}</>;
  return (
    <a className="link" href={runs}>
      {children}
    </a>
  );
}

/** Its number leads to its runs where they are known, and the forge stands beside it; else to the forge. */
function PullRequest({ n, runs, link }: { n: string; runs: string | null; link: string | null }) {
  const t = useTranslations("report.source");
  const name = t("pullRequest", { n });
  if (link === null) return <Found runs={runs}>{name}</Found>;
  if (runs === null) return <AtForge href={link}>{name}</AtForge>;
  const { host } = new URL(link);
  return (
    <>
      <Found runs={runs}>{name}</Found>
      {" ("}
      <AtForge href={link} label={t("pullRequestAt", { n, host })}>
        {host}
      </AtForge>
      {")"}
    </>
  );
}

/** Whoever sent the run chose the address: it is told nothing of our page, and search engines do not count the link. */
function AtForge({ href, label, children }: { href: string; label?: string; children: string }) {
  return (
    <a className="link" href={href} rel="noreferrer nofollow" aria-label={label}>
      {children}
    </a>
  );
}
