import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import {
  buildCurrentAnchor,
  checkAnchors,
  formatAnchor,
  parseAnchors,
  writeAnchor,
  writeDailyAnchor,
} from '../../../../server/services/audit/anchors.ts';
import { queueAuditEntry } from '../../../../server/services/audit/audit.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { createTestApp } from '../../../support/app.ts';
import { runSaldo } from '../../../support/cli.ts';
import { damageDatabase } from '../../../support/damage.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { createActor, NOW } from '../../../support/rows.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

const HOUR = 3_600_000;
const at = (hours = 0) => new Date(Date.parse(NOW) + hours * HOUR);
const TODAY = { now: at(), today: '2026-11-20' };

async function write(db: Db, count: number, file = 'a.db'): Promise<void> {
  for (let n = 0; n < count; n++)
    await inTransaction(db, async (trx) =>
      queueAuditEntry(trx, createActor(), { action: 'backup', entity: 'database', after: { n, file } }),
    );
}

describeEachDatabase('anchors of the audit trail', (fresh) => {
  it('are written to a file once a day, by one of several servers', async () => {
    const { db } = fresh;
    await write(db, 2);
    const file = join(folder, `${fresh.dialect}.jsonl`);
    const other = fresh.database.openAgain().db;
    const done = await Promise.all([db, other, db].map((one) => writeDailyAnchor(one, { file }, TODAY)));
    expect(done.filter((one) => one !== undefined)).toEqual([
      { anchor: { at: NOW, entries: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }, problem: null },
    ]);
    await write(db, 1);
    expect(await writeDailyAnchor(db, { file }, { ...TODAY, now: at(5) })).toBeUndefined();
    expect(await writeDailyAnchor(db, { file }, { now: at(24), today: '2026-11-21' })).toMatchObject({
      problem: null,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const anchors = parseAnchors(readFileSync(file, 'utf8'));
    expect(anchors.map(({ entries }) => entries)).toEqual([2, 3]);
    expect(await checkAnchors(db, anchors)).toEqual({
      matching: 2,
      last: anchors[1],
      mismatch: undefined,
      fault: undefined,
    });
  });

  it('are reported if they cannot be written, and tried again an hour later', async () => {
    const { db } = fresh;
    const nowhere = { file: join(folder, 'no', 'hay.jsonl') };
    expect(await writeDailyAnchor(db, nowhere, TODAY)).toMatchObject({ problem: 'no existe' });
    const warning = `El ancla de la bitácora no se pudo anotar (${NOW}): no existe. Revisa SALDO_ANCHOR.`;
    const settings = async () =>
      (await (await createTestApp({ db }).as(3)).get('/admin-settings/acerca-de')).text();
    expect((await checkDatabase(db)).notices).toEqual([warning]);
    expect((await runSaldo(fresh, ['db', 'check'])).out).toContain(`! ${warning}\n`);
    expect(await settings()).toContain(warning);
    expect(await writeDailyAnchor(db, nowhere, { ...TODAY, now: at(0.5) })).toBeUndefined();
    const file = join(folder, `otra-${fresh.dialect}.jsonl`);
    expect(await writeDailyAnchor(db, { file }, { ...TODAY, now: at(1) })).toMatchObject({ problem: null });
    expect((await checkDatabase(db)).notices).toEqual([]);
    expect(await settings()).not.toContain(warning);
  });

  it('reveal a rewritten chain, which is consistent in itself', async () => {
    const { db } = fresh;
    const anchors = [];
    for (const count of [2, 2, 2]) {
      await write(db, count);
      anchors.push(await buildCurrentAnchor(db, NOW));
    }
    const file = join(folder, `anclas-${fresh.dialect}.jsonl`);
    writeFileSync(file, anchors.map(formatAnchor).join(''));
    const good = await runSaldo(fresh, ['db', 'anchor', '--check', file]);
    expect(good).toMatchObject({
      code: 0,
      out: `3 anclas coinciden con la bitácora.\nHasta el asiento 6 es la que se anotó el ${NOW}.\n`,
    });

    // Rewrites the trail from the third entry on, with correct hashes.
    await damageDatabase(
      fresh,
      'delete from audit where id > 2',
      `update audit_tail set "lastId" = 2, "lastHash" = '${anchors[0]!.hash}'`,
    );
    await write(db, 3, 'otra.db');
    const result = await checkAnchors(db, anchors);
    expect(result).toMatchObject({
      matching: 1,
      last: { entries: 2 },
      mismatch: { entries: 4 },
      fault: undefined,
    });
    const { out, code } = await runSaldo(fresh, ['db', 'anchor', '--check', file]);
    expect(code).toBe(1);
    expect(out).toContain('El asiento 4 ya no es el que se anotó');
    expect(out).toContain('La bitácora se rehízo después del asiento 2.\n');
    expect((await checkAnchors(db, anchors.slice(2))).mismatch).toMatchObject({ entries: 6, now: null });
  });
});

describe('an anchor that is sent', () => {
  const requests: { method?: string; url?: string; headers: Record<string, unknown>; body: string }[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.writeHead(status, status > 300 && status < 400 ? { location: '/elsewhere' } : {}).end();
  });
  afterAll(() => server.close());

  it('is posted unchanged, without cookies or keys, and follows no redirect', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const anchor = { at: NOW, entries: 7, hash: 'a'.repeat(64) };
    expect(await writeAnchor({ url }, anchor)).toBeNull();
    expect(requests[0]).toMatchObject({ method: 'POST', body: formatAnchor(anchor) });
    expect(Object.keys(requests[0]!.headers)).not.toContain('authorization');
    expect(Object.keys(requests[0]!.headers)).not.toContain('cookie');
    status = 500;
    expect(await writeAnchor({ url }, anchor)).toBe('contestó 500');
    // The target of a redirect would answer, but is not requested.
    for (status of [301, 302, 303, 307, 308])
      expect(await writeAnchor({ url }, anchor)).toMatch(/^no se pudo enviar/);
    expect(requests.map((request) => request.url)).toEqual(Array(7).fill('/'));
    expect(await writeAnchor({ url: 'http://127.0.0.1:1/' }, anchor)).toMatch(/^no se pudo enviar \(/);
  });
});

describe('a file of anchors', () => {
  it.each([
    ['', 'El archivo no tiene ninguna ancla de la bitácora.'],
    ['\n\nhola\n', 'El renglón 3 no es un ancla de la bitácora.'],
    [
      '{"at":"2026-11-20T18:00:00.000Z","entries":-1,"hash":""}',
      'El renglón 1 no es un ancla de la bitácora.',
    ],
    [
      `{"at":"2026-11-20T18:00:00.000Z","entries":1,"hash":"${'x'.repeat(64)}"}`,
      'El renglón 1 no es un ancla de la bitácora.',
    ],
  ])('%j is refused with the line that is no anchor', (text, message) => {
    expect(() => parseAnchors(text)).toThrow(message);
  });
});
