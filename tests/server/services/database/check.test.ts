import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { copySqliteDatabase } from '../../../../db/copies/copy.ts';
import { openDatabase } from '../../../../db/open.ts';
import type { Db } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { queueAuditEntry } from '../../../../server/services/audit/audit.ts';
import { checkDatabase, type DatabaseCheckReport } from '../../../../server/services/database/check.ts';
import { createInvoice } from '../../../../server/services/invoices/invoices.ts';
import {
  createPayment,
  deletePayment,
  updatePayment,
} from '../../../../server/services/payments/payments.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { findOrCreateCliUser } from '../../../../server/services/users/cli-user.ts';
import { damageDatabase } from '../../../support/damage.ts';
import { describeEachDatabase, useFreshDatabase } from '../../../support/databases.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { fillSampleCompany } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
  NOW,
} from '../../../support/rows.ts';

describeEachDatabase('the check of a database', (fresh) => {
  it('finds nothing wrong with a whole company, and shows how the audit trail ends', async () => {
    await fillSampleCompany(fresh);
    await addUser(fresh.db, { roles: [3] });
    const fractions: number[] = [];
    const result = await checkDatabase(fresh.db, { report: (fraction) => fractions.push(fraction) });
    expect(problemsOf(result)).toEqual({});
    expect(result.ok).toBe(true);
    const tail = await fresh.db.selectFrom('audit_tail').selectAll().executeTakeFirstOrThrow();
    expect(result.audit).toEqual({ entries: tail.lastId, lastHash: tail.lastHash });
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(0)).toBe(0);
    expect(fractions.at(-1)).toBeLessThanOrEqual(1);
  });

  it('finds nothing wrong with what the application wrote, with ties, edits and deletions', async () => {
    const ana = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db);
    const jobId = await addJob(fresh.db);
    for (const [subtotalCents, tasa] of [
      [5, 100_000],
      [50, 125_000],
      [1, 0],
      [313, 160_000],
      [800_000_000_000, 249_999],
      [12_345, 106_667],
      [99_999_999, 1_000_000],
    ] as const) {
      await createInvoice(
        fresh.db,
        ana,
        { supplierId, jobId, subtotalCents, tasa, numfactura: 'Ñandú Á-1' },
        {
          allowDuplicate: true,
        },
      );
    }
    const invoiceId = await addInvoice(fresh.db, {});
    const draft = { facturaproveedorId: invoiceId, amountCents: 100, checknum: `${'Ü'.repeat(50)} 한국어 9` };
    const { payment } = await createPayment(fresh.db, ana, draft);
    const { payment: other } = await createPayment(fresh.db, ana, draft);
    await updatePayment(fresh.db, ana, payment.id, { checknum: 'x', amountCents: 7 });
    await deletePayment(fresh.db, ana, other.id);
    expect(problemsOf(await checkDatabase(fresh.db))).toEqual({});
  });

  it('names every row that breaks a rule, and no other', async () => {
    const { db } = fresh;
    const ana = await addActor(db);
    const rows = await addRows(db, ana);
    const { invoices, payments, suppliers } = rows;
    await damageDatabase(
      fresh,
      `update invoices set "paidCents" = 1 where id = ${invoices.sum}`,
      `update payments set "amountCents" = 116001 where id = ${payments.over}`,
      `update invoices set "paidCents" = 116001 where id = ${invoices.over}`,
      `update invoices set "totalCents" = "totalCents" + 1 where id = ${invoices.total}`,
      `update invoices set "ivaCents" = 16001, "totalCents" = 116001 where id = ${invoices.iva}`,
      `update invoices set tasa = null where id = ${invoices.rate}`,
      `update invoices set "subtotalCents" = 0, "ivaCents" = 0, "totalCents" = 0 where id = ${invoices.zero}`,
      `update payments set "amountCents" = 0 where id = ${payments.zero}`,
      `update invoices set "paidCents" = 0 where id = ${invoices.free}`,
      `update invoices set uuid = 'a1' where id = ${invoices.undocumented}`,
      `insert into cfdi_documents ("invoiceId", version, moneda, detail) values (${invoices.unlinked}, '4.0', 'MXN', '{}'),
        (${invoices.twin}, '4.0', 'MXN', '{}'), (${invoices.otherTwin}, '4.0', 'MXN', '{}')`,
      `update invoices set uuid = 'ab' where id = ${invoices.twin}`,
      `update invoices set uuid = 'AB' where id = ${invoices.otherTwin}`,
      `update invoices set "supplierId" = 999 where id = ${invoices.orphan}`,
      `update payments set "origenderecursoId" = 998, "userId" = 997 where id = ${payments.orphan}`,
      `insert into payments_without_receipt select max(id) from payments`,
      `delete from users where id = ${rows.gone}`,
      `update invoices set vence = '2026-12-01' where id = ${invoices.due}`,
      `update suppliers set suppliername = 'Ántes' where id = ${suppliers.renamed}`,
      `update suppliers set rfc = 'AAA010101AAA' where id in (${suppliers.first}, ${suppliers.second})`,
      `update invoices set "numfacturaKey" = 'otra' where id = ${invoices.folded}`,
      `update petty_cash_funds set nombre = '' where id = ${rows.fund}`,
      `update petty_cash_movements set "importeCents" = 0, "subtotalCents" = 0 where id = ${rows.movements.zero}`,
      `update petty_cash_movements set fecha = '2020-01-01' where id = ${rows.movements.early}`,
      `update petty_cash_movements set tipo = 'devolucion', "importeCents" = 99, "subtotalCents" = 99 where id = ${rows.movements.cost}`,
      `insert into budgets ("jobId", "amountCents", "createdAt", "updatedAt") values (${rows.job}, 7, '${NOW}', '${NOW}')`,
      `update jobs set jobduedate = '2025-12-31' where id = ${rows.job}`,
      `update audit set username = 'otra' where id = 2`,
      'delete from audit where id = 4',
      `insert into audit (id, at, username, origin, action, entity, "prevHash", hash)
        values (900, '2026-11-20 18:00:00', 'x', 'x', 'x', 'x', 'x', 'x')`,
    );
    if (fresh.dialect === 'sqlite') {
      await damageDatabase(
        fresh,
        `delete from invoices_fts where rowid = ${invoices.lost}`,
        `delete from invoices_fts where rowid = ${invoices.other}`,
        `insert into invoices_fts (rowid, "numfacturaFold") values (${invoices.other}, 'zzz-111')`,
        `insert into invoices_fts (rowid, "numfacturaFold") values (9999, 'nadie')`,
        `update day_sums set "totalCents" = "totalCents" - 1 where kind = 'pago'`,
      );
    } else {
      await damageDatabase(
        fresh,
        `insert into petty_cash_funds (nombre, "nombreFold", "responsableId", "pagosOrigenId", "openedOn", comments,
          "createdAt", "updatedAt") select 'Otra', 'otra', "responsableId", "pagosOrigenId", "openedOn", '', "createdAt",
          "updatedAt" from petty_cash_funds`,
      );
    }

    const result = await checkDatabase(db);
    const { file: _pages, schema: _loosened, ...found } = problemsOf(result);
    expect(found).toEqual({
      'paid-sum': [`invoices ${invoices.sum}`],
      'paid-range': [`invoices ${invoices.over}`],
      total: [`invoices ${invoices.total}`],
      iva: [`invoices ${invoices.iva}`, `invoices ${invoices.rate}`],
      'invoice-amounts': [`invoices ${invoices.zero}`],
      'payment-amounts': [`payments ${payments.zero}`],
      'due-day': [`invoices ${invoices.due}`],
      'cfdi-link': [`invoices ${invoices.undocumented}`, `invoices ${invoices.unlinked}`],
      uuids: [`invoices ${invoices.otherTwin}`],
      rfcs: [`suppliers ${suppliers.second}`],
      references: expect.arrayContaining([
        `payments ${payments.orphan}`,
        `invoices ${invoices.orphan}`,
        `user-roles ${rows.gone}`,
        expect.stringMatching(/^accounts \d+$/),
      ]),
      folds: [`invoices ${invoices.folded}`, `suppliers ${suppliers.renamed}`],
      'petty-cash-funds': [`petty-cash-funds ${rows.fund}`],
      'petty-cash-balances': [`petty-cash-funds ${rows.fund}`],
      'petty-cash-amounts': [`petty-cash-movements ${rows.movements.zero}`],
      'petty-cash-dates': [`petty-cash-movements ${rows.movements.early}`],
      'petty-cash-costs': [`petty-cash-movements ${rows.movements.cost}`],
      'payments-without-receipt': [expect.stringMatching(/^payments \d+$/)],
      budgets: [expect.stringMatching(/^budgets \d+$/)],
      'job-dates': [`jobs ${rows.job}`],
      audit: ['audit 2', 'audit 4', 'audit 900'],
      ...(fresh.dialect === 'sqlite'
        ? {
            search: [`invoices ${invoices.lost}`, `invoices ${invoices.other}`, 'invoices 9999'],
            'day-sums': ['day-sums null'],
          }
        : { 'funds-of-sources': [expect.stringMatching(/^petty-cash-funds \d+$/)] }),
    });
    expect(found.references).toHaveLength(5);
    expect(result.ok).toBe(false);
    const texts = result.checks.flatMap(({ problems }) => problems.map(({ problem }) => problem));
    expect(texts).toEqual(
      expect.arrayContaining([
        'lo pagado ($0.01) no es la suma de sus pagos ($0.00)',
        'lo pagado ($1,160.01) no está entre cero y el total ($1,160.00)',
        'el total ($1,160.01) no es la suma de sus partes ($1,160.00)',
        'el IVA ($160.01) no es el 16 % del subtotal ($160.00)',
        'vence (2026-12-01) no es el día que le toca (2026-11-20)',
        'supplierId 999 no existe en suppliers',
        'origenderecursoId 998 no existe en funding_sources',
        'userId 997 no existe en users',
        expect.stringContaining('no corresponde a «Ántes»'),
      ]),
    );
  });

  it('requires an active administrator once anybody can sign in', async () => {
    await findOrCreateCliUser(fresh.db, NOW);
    expect((await checkDatabase(fresh.db)).ok).toBe(true);
    const user = await addUser(fresh.db, { roles: [3], active: false });
    await addUser(fresh.db, { roles: [1, 2] });
    expect(problemsOf(await checkDatabase(fresh.db))).toEqual({ administrator: ['users null'] });
    await fresh.db.updateTable('users').set({ active: 1 }).where('id', '=', user.id).execute();
    expect((await checkDatabase(fresh.db)).ok).toBe(true);
  });

  it('finds nothing wrong while others write', async () => {
    const ana = await addActor(fresh.db);
    const subtotalCents = 100_000_000;
    const invoices = [
      await addInvoice(fresh.db, { subtotalCents }),
      await addInvoice(fresh.db, { subtotalCents }),
    ];
    const writer = fresh.database.openAgain().db;
    let writing = true;
    const writes = (async () => {
      let count = 0;
      for (; writing; count++) {
        const facturaproveedorId = invoices[count % 2]!;
        const { payment } = await createPayment(writer, ana, { facturaproveedorId, amountCents: 100 });
        if (count % 3 === 0) await deletePayment(writer, ana, payment.id);
      }
      return count;
    })();
    const found: object[] = [];
    for (let round = 0; round < 4; round++) found.push(problemsOf(await checkDatabase(fresh.db)));
    writing = false;
    expect(await writes).toBeGreaterThan(4);
    expect(found).toEqual(Array(4).fill({}));
  });
});

describe('the check of a database file', () => {
  const fresh = useFreshDatabase('sqlite');

  it('reports a damaged page', async () => {
    await addUser(fresh.db, { roles: [3] });
    for (let n = 0; n < 40; n++) await addInvoice(fresh.db, { numfactura: `F-${n}` });
    const whole = `${fresh.database.file}.copy`;
    await copySqliteDatabase(fresh.db, whole);
    for (const [name, check] of [
      ['invoices_number', 'file'],
      ['invoices', 'paid-sum'],
    ] as const) {
      const broken = `${whole}.${name}`;
      copyFileSync(whole, broken);
      wipePage(broken, name);
      const opened = openDatabase(`file:${broken}`, { root: '/', createIfMissing: false });
      const result = await checkDatabase(opened.db);
      await opened.close();
      expect(result.ok).toBe(false);
      expect(Object.keys(problemsOf(result))).toContain(check);
    }
  });
});

const problemsOf = ({ checks }: DatabaseCheckReport) =>
  Object.fromEntries(
    checks
      .filter(({ problems }) => problems.length > 0)
      .map(({ name, problems }) => [name, problems.map(({ entity, id }) => `${entity} ${id}`)]),
  );

/** Stores valid rows; each test breaks one. */
async function addRows(db: Db, ana: Awaited<ReturnType<typeof addActor>>) {
  const gone = await addUser(db, { roles: [1] });
  const supplierId = await addSupplier(db);
  const job = await addJob(db);
  const names = [
    ...(['sum', 'over', 'total', 'iva', 'rate', 'zero', 'free', 'undocumented', 'unlinked'] as const),
    ...(['twin', 'otherTwin', 'orphan', 'folded', 'due', 'lost', 'other'] as const),
  ];
  const invoices = {} as Record<(typeof names)[number], number>;
  for (const [n, name] of names.entries())
    invoices[name] = await addInvoice(db, { supplierId, jobId: job, numfactura: `abc-${100 + n}` });
  const pay = (facturaproveedorId: number) =>
    addPayment(db, { facturaproveedorId, amountCents: 500, userId: ana.userId });
  const payments = {
    over: await pay(invoices.over),
    zero: await pay(invoices.free),
    orphan: await pay(invoices.twin),
  };
  const suppliers = {
    renamed: await addSupplier(db),
    first: await addSupplier(db),
    second: await addSupplier(db),
  };
  const rubroId = await addRubro(db);
  const pagosOrigenId = await addFundingSource(db);
  const fund = await addFund(db, { openedOn: '2026-01-01', pagosOrigenId, aperturaCents: 15 });
  const move = async (more: object) =>
    (await createMovement(db, ana, fund.id, createExpenseValues({ importeCents: 5, ...more }))).movement.id;
  const movements = {
    zero: await move({}),
    early: await move({}),
    cost: await move({ rubroId, jobId: job }),
  };
  for (let n = 0; n < 3; n++)
    await inTransaction(db, async (trx) =>
      queueAuditEntry(trx, { ...ana, at: NOW }, { action: 'update', entity: 'settings' }),
    );
  return { gone: gone.id, invoices, payments, suppliers, fund: fund.id, movements, job };
}

/** Overwrites the root page of a table or index. */
function wipePage(file: string, name: string): void {
  const database = new Database(file, { readonly: true });
  const size = database.pragma('page_size', { simple: true }) as number;
  const root = database
    .prepare('select rootpage from sqlite_schema where name = ?')
    .pluck()
    .get(name) as number;
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, (root - 1) * size, root * size);
  writeFileSync(file, bytes);
}
