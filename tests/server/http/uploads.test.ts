import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import type { JobRunner } from '../../../server/http/jobs.ts';
import { pages } from '../../../shared/urls.ts';
import { createTestApp, type TestClient } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { addUser } from '../../support/rows.ts';
import { SCREENS } from '../../support/screens.ts';

const BOUNDARY = 'una-frontera';

describe('uploads', () => {
  const fresh = useFreshDatabase('sqlite');
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it('that arrive slowly keep nobody waiting: neither others nor their own user', async () => {
    const test = createTestApp({ db: fresh.db });
    const server = serve({ fetch: test.app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const [slow, quick] = [
      await test.withToken([6]),
      await test.withToken(await addUser(fresh.db, { roles: [6] })),
    ];
    const send = (headers: Headers, parts: string[], isWhole = true) =>
      new Promise<number>((resolve, reject) => {
        const call = request({
          port,
          method: 'POST',
          path: '/importar',
          agent: false,
          headers: {
            ...Object.fromEntries(headers),
            'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          },
        });
        call.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
        call.once('error', reject);
        for (const part of parts) call.write(part);
        if (isWhole) call.end();
        else closing.push(() => call.destroy());
      });
    const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="kind"\r\n\r\nrubros\r\n`;
    const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="r.csv"\r\n\r\nRubro\nAcero\r\n--${BOUNDARY}--\r\n`;
    for (let n = 0; n < 25; n++) void send(slow.headers, [part], false).catch(() => {});
    expect(await send(quick.headers, [part, file])).toBe(303);
    expect(await send(slow.headers, [part, file])).toBe(303);
  });
});

describe('HEAD of an export', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each(['xlsx', 'pdf', 'csv', 'json'])(
    'states type and name of the %s file without making it or waiting for a turn',
    async (format) => {
      const client = await createTestApp({ db: fresh.db }).withToken([6]);
      const path = `/invoices/export.${format}`;
      const whole = await client.get(path);
      await whole.arrayBuffer();
      for (let n = 0; n < 6; n++) {
        const head = await client.send(path, { method: 'HEAD' });
        expect([head.status, await head.text()]).toEqual([200, '']);
        for (const name of ['content-type', 'content-disposition'])
          expect(head.headers.get(name)).toBe(whole.headers.get(name));
      }
      expect((await client.get(path)).status).toBe(200);
    },
  );
});

/** Upload paths besides those on the common screens. */
const OTHERS = ['/new-invoice/xml', '/programaciones/estados-de-cuenta/cargar', '/caja-chica/movimientos/1'];

/** The size of a phone's photo; bodies that are no files end at 256 KB. */
const PHOTO = new Uint8Array(3 * 1024 * 1024).fill(7);

describe('a form with a file', () => {
  const fresh = useFreshDatabase('sqlite');

  it('accepts one as large as a photo, or states what is too large', async () => {
    await fresh.fillDemo();
    const client = await createTestApp({ db: fresh.db }).as([1, 2, 3]);
    const actions = new Map<string, string>();
    for (const screen of [...SCREENS, ...OTHERS])
      for (const action of await fileActionsOn(client, screen))
        actions.set(action.replace(/\d+/g, ':id'), action);
    const refused: string[] = [];
    for (const action of actions.values()) {
      const answer = await client.files(action, { file: ['foto.jpg', PHOTO] });
      if (/La solicitud pasa de/.test(await answer.text())) refused.push(action);
    }
    expect(refused).toEqual([]);
    expect(actions.size).toBeGreaterThan(7);
  });
});

describe('a form with a table', () => {
  const fresh = useFreshDatabase('sqlite');
  const TABLE = ['tabla.csv', Buffer.from('Rubro\nAcero\n')] as const;

  it.each([pages.imports, pages.loadBankStatement, `/api${pages.loadBankStatement}`])(
    'at %s is given to a worker, whether it states its size or comes in chunks',
    async (path) => {
      const handed: number[] = [];
      const client = await createTestApp({ db: fresh.db, jobs: recording(handed) }).withToken([1, 6]);
      expect((await client.files(path, { file: TABLE })).status).toBe(200);
      expect((await client.files(path, { file: TABLE }, {}, { 'content-length': '400' })).status).toBe(200);
      expect(handed).toEqual([expect.any(Number), handed[0]]);
      // A body without an end is read as far as the limit.
      const endless = ['tabla.csv', new Uint8Array(21 * 1024 * 1024)] as const;
      const refused = await client.files(path, { file: endless });
      expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining('pasa de 20 MB')]);
      expect(handed).toHaveLength(2);
    },
  );

  /** Records the sizes of the forms that it gets, and answers nothing. */
  function recording(handed: number[]): JobRunner {
    const answer: JobRunner['runRequest'] = async (_, { body }) => {
      handed.push(body?.length ?? 0);
      return { status: 200, headers: [], bytes: 0, body: null };
    };
    return { runRequest: answer } as JobRunner;
  }
});

/** The addresses to which a screen's forms with files are posted, those of their buttons included. */
async function fileActionsOn(client: TestClient, screen: string): Promise<string[]> {
  const html = await (await client.get(screen)).text();
  return [...html.matchAll(/<form\b[^>]*>.*?<\/form>/gs)]
    .map(([form]) => form)
    .filter((form) => /^<form[^>]*multipart\/form-data/i.test(form))
    .flatMap((form) => [
      /^<form[^>]*\baction="([^"]+)"/.exec(form)?.[1] ?? screen,
      ...[...form.matchAll(/formaction="([^"]+)"/gi)].map(([, action]) => action!),
    ])
    .map((address) => address.replaceAll('&amp;', '&'));
}
