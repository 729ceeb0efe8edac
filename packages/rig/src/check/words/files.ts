import { filesOfTree } from "../files";
import { NOT_PROSE } from "./exceptions";

/** The files whose words are checked. */
export const filesToRead = (): string[] => filesOfTree().filter((file) => !NOT_PROSE.test(file));
