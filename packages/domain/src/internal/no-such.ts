/** The words for what is in no workspace, or in another one. */
export const noSuch = (what: string): string => `There is no such ${what} in this workspace.`;
