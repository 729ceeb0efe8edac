export { cancel } from "./cancel";
export { create } from "./create";
export { get } from "./get";
export { list } from "./list";
export { logs } from "./logs";
export { options } from "./options";
export { raw } from "./raw";
export { series } from "./series";
export { type Tracked, watch } from "./watch";
