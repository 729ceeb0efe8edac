export const iso = (date: Date): string => date.toISOString();
export const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null;
export const later = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);
