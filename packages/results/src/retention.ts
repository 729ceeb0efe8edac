/** A run with this tag is never deleted by its age. */
export const KEEP_TAG = "keep";
export const [LEAST_RETENTION_DAYS, MOST_RETENTION_DAYS] = [7, 3650];
