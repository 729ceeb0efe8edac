export { bySlug } from "./by-slug";
export { contentOf } from "./content-of";
export { create } from "./create";
export { createAsSystem } from "./create-as-system";
export { list } from "./list";
export { badgeText } from "./render/badge";
export { type Card, type CardRow, cardsOf } from "./render/card";
export { renderAs } from "./render-as";
export { revoke } from "./revoke";
