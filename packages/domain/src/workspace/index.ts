export { createWorkspace } from "./create";
export { deleteWorkspace } from "./delete";
export { getWorkspace } from "./get";
export { listWorkspaces } from "./list";
export { listDeletedWorkspaces } from "./list-deleted";
export { purgeWorkspaces } from "./purge";
export { renameWorkspace } from "./rename";
export { restoreWorkspace } from "./restore";
