# One build, three images: `--target backend`, `--target worker`, `--target migrate`.
# The base is pinned by the digest of its index, for all platforms: a tag alone can be moved. See "Images" in docs/operations.md.
ARG NODE_IMAGE=node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci && npm run build

FROM build AS backend-files
RUN --mount=type=cache,target=/root/.npm node tools/image-files.mjs apps/cms-backend

FROM build AS worker-files
RUN --mount=type=cache,target=/root/.npm node tools/image-files.mjs apps/detector-worker

FROM build AS migrate-files
RUN --mount=type=cache,target=/root/.npm node tools/image-files.mjs tools/migrate

FROM ${NODE_IMAGE} AS runtime
ENV NODE_ENV=production
WORKDIR /app
# By number: Kubernetes cannot tell by a name that a user is not root.
USER 1000:1000

FROM runtime AS backend
COPY --from=backend-files /app/package.json ./
COPY --from=backend-files /app/node_modules ./node_modules
COPY --from=backend-files /app/libs ./libs
COPY --from=backend-files /app/apps ./apps
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/cms-backend/dist/bundle/main.js"]

FROM runtime AS worker
COPY --from=worker-files /app/package.json ./
COPY --from=worker-files /app/node_modules ./node_modules
COPY --from=worker-files /app/libs ./libs
COPY --from=worker-files /app/apps ./apps
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8000/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/detector-worker/dist/bundle/main.js"]

FROM runtime AS migrate
COPY --from=migrate-files /app/package.json ./
COPY --from=migrate-files /app/node_modules ./node_modules
COPY --from=migrate-files /app/libs ./libs
COPY --from=migrate-files /app/prisma ./prisma
COPY --from=migrate-files /app/tools ./tools
CMD ["node", "tools/migrate/dist/main.js"]
