import type { Source } from "@rigmark/protocol";

const SHOWN_COMMIT = 7;

/** `owner/name@abc1234`, with a plus where the worktree had other changes. */
export const sourceName = ({ repository, commit, dirty }: Source): string =>
  `${shortRepository(repository)}@${commit.slice(0, SHOWN_COMMIT)}${dirty ? "+" : ""}`;

/** `owner/name` of whatever form the repository was given in, without scheme, host and `.git`. */
const shortRepository = (repository: string): string =>
  repository
    .replace(/^(https?:\/\/|ssh:\/\/git@)[^/]+\//i, "")
    .replace(/^git@[^:]+:/i, "")
    .replace(/\/$/, "")
    .replace(/\.git$/i, "");

/** The name by which a repository is found, however it was written: `owner/name` in small letters. */
export const repositoryName = (repository: string): string => shortRepository(repository).toLowerCase();

/** Address of the repository's page; null for everything but a plain web address. */
export const sourceLink = ({ repository }: Source): string | null =>
  /^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?(\/[A-Za-z0-9_.~-]+)+\/?$/.test(repository) ? repository : null;
