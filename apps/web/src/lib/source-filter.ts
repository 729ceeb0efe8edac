/** Which runs a list shows, by what they measured. */
export interface SourceFilter {
  repository?: string;
  branch?: string;
  commit?: string;
  pullRequest?: number;
}

type SearchParams = Record<string, string | string[] | undefined>;

/** From a page's address; what is not written as it should be is left out. */
export function sourceFilter(asked: SearchParams): SourceFilter {
  const text = (name: string, form: RegExp) => {
    const value = asked[name];
    return typeof value === "string" && form.test(value) ? value : undefined;
  };
  const repository = text("repository", /^\S{1,300}$/);
  const branch = text("branch", /^\S{1,200}$/);
  const commit = text("commit", /^[0-9a-f]{7,40}$/);
  const pullRequest = text("pull_request", /^[1-9]\d{0,8}$/);
  return {
    ...(repository && { repository }),
    ...(branch && { branch }),
    ...(commit && { commit }),
    ...(pullRequest && { pullRequest: Number(pullRequest) }),
  };
}

/** `owner/name · PR #12`; empty without a filter. */
export const filterInWords = (of: SourceFilter): string =>
  [of.repository, of.branch, of.commit?.slice(0, 7), of.pullRequest && `PR #${of.pullRequest}`]
    .filter(Boolean)
    .join(" · ");

/** Address of the list of runs with this filter. */
export function runsPath(workspace: string, of: SourceFilter, cursor?: string): string {
  const query = new URLSearchParams({
    ...(of.repository && { repository: of.repository }),
    ...(of.branch && { branch: of.branch }),
    ...(of.commit && { commit: of.commit }),
    ...(of.pullRequest && { pull_request: String(of.pullRequest) }),
    ...(cursor && { cursor }),
  }).toString();
  return `/w/${workspace}/runs${query && `?${query}`}`;
}
