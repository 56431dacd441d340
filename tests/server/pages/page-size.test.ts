import { randomUUID } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../db/transaction.ts';
import { LISTS } from '../../../server/lists/all.ts';
import { importBankStatement } from '../../../server/services/bank-statements/import-statement.ts';
import { saveBudgetOfJob } from '../../../server/services/budgets/write.ts';
import { createLoad, MAX_DOCUMENTS } from '../../../server/services/documents/loads.ts';
import { createMovement } from '../../../server/services/petty-cash/movements.ts';
import type { MovementFieldValues } from '../../../shared/petty-cash.ts';
import { addAccount } from '../../support/accounts.ts';
import { createTestApp, type TestClient } from '../../support/app.ts';
import { addBatch } from '../../support/batches.ts';
import { buildCfdi, bytesOf } from '../../support/cfdi.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { buildPdf } from '../../support/files.ts';
import { fillLedger } from '../../support/ledger.ts';
import { lengthenNames } from '../../support/long-names.ts';
import { addFund, createExpenseValues } from '../../support/petty-cash.ts';
import { IS_LONG_LANE } from '../../support/proofs.ts';
import {
  addActor,
  addClient,
  addFundingSource,
  addInvoice,
  addRubro,
  addSupplier,
  addUser,
} from '../../support/rows.ts';

const KB = 1024;

describe('the pages of a large firm', () => {
  const fresh = useFreshDatabase('sqlite');

  /** 1,150 invoices in 40 obras, 60 rubros with a budget in each, batches of 300 and a bank's statement of 2,000 movements. */
  const fill = async () => {
    const { db } = fresh;
    await fillLedger(db, { invoiceCount: 800, supplierCount: 150, jobCount: 40 });
    const author = await addActor(db, { roles: [3, 6] });
    const approver = await addActor(db, { roles: [1, 2] });
    const rubroIds: number[] = [];
    for (let n = 0; n < 60; n++)
      rubroIds.push(await addRubro(db, { nombrerubro: `Rubro de obra ${n}, acabados` }));
    const jobs = await db.selectFrom('jobs').select('id').limit(20).execute();
    const partidas = rubroIds.map((rubroId) => ({ rubroId, presupuestoCents: 123_456_700, version: 0 }));
    await inTransaction(db, async (trx) => {
      for (const { id } of jobs) await saveBudgetOfJob(trx, approver, id, { motivo: 'Inicial', partidas });
    });
    const origenderecursoId = await addFundingSource(db);
    const open = await db
      .selectFrom('invoices')
      .select('id')
      .whereRef('paidCents', '<', 'totalCents')
      .orderBy('id')
      .limit(300)
      .execute();
    const invoiceIds = open.map(({ id }) => id);
    const batch = await addBatch(db, { author, approver, origenderecursoId, invoiceIds });
    const statement = await importBankStatement(db, approver, {
      origenderecursoId,
      filename: 'noviembre.csv',
      sha256: 'a'.repeat(64),
      movements: Array.from({ length: 2000 }, (_, n) => ({
        line: n + 2,
        fecha: '2026-11-19',
        amountCents: -100 - n,
        referencia: `00${n}`,
        descripcion: `SPEI ENVIADO BANORTE ${n}`,
      })),
    });
    const supplierId = await addSupplier(db);
    for (let n = 0; n < 350; n++)
      await addInvoice(db, { supplierId, numfactura: `SERIE-A-${10_000 + n}`, uuid: randomUUID() });
    return { batchId: batch.id, statementId: statement.statementId, supplierId };
  };

  it('are no longer than 200 KB, 50 KB compressed, and show the rest with "Cargar más"', async () => {
    const { batchId, statementId, supplierId } = await fill();
    const client = await createTestApp({ db: fresh.db }).as([1, 2, 3, 6]);
    const long = [
      '/programaciones/nueva',
      '/programaciones/nueva?marcar=1',
      `/programaciones/${batchId}`,
      `/programaciones/${batchId}?editar=1`,
      `/programaciones/estados-de-cuenta/${statementId}`,
    ];
    const others = [
      `/estado-cuenta/${supplierId}?desde=2000-01-01`,
      '/presupuestos',
      '/presupuestos?editar=1',
      '/invoices',
      '/pagos-proveedores',
      '/reporte-saldos',
      '/',
      '/bitacora',
    ];
    const over: unknown[] = [];
    for (const path of [...long, ...others]) {
      const html = await read(client, path);
      const sent = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
      if (html.length > 200 * KB || sent.length > 50 * KB)
        over.push([path, Math.round(html.length / KB), Math.round(sent.length / KB)]);
    }
    expect(over).toEqual([]);
    const counts: number[] = [];
    for (const path of long) counts.push(await rowsOfAll(client, path));
    // The batch has 300 of the open invoices, each once; rows of suppliers are not counted.
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBe(500);
    expect(counts[2]).toBe(300);
    expect(counts.at(-1)).toBe(2000);
  });

  it('of a batch keep what is not shown unchanged, and have the total of all', async () => {
    const { batchId } = await fill();
    const client = await createTestApp({ db: fresh.db }).as([1, 2, 3, 6]);
    const path = `/programaciones/${batchId}`;
    const html = (await read(client, `${path}?editar=1`)).toString();
    const names = [...html.matchAll(/name="(importe-\d+)"/g)].map(([, name]) => name!);
    expect(names.length).toBeLessThan(100);
    const stored = async () => (await client.get(`/api${path}`)).json() as Promise<Record<string, unknown>>;
    const before = await stored();
    const saved = await client.form(path, {
      version: Number(before.version),
      fecha: String(before.fecha),
      origenderecursoId: Number(before.origenderecursoId),
      [names[0]!]: '1.00',
    });
    expect(saved.status).toBe(303);
    const after = (await stored()) as { partidas: { importe: number }[] };
    expect(after.partidas).toHaveLength(300);
    expect(after.partidas.filter(({ importe }) => importe === 1)).toHaveLength(1);
  });
});

const read = async (client: TestClient, path: string): Promise<Buffer> => {
  const answer = await client.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return Buffer.from(await answer.arrayBuffer());
};

describe('a list of many rows with long names', () => {
  const fresh = useFreshDatabase('sqlite');
  const ROWS = 120;

  /** Stores many rows of each kind, and 500 invoices and payments. */
  const fill = async (): Promise<number> => {
    const { db } = fresh;
    await fillLedger(db, { invoiceCount: 2500, supplierCount: ROWS, jobCount: ROWS });
    const author = await addActor(db, { roles: [6] });
    const approver = await addActor(db, { roles: [2] });
    const invoices = await db.selectFrom('invoices').select(['id', 'supplierId']).limit(ROWS).execute();
    const fund = await addFund(db, { aperturaCents: 9_000_000 });
    for (const [n, { id, supplierId }] of invoices.entries()) {
      await addRubro(db);
      await addClient(db);
      await addFundingSource(db);
      await addUser(db);
      await addAccount(db, { supplierId, author, truster: approver });
      await addBatch(db, { author, approver, invoiceIds: [id] });
      const awaited: MovementFieldValues = { comprobante: 'ninguno', comprobarAntes: '2026-11-30' };
      await createMovement(
        db,
        author,
        fund.id,
        createExpenseValues({ importeCents: 100, ...(n % 2 ? awaited : {}) }),
      );
    }
    await lengthenNames(db);
    return fund.id;
  };

  it.runIf(IS_LONG_LANE)(
    'is within 200 KB, 50 KB compressed, however many rows its address says were shown',
    async () => {
      const fundId = await fill();
      const client = await createTestApp({ db: fresh.db }).as([1, 2, 3, 6]);
      const own = [
        '/caja-chica/gastos',
        '/caja-chica/por-comprobar',
        `/caja-chica/${fundId}`,
        `/caja-chica/${fundId}/reposicion`,
        '/presupuestos?jobId=1',
        '/presupuestos?jobId=1&editar=1',
      ];
      const paths = [...LISTS.map(({ page }) => page), ...own];
      const over: unknown[] = [];
      for (const path of paths) {
        const rows = new Set<number>();
        for (const query of ['', 'shown=500', 'limit=500']) {
          const html = await read(client, path + (path.includes('?') ? '&' : '?') + query);
          const sent = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
          rows.add(html.toString().split('<tr').length);
          if (html.length > 200 * KB || sent.length > 50 * KB)
            over.push([path + query, Math.round(html.length / KB), Math.round(sent.length / KB)]);
        }
        expect([path, rows.size]).toEqual([path, 1]);
      }
      expect(paths.length).toBeGreaterThan(15);
      expect(over).toEqual([]);
      const toReplenish = (await read(client, `/caja-chica/${fundId}/reposicion`)).toString();
      expect(toReplenish.match(/name="movementIds"/g)).toHaveLength(40);
    },
  );
});

describe('the review of the largest possible load of XML files', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is within 200 KB, 50 KB compressed, before and after they are stored', async () => {
    const { db } = fresh;
    await fillLedger(db, { invoiceCount: 800, supplierCount: 150, jobCount: 490 });
    const rubros = await db.selectFrom('rubros').select('id').execute();
    for (let n = rubros.length; n < 490; n++) await addRubro(db);
    await lengthenNames(db);
    const { id: userId, client } = await signIn(db);
    const actor = await addActor(db, { roles: [4] });
    const nombre =
      'Comercializadora e Impermeabilizadora de Materiales Prefabricados del Bajío y asociados, S.A.P.I.';
    const files = Array.from({ length: 2 * MAX_DOCUMENTS }, (_, n) => {
      const uuid = `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`;
      // A fifth cannot be read, a seventh is refused, and all have an old version.
      const xml = buildCfdi({
        version: '3.2',
        uuid,
        emisor: { Rfc: 'EKU9003173C9', Nombre: `${nombre} ${n % 9}` },
        root: { Folio: `FAC-2026-JAL-ZAPOPAN-${n}`, ...(n % 7 ? {} : { Total: '2160.00' }) },
      });
      return {
        filename: `Factura ${n} de ${nombre}.xml`,
        bytes: n % 5 ? bytesOf(xml) : Buffer.from('<html>'),
      };
    });
    const orphan = (n: number) => ({ filename: `${nombre} ${n}.pdf`, bytes: buildPdf(`${n}`) });
    const load = await createLoad(db, { ...actor, userId }, [
      ...files.slice(200),
      ...Array.from({ length: 200 }, (_, n) => orphan(n)),
    ]);
    const path = `/new-invoice/xml/${load}`;
    const over: unknown[] = [];
    const look = async (query: string) => {
      const html = await read(client, path + query);
      const sent = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
      if (html.length > 200 * KB || sent.length > 50 * KB)
        over.push([query, Math.round(html.length / KB), Math.round(sent.length / KB)]);
      return html.toString();
    };
    for (const query of ['', '?desde=750']) expect(await look(query)).toContain('800 documentos: ');
    const html = await look('?desde=400');
    const form = new URLSearchParams({ jobId: '1', createSupplier: 'on' });
    for (const [, id] of html.matchAll(/name="guardar" checked="" value="([\w-]+)"/g))
      form.append('guardar', id!);
    expect(form.getAll('guardar')).toHaveLength(50);
    const saved = await client.send(`${path}?desde=400`, { method: 'POST', body: form });
    expect(saved.status).toBe(303);
    expect(await look('?desde=0')).toContain('50 documentos guardados');
    expect(over).toEqual([]);
  });

  const signIn = async (db: typeof fresh.db) => {
    const client = await createTestApp({ db }).as(4);
    const { id } = await db.selectFrom('users').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
    return { id, client };
  };
});

/** Counts the table rows on all pages that "Cargar más" leads to. */
async function rowsOfAll(client: TestClient, path: string): Promise<number> {
  const seen = new Set<string>();
  let rows = 0;
  for (let next: string | undefined = path; next && !seen.has(next); ) {
    seen.add(next);
    const html = (await read(client, next)).toString();
    for (const [body] of html.matchAll(/<tbody>.*?<\/tbody>|<ul class="payee-lines">.*?<\/ul>/gs))
      rows += body.split(/<tr(?! class="summary)|<li/).length - 1;
    next = /<a[^>]*data-more[^>]*>/
      .exec(html)?.[0]
      .match(/href="([^"]+)"/)?.[1]
      ?.replaceAll('&amp;', '&');
  }
  return rows;
}
