# syntax=docker/dockerfile:1
# Built with everything, run with what running needs.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node node_modules/vite/bin/vite.js build --app --logLevel warn

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/saldo.db MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY cli/saldo.mjs cli/saldo.mjs
RUN install -d -o node -g node -m 0700 /data /app/data \
  && printf '#!/bin/sh\nexec node /app/cli/saldo.mjs "$@"\n' > /usr/local/bin/saldo && chmod 755 /usr/local/bin/saldo
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by way of npm or a shell: signals must reach it.
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=20", "cli/saldo.mjs", "serve"]
