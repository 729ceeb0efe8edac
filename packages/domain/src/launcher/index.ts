/**
 * What the app and the launcher (`./rig up`) say to each other, through files that nobody else can read. Neither side needs
 * the database for it, so it is an export of its own.
 */
export { ownAddresses, privateAddresses } from "./addresses";
export { Archives, filesOf, LauncherNote, LauncherRequest, MOST_BYTES } from "./files";
export { type Launcher, launcherIn } from "./launcher";
