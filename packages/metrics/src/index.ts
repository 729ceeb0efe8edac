/** What each number means, and how it is written. Pages, Markdown and pictures all write numbers with these. */
export * from "./catalogue";
export * from "./format";
