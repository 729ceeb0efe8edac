import { CommandError, generate, runBenches, runCommand } from "@rigmark/rig/research";

/** `./rig bench NAME` for a study. */
runCommand(async () => {
  const [, name = ""] = process.argv.slice(2);
  await generate();
  const { studies } = await import("./studies");
  const study = studies[name];
  if (!study) throw new CommandError(`there is no study "${name}".`, { exit: 2 });
  return runBenches(name, [name], async (measure) => {
    await measure(name, study);
    return "";
  });
});
