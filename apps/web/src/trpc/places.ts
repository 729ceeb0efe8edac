import type { WorkspacePlace } from "@rigmark/results";
import { notFound } from "next/navigation";
import { cache } from "react";
import { caller } from "./caller";
import { orNotFound } from "./reach";

/** The workspaces of whoever asks: once a request, for the layout and the page. */
export const places = cache(async () => (await caller()).workspace.places());

export async function placeOf(slug: string): Promise<WorkspacePlace> {
  const all = await orNotFound(places());
  return all.find((place) => place.slug === slug) ?? notFound();
}
