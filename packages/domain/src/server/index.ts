export { get } from "./get";
export { list } from "./list";
