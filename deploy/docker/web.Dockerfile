# The web app. Build from the top of the tree: docker build -f deploy/docker/web.Dockerfile .
ARG RUST_IMAGE=rust:1.95-bookworm
ARG NODE_IMAGE=node:24-bookworm

FROM ${NODE_IMAGE} AS node

FROM ${RUST_IMAGE} AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && npm install --global pnpm@10.34.8 \
  && rustup target add wasm32-unknown-unknown
WORKDIR /app
COPY . .
ENV CI=1 NEXT_TELEMETRY_DISABLED=1 TURBO_TELEMETRY_DISABLED=1
RUN pnpm install --frozen-lockfile \
  && pnpm exec turbo run build --env-mode=loose --filter=@rigmark/web \
  && rm -rf target apps/web/.next/cache node_modules/.cache

FROM ${NODE_IMAGE}
RUN useradd --system --user-group --create-home rigmark \
  && install -d -o rigmark -g rigmark -m 0700 /state \
  && install -d -o rigmark -g rigmark -m 0755 /keys
WORKDIR /app
COPY --from=build /app /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 STATE_DIR=/state RELEASE_DIR=/app/.rig/release ENROLL_KEY_FILE=/keys/enroll PORT=4270
USER rigmark
EXPOSE 4270
WORKDIR /app/packages/rig
CMD ["node", "--import", "tsx", "src/main.ts", "serve"]
