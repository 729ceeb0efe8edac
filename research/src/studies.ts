import type { Figure } from "@rigmark/rig/research";
import { changePoints } from "./changes/index";
import { method, methodParts } from "./method/index";
import { noisy } from "./noisy/index";

/** By the name that `./rig bench` takes. */
export const studies: Record<string, () => Promise<Figure[]>> = {
  method,
  ...methodParts,
  noisy,
  changes: changePoints,
};
