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

/** Modules by the folder that had them, also in folders below it. */
const MODULES: Record<string, readonly string[]> = {
  runner: [
    ...["said", "spent", "tap", "shots?", "count_load", "pace", "steady", "kernel", "algebra"],
    ...["room", "proof", "typed"],
  ],
  sample: ["kernel"],
  verify: ["manners", "callers", "lasting", "whole", "waiting", "tiny", "answers?"],
  loadgen: ["steady", "pace"],
  session: ["lane", "advance", "answers?"],
  spool: ["torture"],
  stats: ["lead"],
  api: ["house", "walls", "answers?"],
  web: ["answers?", "said"],
  messages: ["said"],
};
const modules = Object.entries(MODULES).map(
  ([folder, names]): Retired => ({
    find: new RegExp(`\\b${folder}(?:/|::)(?:[\\w()[\\]-]+(?:/|::))*(?:${names.join("|")})\\b`),
    say: `a module that ${folder} has now`,
  }),
);

const CODE = /\.(rs|[cm]?[jt]sx?)$/;
const DEFINES = "(?:struct|enum|trait|type|interface|class)";
/** Types that said nothing, or were pictures; where they are defined. */
const TYPES = [
  ...["Answers?", "Asked", "Deal", "Fired", "Greedy", "HostSaid", "Lane", "Lead", "Pace", "Pacing", "Said"],
  ...["Shots?", "Spent", "Standing", "Tap", "Tape", "Told", "Wreck"],
].join("|");
/** A response under another name: where it is defined, its members are read, or a function gets it. */
const ANSWER = [
  "\\b(?:const|let|static|mod|struct|enum|trait|type|interface|class) (?:mut )?[aA]nswers?\\b(?! = (?:async )?\\()",
  "\\banswers?\\??\\.(?=[a-z]\\w*[(.)\\],;? ])",
  "[(|,] ?answers?(?:\\)? =>|[|]|: &?[A-Z])",
  "[a-z]Answers?\\b",
  "::Answers?\\b|\\bANSWERS?_|_ANSWERS?\\b",
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
    find: new RegExp(`\\b(?:${DEFINES}|const) (?:${TYPES})\\b`),
    say: "a name that says what the type holds",
    in: CODE,
  },
  {
    find: new RegExp(`\\b${DEFINES} (?:Of|Own|Shown|Why|World)\\b`),
    say: "a name that says what the type holds",
    in: /\.rs$/,
  },
  {
    find: new RegExp(`\\b${DEFINES} Exit\\b`),
    say: "another name: Exit is the agent's exit code",
    in: /^(?!apps\/agent\/src\/cli\/error\.rs$).*\.(rs|[cm]?[jt]sx?)$/,
  },
  { find: new RegExp(ANSWER), say: "response", in: CODE },
];
