/** What is no longer written, and what to write instead. */
export interface Retired {
  find: RegExp;
  say: string;
  /** Only files whose path matches. */
  in?: RegExp;
}

/** British spellings by the part of the word that differs; found inside of names in code, too. */
const BRITISH: Record<string, string> = {
  artefact: "artifact",
  behaviour: "behavior",
  colour: "color",
  "enrol(?!l)": "enroll",
  favour: "favor",
  "fulfil(?!l)": "fulfill",
  honour: "honor",
  judgement: "judgment",
  labelled: "labeled",
  labelling: "labeling",
  licence: "license",
  modelled: "modeled",
  neighbour: "neighbor",
  signalled: "signaled",
  signalling: "signaling",
  totalled: "totaled",
  travelled: "traveled",
  "per cent": "percent",
  ...Object.fromEntries(
    [
      ...["authoris", "customis", "finalis", "generalis", "initialis", "maximis", "minimis", "normalis"],
      ...["optimis", "organis", "prioritis", "randomis", "realis", "recognis", "serialis", "summaris"],
      ...["synchronis", "virtualis", "visualis"],
    ].map((stem) => [`${stem}(?=e|ing|ation)`, stem.replace(/s$/, "z")]),
  ),
};

/** Modules by the folder that had them. */
const MODULES: Record<string, readonly string[]> = {
  runner: ["said", "spent", "tap", "shots", "count_load", "pace"],
  verify: [...["algebra", "proof", "typed", "manners", "callers", "lasting", "whole", "waiting", "tiny"]],
  session: ["retry_queue"],
  spool: ["torture"],
  stats: ["lane", "advance", "lead"],
  api: ["house", "walls"],
};
const modules = Object.entries(MODULES).map(
  ([folder, names]): Retired => ({
    find: new RegExp(`\\b${folder}(?:/src|/test|/tests)?(?:/|::)(?:${names.join("|")})\\b`),
    say: `a module that ${folder} has now`,
  }),
);

/** Types of the agent and of stats that said nothing, or were pictures; where they are defined. */
const TYPES = [
  ...["Deal", "Fired", "Greedy", "HostSaid", "Lane", "Of", "Own", "Shown", "Spent", "Standing", "Tap"],
  ...["Tape", "Told", "Why", "World", "Wreck"],
].join("|");

const NOUN_BEFORE = [
  ...[
    "an",
    "the",
    "its",
    "their",
    "one",
    "any",
    "right",
    "wrong",
    "correct",
    "late",
    "slow",
    "whole",
    "last",
  ],
  ...["next", "same", "other", "without", "per", "of", "your", "our", "whose", "such", "no", "missing"],
  ...["small", "large", "longer", "shorter"],
].join("|");
const VERB_AFTER = "of|that|from|was|were|came|had|takes?|below|above|left out";

export const RETIRED: readonly Retired[] = [
  ...Object.entries(BRITISH).map(([part, say]): Retired => ({ find: new RegExp(part, "i"), say })),
  { find: /\bcatalogues?\b/i, say: "catalog", in: /\.md$/ },
  {
    find: new RegExp(
      `\\b(?:(?:${NOUN_BEFORE}) answers?|(?:this|each|every) answer|answers? (?:${VERB_AFTER}))\\b`,
      "i",
    ),
    say: "response",
  },
  { find: /\bmend(?:s|ed|ing)?\b/i, say: "fix" },
  { find: /\bagent-door\b/, say: "agent-endpoint" },
  {
    find: /\b(?:doors?|houses?|walls|(?:a|the|each|every|this|own|another) (?:room|wall)|rooms)\b/i,
    say: "endpoint, folder, boundary: the plain name of the part",
  },
  { find: /DESIGN §/, say: "the rule itself, or the page of docs/ that has it" },
  ...modules,
  {
    find: new RegExp(`\\b(?:struct|enum|trait|type) (?:${TYPES})\\b`),
    say: "a name that says what the type holds",
    in: /\.rs$/,
  },
];
