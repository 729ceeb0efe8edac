import type { Route } from "../route";
import { device } from "./device";
import { hosts } from "./hosts";
import { me } from "./me";
import { publications } from "./publications";
import { reports } from "./reports";
import { results } from "./results";
import { runs } from "./runs";

/** Everything that /api/v1 does, in the order of its documentation. */
export const ROUTES: readonly Route[] = [
  ...me,
  ...hosts,
  ...runs,
  ...results,
  ...reports,
  ...publications,
  ...device,
];
