import { atMost, printable } from "../../internal/text";

const NAME_CHARS = 80;

/** What is kept of a person's name: one line that fits wherever it is shown. */
export const cleanPersonName = (name: string): string => atMost(printable(name), NAME_CHARS).trim();

/** What is kept of the address of a person's picture. */
export const cleanPersonImage = (image: string | null | undefined): string | null =>
  image && image.length <= 2000 && URL.canParse(image) && new URL(image).protocol === "https:" ? image : null;
