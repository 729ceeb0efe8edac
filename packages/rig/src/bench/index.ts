import { CommandError } from "../say";

export async function run(): Promise<number> {
  throw new CommandError("./rig bench is not part of this build yet.");
}
