export { createWorkspace } from "./create";
export { getWorkspace } from "./get";
export { listWorkspaces } from "./list";
export { renameWorkspace } from "./rename";
