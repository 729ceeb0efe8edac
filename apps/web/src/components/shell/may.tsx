"use client";

import type { Action } from "@rigmark/results";
import { ACTIONS } from "@rigmark/results/choices";
import { createContext, type ReactNode, useContext } from "react";

const Permitted = createContext<readonly Action[]>(ACTIONS);

/** What the person may do in the workspace of the page. The server decides; this hides what it would refuse. */
export const MayProvider = ({ may, children }: { may: readonly Action[]; children: ReactNode }) => (
  <Permitted value={may}>{children}</Permitted>
);

export const useMay = (action: Action): boolean => useContext(Permitted).includes(action);
