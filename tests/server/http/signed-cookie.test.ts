import { Hono } from 'hono';
import { getSignedCookie } from 'hono/cookie';
import { serializeSigned } from 'hono/utils/cookie';
import { describe, expect, it } from 'vitest';
import { readSignedCookie } from '../../../server/http/session.ts';

const SECRET = 'un-secreto-con-ñ-para-firmar';

const app = new Hono().get('/', async (c) =>
  c.json([readSignedCookie(c, 'saldo', SECRET) ?? null, (await getSignedCookie(c, SECRET, 'saldo')) || null]),
);

const read = async (cookie: string): Promise<unknown> =>
  (await app.request('/', { headers: { cookie } })).json();

describe('a signed cookie', () => {
  it.each(['abc', '3.1795104000000.mark', 'con espacio, ñ y ;', ''])(
    'is read as Hono signed it: %j',
    async (value) => {
      const cookie = await serializeSigned('saldo', value, SECRET);
      expect(await read(`otra=1; ${cookie}`)).toEqual([value, value || null]);
    },
  );

  it('is refused if anything in it was changed, as by Hono', async () => {
    const cookie = await serializeSigned('saldo', 'abc', SECRET);
    const foreign = await serializeSigned('saldo', 'abc', 'otro secreto');
    const [, signed = ''] = cookie.split('=abc');
    for (const one of [
      foreign,
      cookie.replace('=abc', '=abd'),
      cookie.replace('=abc', '='),
      `saldo=${signed.slice(1)}`,
      `${cookie}A`,
      cookie.slice(0, -1),
      cookie.replace(/%3D$/, ''),
      'saldo=',
      'saldo=.',
      'saldo=abc',
      'saldo=%E0%A4%A',
      'otra=abc',
    ])
      expect([one, await read(one)]).toEqual([one, [null, null]]);
  });
});
