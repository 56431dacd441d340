import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { createFirstAdministrator } from '../../server/services/users/first-administrator.ts';
import { createUser } from '../../server/services/users/users.ts';
import { openPage, type PageAppearance, signIn, type WatchedPage } from './browser.ts';
import { temporaryFolder } from './folder.ts';
import { rememberSession } from './remembered-session.ts';
import { createActor } from './rows.ts';
import { type RunningServer, startServer } from './server.ts';
import { sharedBrowser } from './shared-browser.ts';

export const ADMIN_LOGIN = { login: 'jefa@obra.test', password: 'andamio-y-cimbra-7' };

export interface RunningApp {
  db: Db;
  server: RunningServer;
  browser: Browser;
  /** The page closes with its test, and fails the test where it complained; without motion unless asked. */
  open(appearance?: PageAppearance): Promise<WatchedPage>;
  openSignedIn(look?: PageAppearance, who?: { login: string; password: string }): Promise<WatchedPage>;
  stop(): Promise<void>;
}

/**
 * Starts the application before the tests of a suite and stops it after them; it exists inside tests only.
 * @param prepare fills the database before it is served; the administrator is already in it
 */
export function useRunningApp(prepare?: (database: OpenDatabase) => Promise<void>): RunningApp {
  let app: RunningApp | undefined;
  beforeAll(async () => {
    app = await startApp(prepare);
  });
  afterAll(() => app?.stop());
  return new Proxy({} as RunningApp, { get: (_, member) => app?.[member as keyof RunningApp] });
}

export async function startApp(
  prepare?: (database: OpenDatabase) => Promise<void>,
  env: Record<string, string> = {},
): Promise<RunningApp> {
  const { folder, remove } = temporaryFolder();
  const url = `file:${folder}/saldo.db`;
  const database = openDatabase(url, { root: folder, createIfMissing: true });
  await migrate(database);
  const { login: email, password } = ADMIN_LOGIN;
  await createFirstAdministrator(database.db, createActor(), { email, password });
  await prepare?.(database);
  const [browser, server] = await Promise.all([sharedBrowser(), startServer({ DATABASE_URL: url, ...env })]);
  const openPageOfApp = (appearance: PageAppearance = {}) =>
    openWatchedPage(browser, { reducesMotion: true, ...appearance, baseURL: server.url });
  const entrances = new Map<string, ReturnType<typeof rememberSession>>();
  return {
    db: database.db,
    server,
    browser,
    open: openPageOfApp,
    async openSignedIn(look, who = ADMIN_LOGIN) {
      const watched = await openPageOfApp(look);
      const entrance = entrances.get(who.login) ?? rememberSession((page) => signIn(page, who));
      entrances.set(who.login, entrance);
      await entrance(watched);
      return watched;
    },
    async stop() {
      await server.stop();
      await database.close();
      remove();
    },
  };
}

export async function openWatchedPage(
  browser: Browser,
  appearance: PageAppearance & { baseURL: string },
): Promise<WatchedPage> {
  const watched = await openPage(browser, appearance);
  onTestFinished(async () => {
    await watched.context.close();
    expect(watched.browserErrors, 'complaints of the page').toEqual([]);
  });
  return watched;
}

export async function addColleague({ db }: OpenDatabase, username: string, roles: number[]) {
  const [userfirstname = '', userlastname = ''] = username.split('.');
  const draft = { userfirstname, userlastname, username, roles };
  await createUser(db, createActor(), { ...draft, password: ADMIN_LOGIN.password, keepsPassword: true });
  return { login: username, password: ADMIN_LOGIN.password };
}
