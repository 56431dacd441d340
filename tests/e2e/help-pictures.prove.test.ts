import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serializeSigned } from 'hono/utils/cookie';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { PICTURE_SIZE, PICTURE_THEMES, pictureFileName } from '../../server/pages/help/picture.tsx';
import { TOPICS } from '../../server/pages/help/topics.ts';
import { projectRoot } from '../../server/root.ts';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { openPage } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { addSession, addUser, createActor, NOW } from '../support/rows.ts';
import { takePicture } from '../support/screenshots.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { sharedBrowser } from '../support/shared-browser.ts';

const FOLDER = join(projectRoot, 'server/pages/help/pictures');
/** A help page with its picture has to stay below 300 KB. */
const MOST_BYTES = 90 * 1024;
/** The share of pixels that may differ, such as edges of letters on another machine. */
const MOST_DIFFERING = 0.01;

/** `npm run pictures` takes the pictures instead of comparing them. */
const isTaking = () => {
  const { snapshotState } = expect.getState() as unknown as { snapshotState: { _updateSnapshot: string } };
  return snapshotState._updateSnapshot === 'all';
};

const SECRET = 'un-secreto-solo-para-las-pruebas-0123456789';

// The server's clock is fixed, so only changed screens differ.
describe('the pictures of the guide', () => {
  const { folder, remove } = temporaryFolder();
  let server: RunningServer | undefined;
  let cookie: string;
  let browser: Browser;

  beforeAll(async () => {
    const DATABASE_URL = `file:${folder}/saldo.db`;
    const database = openDatabase(DATABASE_URL, { root: folder, createIfMissing: true });
    await migrate(database);
    await fillDemo(database, createActor());
    const { id } = await addUser(database.db, { username: 'direccion', roles: [1, 2, 3] });
    cookie = await serializeSigned('saldo', await addSession(database.db, id, NOW), SECRET);
    await database.close();
    server = await startServer({
      DATABASE_URL,
      SALDO_SECRET: SECRET,
      SALDO_STARTED_AT: NOW,
      NODE_OPTIONS: `--import=${pathToFileURL(join(projectRoot, 'tests/support/standing-clock.mjs'))}`,
    });
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await server?.stop();
    remove();
  });

  it.each(PICTURE_THEMES)('show the current screens (%s)', async (theme) => {
    const baseURL = server!.url;
    const look = { ...PICTURE_SIZE, dark: theme === 'dark', reducesMotion: true, baseURL };
    const { page, context } = await openPage(browser, look);
    const [, value = ''] = /^saldo=([^;]+)/.exec(cookie)!;
    await context.addCookies([{ name: 'saldo', value, url: baseURL }]);
    const bench = await (await browser.newContext()).newPage();
    const stale: string[] = [];
    for (const { id: topic, picture: address } of TOPICS) {
      if (!address) continue;
      expect((await page.goto(address, { waitUntil: 'networkidle' }))?.status(), address).toBe(200);
      await page.evaluate(() => document.fonts.ready);
      const file = join(FOLDER, pictureFileName(topic, theme));
      const taken = await takePicture(page, { quality: 60 });
      expect(taken.length, topic).toBeLessThan(MOST_BYTES);
      if (isTaking()) writeFileSync(file, taken);
      else if (!existsSync(file)) stale.push(`${topic}: there is none`);
      else {
        const differing = await compare(bench, readFileSync(file), taken);
        if (differing > MOST_DIFFERING) stale.push(`${topic}: ${(100 * differing).toFixed(1)} % differs`);
      }
    }
    await bench.context().close();
    await context.close();
    expect(stale, 'npm run pictures takes them anew').toEqual([]);
  });
});

/** The share of 4 × 4 pixel blocks that differ visibly. */
function compare(
  page: Awaited<ReturnType<Browser['newPage']>>,
  ...pictures: [Buffer, Buffer]
): Promise<number> {
  const addresses = pictures.map((bytes) => `data:image/webp;base64,${bytes.toString('base64')}`);
  return page.evaluate(async (sources) => {
    const [one, other] = await Promise.all(
      sources.map(async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width / 4, image.height / 4];
        const context = canvas.getContext('2d')!;
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return context.getImageData(0, 0, canvas.width, canvas.height).data;
      }),
    );
    if (one!.length !== other!.length) return 1;
    let differing = 0;
    for (let at = 0; at < one!.length; at += 4)
      if ([0, 1, 2].some((part) => Math.abs(one![at + part]! - other![at + part]!) > 32)) differing++;
    return differing / (one!.length / 4);
  }, addresses);
}
