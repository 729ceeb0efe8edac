import { z } from "zod";

/** RFC 3339, in UTC. */
export const At = z.iso.datetime();
export const Address = z.url();

/** A page of a list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .describe("What to send as `cursor` for the next page; null on the last one."),
  });

export const MOST_ITEMS = 100;

/** What every list takes. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MOST_ITEMS).default(50).describe("Items of a page."),
  cursor: z.string().min(1).max(300).optional().describe("`next_cursor` of the page before."),
});
