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

/** What a forge puts between a repository's address and what the page is about. */
interface Forge {
  commit: string;
  compare: string;
  pull: string;
  /** Groups lie in groups. Elsewhere there is an owner and a name. */
  nested: boolean;
}

/** By host: an address of another one does not say which forge is there. */
const FORGES = new Map<string, Forge>([
  ["github.com", { commit: "commit", compare: "compare", pull: "pull", nested: false }],
  ["gitlab.com", { commit: "-/commit", compare: "-/compare", pull: "-/merge_requests", nested: true }],
  ["codeberg.org", { commit: "commit", compare: "compare", pull: "pulls", nested: false }],
]);

/** No character of it has another meaning in an address, and it is neither `.` nor `..`. */
const PART = "[A-Za-z0-9_][A-Za-z0-9_.~-]*";
const AT_HOST = new RegExp(`^https://([A-Za-z0-9.-]+)((?:/${PART}){2,})/?$`);

/** The repository's page and how its forge names the others; null where that is not known for certain. */
function pagesOf(repository: string): { page: string; forge: Forge } | null {
  const found = AT_HOST.exec(repository);
  const host = (found?.[1] ?? "").toLowerCase();
  const name = (found?.[2] ?? "").replace(/\.git$/i, "");
  const forge = FORGES.get(host);
  if (!forge || (!forge.nested && name.split("/").length !== 3)) return null;
  return { page: `https://${host}${name}`, forge };
}

const isCommit = (text: string): boolean => /^[0-9a-f]{7,64}$/i.test(text);

/** Address of the commit's page at its forge. */
export function commitLink({ repository, commit }: Pick<Source, "repository" | "commit">): string | null {
  const at = pagesOf(repository);
  return at && isCommit(commit) ? `${at.page}/${at.forge.commit}/${commit}` : null;
}

/** Address of the pull request's page at its forge. */
export function pullLink(source: Pick<Source, "repository" | "pull_request">): string | null {
  const at = pagesOf(source.repository);
  const n = source.pull_request;
  return at && n !== null && Number.isSafeInteger(n) && n > 0 ? `${at.page}/${at.forge.pull}/${n}` : null;
}

/** Address of what lies between two commits; null where they are one, or of two repositories. */
export function commitsBetween(
  before: Pick<Source, "repository" | "commit">,
  after: Pick<Source, "repository" | "commit">,
): string | null {
  const [from, to] = [pagesOf(before.repository), pagesOf(after.repository)];
  if (!from || !to || from.page.toLowerCase() !== to.page.toLowerCase()) return null;
  const [a, b] = [before.commit, after.commit];
  if (!isCommit(a) || !isCommit(b) || a.toLowerCase() === b.toLowerCase()) return null;
  return `${to.page}/${to.forge.compare}/${a}...${b}`;
}
