import type { Route } from "./route";
import { ROUTES } from "./routes";

const BASE = "/api/v1";

export interface Match {
  route: Route;
  params: Record<string, string>;
}

const compiled = ROUTES.map((route) => {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");
  const pattern = new RegExp(`^${BASE}${route.path.replace(/\{\w+\}/g, "([^/]+)")}$`);
  return { route, names, pattern };
});

/** The routes at a path, by method; parameters are as they stand in the address. */
export function routesAt(path: string): Match[] {
  return compiled.flatMap(({ route, names, pattern }) => {
    const found = pattern.exec(path);
    if (!found) return [];
    return [
      { route, params: Object.fromEntries(names.map((name, i) => [name, decoded(found[i + 1] ?? "")])) },
    ];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
