export { getHistory } from "./get";
export { listHistory } from "./list";
