import { once } from 'node:events';
import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type DatabaseSize, measureDatabase } from '../../db/measure.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { getCreatedCountsSinceStart } from '../services/audit/created-counts.ts';
import { readHashingLoad } from '../services/session/password-hashing.ts';
import { listenError } from './listen-address.ts';
import type { FinishedRequest, RequestEvent } from './request-facts.ts';

export interface Metrics {
  port: number;
  observeRequest(facts: FinishedRequest): void;
  close(): Promise<void>;
}

const COUNTED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const BUCKET_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const SIGN_IN_OUTCOMES: Partial<Record<RequestEvent, string>> = {
  'sign-in': 'succeeded',
  'sign-in-failed': 'failed',
  'sign-in-locked': 'locked',
};

/** Serves Prometheus on the loopback address. Labels are route patterns, never user input. @throws DomainError conflict */
export async function serveMetrics(database: OpenDatabase, port: number): Promise<Metrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const observe = registerRequestMetrics(registry);
  registerProcessMetrics(registry);
  registerDatabaseMetrics(registry, database);
  const server = createServer((request, response) => {
    const isMetricsRequest = request.method === 'GET' && /^\/metrics(\?|$)/.test(request.url ?? '');
    if (!isMetricsRequest) return void response.writeHead(404).end();
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const place = { host: '127.0.0.1', port };
  await once(server.listen(place), 'listening').catch((error) => {
    throw listenError(error, place, 'METRICS_PORT');
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    observeRequest: observe,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        registry.clear();
      }),
  };
}

function registerRequestMetrics(registry: Registry): (facts: FinishedRequest) => void {
  const registers = [registry];
  const durations = new Histogram({
    name: 'saldo_http_request_duration_seconds',
    help: 'Time until an answer was sent, by method, route pattern and class of status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKET_SECONDS,
    registers,
  });
  const aborted = new Counter({
    name: 'saldo_http_requests_aborted_total',
    help: 'Requests whose client had gone before the answer was sent',
    registers,
  });
  const attempts = new Counter({
    name: 'saldo_sign_in_attempts_total',
    help: 'Sign-ins by outcome',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of Object.values(SIGN_IN_OUTCOMES)) attempts.inc({ outcome }, 0);
  return ({ method, route, status, ms, event }) => {
    const labels = {
      method: COUNTED_METHODS.includes(method) ? method : 'other',
      route: route ?? 'unmatched',
      status: `${Math.floor(status / 100)}xx`,
    };
    durations.observe(labels, ms / 1000);
    if (event === 'aborted') aborted.inc();
    const outcome = event && SIGN_IN_OUTCOMES[event];
    if (outcome) attempts.inc({ outcome });
  };
}

function registerProcessMetrics(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'saldo_password_hashes',
    help: 'Passwords being hashed, and waiting for it',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(readHashingLoad())) this.set({ state }, count);
    },
  });
  new Counter({
    name: 'saldo_rows_created_total',
    help: 'Rows created by this process, by list',
    labelNames: ['entity'],
    registers,
    collect() {
      this.reset();
      for (const [entity, count] of getCreatedCountsSinceStart()) this.inc({ entity }, count);
    },
  });
}

function registerDatabaseMetrics(registry: Registry, { db, file }: OpenDatabase): void {
  let measuring: Promise<DatabaseSize | undefined> | undefined;
  const measureOnce = () => {
    measuring ??= measureDatabase(db, file)
      .catch(() => undefined)
      .finally(() => {
        measuring = undefined;
      });
    return measuring;
  };
  const addGauge = (name: string, help: string, read: (size?: DatabaseSize) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(read(await measureOnce()) ?? Number.NaN);
      },
    });
  addGauge('saldo_database_up', 'Whether the database answers', (size) => (size ? 1 : 0));
  addGauge('saldo_database_bytes', 'Size of the database', (size) => size?.bytes);
  addGauge(
    'saldo_database_wal_bytes',
    'Size of the write-ahead log; on PostgreSQL that of its server, where it may be read',
    (size) => size?.walBytes,
  );
}
