import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFresh } from '../../support/databases.ts';
import { addUser } from '../../support/rows.ts';

const BOUNDARY = 'una-frontera';

describe('uploads', () => {
  const fresh = useFresh('sqlite');
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it('that come slowly keep nobody waiting: neither others nor their own user', async () => {
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
  const fresh = useFresh('sqlite');

  it.each(['xlsx', 'pdf', 'csv', 'json'])(
    'says what %s it is, without making it or taking a turn',
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
