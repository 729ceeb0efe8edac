import { INVITATION_COOKIE } from "@rigmark/results/settings";
import { type NextRequest, NextResponse } from "next/server";
import { LAST_WORKSPACE } from "./lib/landing";
import { LANGUAGE_COOKIE, LANGUAGE_HEADER, languageOf } from "./lib/language";

/** Gives every page a content security policy with a nonce, and tells layouts which address was asked for, in which language. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  // biome-ignore lint/style/noProcessEnv: Next sets it, and drops the other branch from the build.
  const policy = contentSecurityPolicy(nonce, isEmbed(request), process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-path", request.nextUrl.pathname + request.nextUrl.search);
  headers.set("content-security-policy", policy);
  headers.set(LANGUAGE_HEADER, languageAsked(request));
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  const chosen = request.nextUrl.searchParams.get("lang");
  if ((chosen === "zh" || chosen === "en") && !isReport(request))
    response.cookies.set(LANGUAGE_COOKIE, chosen, { sameSite: "lax", maxAge: 365 * 86_400, path: "/" });
  const workspace = /^\/w\/([a-z0-9][a-z0-9-]{0,62})(?:\/|$)/.exec(request.nextUrl.pathname)?.[1];
  if (workspace)
    response.cookies.set(LAST_WORKSPACE, workspace, {
      httpOnly: true,
      sameSite: "lax",
      maxAge: 90 * 86_400,
      path: "/",
    });
  keepInvitation(request, response);
  return response;
}

/** For whoever goes to GitHub from the page Join and makes an account on the way back. Nothing else gets the cookie. */
function keepInvitation({ nextUrl }: NextRequest, response: NextResponse): void {
  const token = nextUrl.pathname === "/join" ? nextUrl.searchParams.get("token") : null;
  if (token !== null && /^[\w-]{1,200}$/.test(token))
    response.cookies.set(INVITATION_COOKIE, token, {
      httpOnly: true,
      sameSite: "lax",
      maxAge: 1800,
      path: "/api/auth/callback",
    });
}

/** The only page that other sites may show in a frame. */
const isEmbed = ({ nextUrl }: NextRequest): boolean => nextUrl.pathname.startsWith("/embed/r/");
const isReport = (request: NextRequest): boolean =>
  request.nextUrl.pathname.startsWith("/r/") || isEmbed(request);

/** What one sees only when signed in is in English. A report has no cookie: what one reader chose must not be another's. */
function languageAsked(request: NextRequest) {
  const { pathname, searchParams } = request.nextUrl;
  if (/^\/(w|account|device)(\/|$)/.test(pathname)) return "en";
  const asked = searchParams.get("lang");
  const chosen = isReport(request) ? null : request.cookies.get(LANGUAGE_COOKIE)?.value;
  const said = asked === "zh" || asked === "en" ? asked : chosen;
  return languageOf(said, request.headers.get("accept-language"));
}

function contentSecurityPolicy(nonce: string, framed: boolean, dev: boolean): string {
  return [
    "default-src 'self'",
    // The development server evaluates strings to reload; a build never does.
    `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws: wss:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framed ? "*" : "'none'"}`,
  ].join("; ");
}

export const config = {
  // Everything but what is no page; forms of a report and leaderboards as CSV have a stricter policy of their own.
  matcher: [
    {
      source:
        "/((?!api/|_next/|dl/|badge/|(?:favicon\\.ico|icon\\.svg|theme\\.js|install\\.sh|oembed)$|r/[^/]+/(?:json|md|badge\\.svg|og\\.png|oembed)$|r/[^/]+\\.(?:json|md)$|explore/[^/]+/csv$).*)",
    },
  ],
};
