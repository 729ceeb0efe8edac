import { z } from "zod";

/** The one place where this package reads the environment. */
export const env = z
  .object({
    CHROMIUM: z.string().default("/usr/bin/chromium"),
    /** Where pictures for README and docs go; unset keeps them out of the tree. */
    RIGMARK_PICTURES: z.string().optional(),
  })
  .parse(process.env);
