/** Files that nobody writes by hand, that record what others wrote, or that list the words themselves. */
export const NOT_PROSE =
  /(^|\/)(golden|generated|tool_output|migrations|fonts|pictures)\/|\/schema\/[^/]*\.json$|\.(png|woff2?|lock|sum)$|^(pnpm-lock\.yaml|LICENSE|deploy\/k6\/go\.(mod|sum))$|^packages\/rig\/(spelling|src\/check\/words)\/|^packages\/rig\/test\/words\.test\.ts$/;

/** Where a word stays because somebody else named the thing, or because a promise has the name. */
export const EXCEPTIONS: readonly { text: RegExp; why: string; in?: RegExp }[] = [
  { text: /`[^`]*\bcatalogue\b[^`]*`/, why: "PUT host/catalogue is a name of the wire", in: /\.md$/ },
  { text: /\bpackages\/metrics\/src\/catalogue\b/, why: "a folder" },
  { text: /\bwall([- ](clock|time)\b|$)/i, why: "the term of the field" },
  { text: /aria-labelledby|LabelledBy/, why: "ARIA" },
  { text: /\bmended\b/, why: "a field of a suite, stored with its runs" },
  {
    text: /"check-[\w-]+": .*/,
    why: "titles of the agent's checks, by which reports are translated",
    in: /^packages\/messages\/en\/phrase\.json$/,
  },
];
