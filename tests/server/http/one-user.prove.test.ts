import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../db/migrate.ts';
import { openDatabase } from '../../../db/open.ts';
import { pages } from '../../../shared/urls.ts';
import { quantile } from '../../security/timing.ts';
import { addAccount } from '../../support/accounts.ts';
import { addBatch } from '../../support/batches.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { patience } from '../../support/patience.ts';
import { addFund } from '../../support/petty-cash.ts';
import { addActor, addFundingSource, addInvoice, addSession, addUser } from '../../support/rows.ts';
import { type RunningServer, startServer } from '../../support/server.ts';

const MATCHING = 400;
const MB = 1024 * 1024;
const BOUNDARY = 'frontera-de-las-partes';

describe('what one user sends to the built server', () => {
  const { folder, remove } = temporaryFolder();
  const url = `file:${folder}/saldo.db`;
  const agent = new Agent({ keepAlive: true });
  let server: RunningServer;
  let [sender, other] = ['', ''];
  let origenderecursoId: number;
  let fundId: number;
  let clabes: string[];

  beforeAll(async () => {
    const database = openDatabase(url, { root: folder, create: true });
    await migrate(database);
    const { db } = database;
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    const truster = await addActor(db, { roles: [2] });
    origenderecursoId = await addFundingSource(db);
    clabes = [];
    const invoiceIds: number[] = [];
    for (let n = 0; n < MATCHING; n++) {
      const { supplierId, clabe } = await addAccount(db, { author, truster });
      clabes.push(clabe);
      invoiceIds.push(await addInvoice(db, { supplierId }));
    }
    await addBatch(db, { author, estado: 'enviada', invoiceIds, origenderecursoId });
    fundId = (await addFund(db)).id;
    const now = new Date();
    sender = await addSession(db, (await addUser(db, { roles: [1, 6] })).id, now);
    other = await addSession(db, (await addUser(db, { roles: [6] })).id, now);
    await database.close();
    server = await startServer({ DATABASE_URL: url });
  }, 600_000);
  afterAll(async () => {
    agent.destroy();
    await server?.stop();
    remove();
  });

  /** Posts a form, by default with how large it is. @returns the status */
  const send = (path: string, form: Buffer, isChunked = false) =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        'x-access-token': sender,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        ...(isChunked ? {} : { 'content-length': form.length }),
      };
      const call = request(server.url + path, { method: 'POST', agent, headers });
      call.once('error', reject);
      call.once('response', (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      });
      for (let at = 0; at < form.length; at += MB) call.write(form.subarray(at, at + MB));
      call.end();
    });

  /** What others wait for a small answer meanwhile. */
  const beside = async (what: string, work: () => Promise<number[]>) => {
    const times: number[] = [];
    let isOver = false;
    const working = work().finally(() => {
      isOver = true;
    });
    while (!isOver || times.length < 20) {
      const began = performance.now();
      const { status } = await fetch(`${server.url}/api/test/user`, { headers: { 'x-access-token': other } });
      expect(status).toBe(200);
      times.push(performance.now() - began);
      await delay(5);
    }
    const statuses = await working;
    console.info(
      `${what}: others wait ${quantile(times, 0.5).toFixed(0)} ms, at the most ${Math.max(...times).toFixed(0)} ms`,
    );
    expect(Math.max(...times), what).toBeLessThan(250 * patience());
    return statuses;
  };

  it('keeps nobody else waiting: a statement, a table in chunks, eight photos at once', async () => {
    const statement = (lines: string[]) =>
      formOf({ origenderecursoId: String(origenderecursoId) }, 'estado.csv', [
        'Fecha,Concepto,Cargo,Abono',
        ...lines,
      ]);
    await send(pages.loadBankStatement, statement(['19/11/2026,COMISION,5.00,'])); // the first one starts a thread
    const matching = statement(clabes.map((clabe) => `19/11/2026,SPEI ${clabe},1160.00,`));
    const others = statement(
      Array.from({ length: 20_000 }, (_, n) => `19/11/2026,PAGO ${n} ${n * 7},${100 + (n % 900)}.00,`),
    );
    const load = `/api${pages.loadBankStatement}`;
    expect(await beside('400 movements that match', async () => [await send(load, matching)])).toEqual([200]);
    expect(await beside('20,000 that do not', async () => [await send(load, others)])).toEqual([200]);

    const table = formOf({ kind: 'invoices' }, 'facturas.csv', [
      'Proveedor,Obra,Factura,Emisión,Subtotal,Tasa',
      ...Array.from({ length: 60_000 }, (_, n) => `P,O,F-${n},2026-03-15,100.00,16`),
    ]);
    const upload = async () => [await send(pages.imports, table, true)];
    expect(await beside('a table of 60,000 rows in chunks', upload)).toEqual([303]);

    const photo = Buffer.alloc(5 * MB - 1024, 7);
    photo.set([0xff, 0xd8, 0xff]);
    const ticket = (n: number) =>
      formOf(
        {
          fecha: '2026-11-20',
          concepto: `Gasolina ${n}`,
          comprobante: 'nota',
          importe: '10.00',
          tipo: 'gasto',
        },
        'foto.jpg',
        Buffer.concat([photo, Buffer.from([n])]),
        'foto',
      );
    const photos = Array.from({ length: 8 }, (_, n) => ticket(n));
    const path = `/caja-chica/${fundId}/nuevo-movimiento`;
    const sent = await beside('eight photos', () => Promise.all(photos.map((one) => send(path, one))));
    expect(sent).toEqual(Array(8).fill(303));
  });
});

function formOf(
  fields: Record<string, string>,
  filename: string,
  content: readonly string[] | Buffer,
  control = 'file',
): Buffer {
  const head = (words: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${words}\r\n\r\n`;
  const before = Object.entries(fields).map(([name, value]) => `${head(`name="${name}"`)}${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${before.join('')}${head(`name="${control}"; filename="${filename}"`)}`),
    Buffer.isBuffer(content) ? content : Buffer.from(`${(content as readonly string[]).join('\n')}\n`),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}
