# An agent with the servers' toolchains and the load tools, for trying out: a container is a poor place to measure.
ARG RUST_IMAGE=rust:1.95-bookworm
ARG GO_IMAGE=golang:1.26-bookworm
ARG NODE_IMAGE=node:24-bookworm
ARG BASE_IMAGE=debian:bookworm

FROM ${GO_IMAGE} AS k6
COPY deploy/k6 /k6
RUN cd /k6 && CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /k6-bin go.k6.io/k6

FROM ${NODE_IMAGE} AS scenarios
RUN npm install --global pnpm@10.34.8
WORKDIR /app
COPY . .
RUN pnpm install --frozen-lockfile --filter @rigmark/scenarios... && pnpm --filter @rigmark/scenarios run generate

FROM ${RUST_IMAGE} AS agent
WORKDIR /app
COPY Cargo.toml Cargo.lock ./
COPY apps/agent apps/agent
COPY packages/stats packages/stats
RUN cargo build --release --locked -p rigmark

FROM ${BASE_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends apache2-utils build-essential ca-certificates libmimalloc-dev libuv1-dev \
    libnginx-mod-http-lua liburing-dev lua-cjson nghttp2-client nginx node-llhttp nodejs pkg-config wrk \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --user-group --home-dir /var/lib/rigmark rigmark \
  && install -d -o rigmark -g rigmark -m 0700 /var/lib/rigmark
COPY --from=agent /app/target/release/rigmark /usr/local/bin/rigmark
COPY --from=k6 /k6-bin /usr/local/lib/rigmark/k6
COPY servers /usr/local/share/rigmark/servers
COPY --from=scenarios /app/packages/scenarios/scenarios /usr/local/share/rigmark/scenarios/scenarios
COPY --from=scenarios /app/packages/scenarios/suites /usr/local/share/rigmark/scenarios/suites
COPY --from=scenarios /app/packages/scenarios/tools /usr/local/share/rigmark/scenarios/tools
COPY --from=scenarios /app/packages/scenarios/dist /usr/local/share/rigmark/scenarios/dist
COPY deploy/docker/agent.sh /usr/local/bin/rigmark-container
ENV RIGMARK_STATE=/var/lib/rigmark HOME=/var/lib/rigmark
USER rigmark
CMD ["/usr/local/bin/rigmark-container"]
