import { filesOfTree } from "../files";
import { LEFT_OUT, NOT_PROSE } from "./exceptions";

/** The files whose words are checked. */
export const filesToRead = (): string[] =>
  filesOfTree().filter(
    (file) => !NOT_PROSE.test(file) && !LEFT_OUT.some((folder) => file.startsWith(folder)),
  );
