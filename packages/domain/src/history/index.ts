export { createBadge } from "./create-badge";
export { deleteBadge } from "./delete-badge";
export { getHistory } from "./get";
export { listHistory } from "./list";
export { renderBadge } from "./render-badge";
