export { getServer } from "./get";
export { listServers } from "./list";
