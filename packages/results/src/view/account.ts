import { z } from "zod";

/** Who is asking, and by which providers one can sign in. Sign-up, sign-in and reset are better-auth's own routes. */
export const AccountView = z.object({
  user: z
    .object({ user_id: z.string(), name: z.string(), email: z.string(), image: z.string().nullable() })
    .nullable(),
  providers: z.object({
    github: z.boolean(),
    /** `file`: no mail server is set, mails are written to files and the log names them. */
    mail: z.enum(["smtp", "file"]),
  }),
  /** Who may make an account here: `open`, `closed`, or the domain whose addresses may. */
  sign_up: z.string(),
  /** Origin that links are made of. */
  public_url: z.string(),
  /** True when `public_url` is an address that others cannot open. */
  public_url_is_private: z.boolean(),
});

export type AccountView = z.infer<typeof AccountView>;
