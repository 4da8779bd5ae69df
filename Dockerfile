# docker build --tag school-reviews .    How to run it, and how to pin these two by digest: docs/deployment.md
ARG NODE_IMAGE=node:26-slim
ARG DEBIAN_IMAGE=debian:trixie-slim

FROM ${NODE_IMAGE} AS client
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The headers in Node's own package, 67 MB, are for compiling against it.
RUN npm ci --omit=dev && rm -r node_modules/node-linux-*/include

# Without npm and another Node: what runs is the locked Node of the packages, which links to these two libraries.
FROM ${DEBIAN_IMAGE}
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libatomic1 libstdc++6 \
 && rm -r /var/lib/apt/lists/* \
 && groupadd --gid 10001 school-reviews \
 && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin school-reviews \
 && install --directory --owner=10001 --group=10001 --mode=0700 /data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=client /app/dist/client dist/client
COPY --from=client /app/dist/renderer dist/renderer
COPY package.json LICENSE ./
COPY src/contract src/contract
COPY src/server src/server
ENV PATH=/app/node_modules/.bin:$PATH NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1))"]
# No shell and no npm between: SIGTERM reaches the server, which drains and ends within 10 s.
CMD ["node", "--max-semi-space-size=16", "--disable-sigusr1", "src/server/main.ts"]
