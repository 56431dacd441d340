import { createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import type { Db } from '../../db/schema.ts';
import { createApp } from '../../server/app.ts';
import type { Config } from '../../server/config.ts';
import type { JobRunner } from '../../server/http/jobs.ts';
import { createLog } from '../../server/http/log.ts';
import type { Metrics } from '../../server/http/metrics.ts';
import type { AppEnv } from '../../server/http/session.ts';
import { createAuth } from '../../server/services/session/auth.ts';
import { Clock } from './clock.ts';
import { addSession, addUser, NOW, type StoredUser } from './rows.ts';

const ORIGIN = 'http://saldo.test';

/** The folder is created by the first test that keeps a copy in it, and it is removed with the process. */
const DATA_FOLDER = join(tmpdir(), `saldo-datos-${process.pid}`);
process.once('exit', () => rmSync(DATA_FOLDER, { recursive: true, force: true }));

export const TEST_CONFIG: Config = {
  port: 0,
  host: '127.0.0.1',
  databaseUrl: '',
  dataFolder: DATA_FOLDER,
  secret: 'un-secreto-solo-para-las-pruebas-0123456789',
  trustedProxies: 0,
  // The application itself sends no mail; only a started server does.
  mail: {
    from: { name: '', address: 'pagos@constructora.mx' },
    server: { host: '127.0.0.1', port: 1, secure: false, requireTLS: false, ignoreTLS: true },
  },
  timeZone: 'America/Mexico_City',
  logLevel: 'trace',
};

export interface TestApp {
  app: Hono<AppEnv>;
  clock: Clock;
  config: Config;
  loggedLines: string[];
  /** sends a plain request, without cookies or Origin unless given */
  request(path: string, init?: RequestInit): Promise<Response>;
  visitor(): TestClient;
  /** makes a browser that is signed in as this user, or as a new one with these roles */
  as(who: StoredUser | number | number[]): Promise<TestClient>;
  withToken(who: StoredUser | number | number[]): Promise<TestClient>;
}

/** Makes the whole application over `db`, without a socket, at NOW. */
export function createTestApp({
  db,
  now = NOW,
  config: configOverrides = {},
  development = false,
  metrics,
  jobs,
}: {
  db: Db;
  now?: string | Date;
  config?: Partial<Config>;
  development?: boolean;
  metrics?: Metrics;
  jobs?: JobRunner;
}): TestApp {
  const config = { ...TEST_CONFIG, ...configOverrides };
  const clock = new Clock(now);
  const logged: string[] = [];
  const log = createLog(config.logLevel, { write: (line) => void logged.push(line) });
  const auth = createAuth(db, { secret: config.secret, baseURL: config.url ?? ORIGIN });
  const app = createApp({
    db,
    auth,
    config,
    log,
    metrics,
    jobRunner: jobs,
    now: clock.now,
    isDevelopment: development,
  });
  const request = async (path: string, init?: RequestInit) =>
    app.request((config.url ?? ORIGIN) + path, init);
  const signIn = async (who: StoredUser | number | number[]) => {
    const user = typeof who === 'object' && 'id' in who ? who : await addUser(db, { roles: [who].flat() });
    return { user, token: await addSession(db, user.id, clock.now()) };
  };
  const newClient = () => new TestClient(request, config.url ?? ORIGIN);
  return {
    app,
    clock,
    config,
    loggedLines: logged,
    request,
    visitor: newClient,
    async as(who) {
      const client = newClient();
      Object.assign(client, await signIn(who));
      const name = config.url?.startsWith('https:') ? '__Host-saldo' : 'saldo';
      // This signs as Hono does, without a turn of the thread pool for each client.
      const signature = createHmac('sha256', config.secret).update(client.token).digest('base64');
      client.cookies.set(name, encodeURIComponent(`${client.token}.${signature}`));
      return client;
    },
    async withToken(who) {
      const client = newClient();
      Object.assign(client, await signIn(who));
      client.headers.set('authorization', `Bearer ${client.token}`);
      client.headers.delete('origin');
      return client;
    },
  };
}

type UploadFile = readonly [filename: string, bytes: Uint8Array];

const isSingleFile = (chosen: UploadFile | readonly UploadFile[]): chosen is UploadFile =>
  typeof chosen[0] === 'string';

/** Sends what a browser would: Origin with each change, and the cookies it was given. */
export class TestClient {
  readonly headers = new Headers();
  readonly cookies = new Map<string, string>();
  readonly user!: StoredUser;
  readonly token!: string;
  readonly #request: TestApp['request'];

  constructor(request: TestApp['request'], origin: string) {
    this.#request = request;
    this.headers.set('origin', origin);
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(this.headers);
    if (['GET', 'HEAD'].includes(init.method ?? 'GET')) headers.delete('origin');
    if (this.cookies.size > 0)
      headers.set('cookie', [...this.cookies].map((pair) => pair.join('=')).join('; '));
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const response = await this.#request(path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) this.storeCookie(cookie);
    return response;
  }

  get(path: string, init?: RequestInit) {
    return this.send(path, init);
  }

  post(path: string, body: unknown = {}, init?: RequestInit) {
    return this.#json('POST', path, body, init);
  }

  put(path: string, body: unknown = {}, init?: RequestInit) {
    return this.#json('PUT', path, body, init);
  }

  delete(path: string, init?: RequestInit) {
    return this.send(path, { ...init, method: 'DELETE' });
  }

  form(path: string, fields: Record<string, string | number | undefined> = {}, init?: RequestInit) {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const body = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return this.send(path, { ...init, method: 'POST', body });
  }

  async files(
    path: string,
    files: Record<string, UploadFile | readonly UploadFile[]>,
    fields: Record<string, string> = {},
    sent: Record<string, string> = {},
  ) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    for (const [name, chosen] of Object.entries(files))
      for (const [filename, bytes] of isSingleFile(chosen) ? [chosen] : chosen)
        body.append(name, new Blob([new Uint8Array(bytes)]), filename);
    // The body is sent as bytes: a FormData that is refused while it is being read throws where nobody catches it.
    const encoded = new Response(body);
    const headers = { ...sent, 'content-type': encoded.headers.get('content-type') ?? '' };
    return this.send(path, { method: 'POST', body: await encoded.arrayBuffer(), headers });
  }

  follow(response: Response): Promise<Response> {
    const location = response.headers.get('location');
    if (!location) throw new Error(`not a redirect: ${response.status}`);
    return this.get(location);
  }

  storeCookie(setCookie: string): void {
    const [pair = '', ...attributes] = setCookie.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(at + 1).trim());
  }

  #json(method: string, path: string, body: unknown, init?: RequestInit) {
    const headers = new Headers(init?.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send(path, { ...init, method, headers, body: text });
  }
}
