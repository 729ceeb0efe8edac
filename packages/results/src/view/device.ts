import { z } from "zod";
import { Moment } from "./scalar";

/** Eight letters that are not mistaken for each other, in two groups. */
export const UserCode = z.string().regex(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);

/** `bcdf ghjk` as a person types it becomes `BCDF-GHJK`. Not always a code: see `UserCode`. */
export const userCodeFrom = (typed: string): string => {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, "");
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
};

/** Who waits for an approval. */
export const DeviceView = z.object({
  user_code: UserCode,
  /** What the program says of itself. */
  client: z.string(),
  /** Where its request came from; null when unknown. */
  address: z.string().nullable(),
  state: z.enum(["pending", "approved", "denied", "collected", "expired"]),
  created_at: Moment,
  expires_at: Moment,
});
export type DeviceView = z.infer<typeof DeviceView>;
