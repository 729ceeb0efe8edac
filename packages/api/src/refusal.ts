import type { z } from "zod";

const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
};
const FORMATS: Record<string, string> = {
  datetime: "a time such as 2026-01-31T12:00:00Z",
  email: "an email address",
  ipv4: "an IPv4 address",
  url: "a URL",
  uuid: "a UUID",
};

/** zod's own words: what a schema says itself is kept. */
const OF_ZOD = /^(Invalid |Too (big|small): |Unrecognized key)/;

/** What is wrong and what is allowed, to stand behind a field's name. */
export const wordsOf = (issue: z.core.$ZodIssue): string =>
  (OF_ZOD.test(issue.message) ? inWords(issue) : undefined) ?? issue.message;

function inWords(issue: z.core.$ZodIssue): string | undefined {
  if (issue.message.endsWith("received undefined")) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_format": {
      const format = FORMATS[issue.format];
      if (format) return `must be ${format}`;
      return issue.pattern ? `must match ${issue.pattern}` : undefined;
    }
    case "too_big": {
      const { origin, maximum } = issue;
      const sized = sizedOf(origin, issue.exact ? "exactly" : "at most", maximum);
      return sized ?? `must be ${issue.inclusive ? "at most" : "less than"} ${maximum}`;
    }
    case "too_small": {
      const { origin, minimum } = issue;
      if (origin === "string" && minimum === 1 && !issue.exact) return "must not be empty";
      const sized = sizedOf(origin, issue.exact ? "exactly" : "at least", minimum);
      return sized ?? `must be ${issue.inclusive ? "at least" : "more than"} ${minimum}`;
    }
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has ${issue.keys.length === 1 ? "an unknown field" : "unknown fields"}: ${issue.keys.join(", ")}`;
    case "invalid_key":
      return `is not allowed as a name: ${issue.issues[0] ? wordsOf(issue.issues[0]) : "is not valid"}`;
    case "invalid_union":
      return "options" in issue && Array.isArray(issue.options)
        ? oneOf(issue.options)
        : eitherOf(issue.errors);
    case "custom":
      return "is not valid";
    default:
      return undefined;
  }
}

function sizedOf(origin: string, bound: string, n: number | bigint): string | undefined {
  const one = Number(n) === 1;
  if (origin === "string") return `must be text of ${bound} ${n} ${one ? "character" : "characters"}`;
  if (origin !== "array") return undefined;
  return `${bound} ${n} ${one ? "is" : "are"} ${bound === "at most" ? "allowed" : "needed"}`;
}

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length > 1 ? "one of " : ""}${values.map(String).join(", ")}`;

/** Of a union: the branch that is wrong inside, else what any of them would be. */
function eitherOf(branches: z.core.$ZodIssue[][]): string | undefined {
  const firsts = branches.flatMap(([first]) => first ?? []);
  const inside = firsts.find(({ path }) => path.length > 0);
  if (inside) return `${inside.path.join(".")}: ${wordsOf(inside)}`;
  const said = [...new Set(firsts.map(wordsOf))].join(" or ");
  return said.replaceAll(" or must be ", " or ") || undefined;
}

/** `entries: at most 16 are allowed`; `whole` is what the input is called where all of it is wrong. */
export const refusalOf = (issue: z.core.$ZodIssue | undefined, whole: string): string =>
  `${issue?.path.join(".") || whole}: ${issue ? wordsOf(issue) : "is not valid"}`;
