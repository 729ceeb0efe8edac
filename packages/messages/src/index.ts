export type { Phrases } from "./phrases";
export * from "./result-words";
export * from "./run-words";
export { bare, foreignParts, type Language, LOCALES, languageOfLocale, type Words, wordsOf } from "./words";
