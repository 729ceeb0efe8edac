export { closeNetwork } from "./close";
export { getNetwork } from "./get";
export { openNetwork } from "./open";
