export { getWorkspace } from "./get";
export { listWorkspaces } from "./list";
