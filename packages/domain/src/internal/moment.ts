export const iso = (date: Date): string => date.toISOString();
export const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null;
/** `2026-12-03 14:05 UTC`. */
export const inWords = (date: Date): string => `${iso(date).slice(0, 16).replace("T", " ")} UTC`;
export const later = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);
