import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { projectRoot } from '../../../../server/root.ts';
import { requireOpenPeriod } from '../../../../server/services/closing/closing.ts';
import {
  createInvoice,
  deleteInvoice,
  updateInvoice,
} from '../../../../server/services/invoices/invoices.ts';
import {
  createPayment,
  deletePayment,
  updatePayment,
} from '../../../../server/services/payments/payments.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { readDatedRows, setClosingDate } from '../../../support/dated-rows.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { addActor, addInvoice, addJob, addSupplier, TODAY } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

const CLOSED = { kind: 'conflict', code: 'closed_period', extra: { cierre: '2026-10-31' } };

describeEachDatabase('a closed period', (fresh) => {
  it('ends with the closing date: its last day is closed, the next one open', async () => {
    const { db } = fresh;
    const by = await addActor(db, { roles: [2] });
    await setClosingDate(db, '2026-10-31');
    const draft = { supplierId: await addSupplier(db), jobId: await addJob(db), subtotalCents: 100 };
    await expect(createInvoice(db, by, { ...draft, fechaemision: '2026-10-31' })).rejects.toMatchObject(
      CLOSED,
    );
    const { invoice } = await createInvoice(db, by, { ...draft, fechaemision: '2026-11-01' });
    expect(invoice.fechaemision).toBe('2026-11-01');
    // Without an issue date, the day of capture counts.
    await expect(createInvoice(db, { ...by, today: '2026-10-31' }, draft)).rejects.toMatchObject(CLOSED);
    expect((await createInvoice(db, by, draft)).invoice.fechaemision).toBeNull();
  });

  it('allows no change to an invoice or a payment in it, and none moved out of it or into it', async () => {
    const { db } = fresh;
    const by = await addActor(db, { roles: [1, 2] });
    const old = await addInvoice(db, { fechaemision: '2026-10-20' });
    const open = await addInvoice(db, { fechaemision: '2026-11-05' });
    const pay = (paymentdate: string, id = open) => ({
      facturaproveedorId: id,
      paymentdate,
      amountCents: 100,
    });
    const late = (await createPayment(db, by, pay('2026-10-30'))).payment.id;
    const early = (await createPayment(db, by, pay('2026-11-10'))).payment.id;
    await setClosingDate(db, '2026-10-31');
    const before = await readDatedRows(db);
    for (const refused of [
      () => updateInvoice(db, by, old, { comments: 'otra cosa' }),
      () => updateInvoice(db, by, old, { fechaemision: '2026-11-02' }),
      () => updateInvoice(db, by, open, { fechaemision: '2026-10-31' }),
      () => deleteInvoice(db, by, old),
      () => createPayment(db, by, pay('2026-10-31')),
      () => updatePayment(db, by, late, { checknum: '7' }),
      () => updatePayment(db, by, late, { paymentdate: '2026-11-02' }),
      () => updatePayment(db, by, early, { paymentdate: '2026-10-31' }),
      () => deletePayment(db, by, late),
    ])
      await expect(refused()).rejects.toMatchObject(CLOSED);
    expect(await readDatedRows(db)).toEqual(before);
    // An invoice of a closed period can be paid on an open day.
    expect((await createPayment(db, by, pay(TODAY, old))).payment.facturaproveedorId).toBe(old);
  });

  it('allows a change by an administrator with a reason, and by nobody else', async () => {
    const { db } = fresh;
    const invoice = await addInvoice(db, { fechaemision: '2026-10-20' });
    await setClosingDate(db, '2026-10-31');
    const change = { comments: 'llegó tarde' };
    const administrator = await addActor(db, { roles: [3] });
    const other = await addActor(db, { roles: [1, 2, 4, 5, 6] });
    const refusal = await updateInvoice(db, administrator, invoice, change).catch((error) => error);
    expect(refusal).toMatchObject({ ...CLOSED, fields: { motivo: 'Indica el motivo.' } });
    expect(refusal.message).toBe(
      'El martes 20 de octubre de 2026 es de un periodo cerrado (hasta el sábado 31 de octubre de 2026). Para cambiarlo de todos modos, indica el motivo.',
    );
    const stopped = await updateInvoice(db, { ...other, motivo: 'porque sí' }, invoice, change).catch(
      (e) => e,
    );
    expect(stopped).toMatchObject({ ...CLOSED, fields: undefined });
    await updateInvoice(db, { ...administrator, motivo: 'La nota llegó tarde' }, invoice, change);
    const entry = await readRow(db, 'audit', { entity: 'invoices' }, ['after']);
    expect(JSON.parse(entry.after!)).toMatchObject({ ...change, motivo: 'La nota llegó tarde' });
    expect(await findDatabaseProblems(db)).toEqual([]);
  });

  it('is closed and opened by administrators alone, and by whoever has the machine', async () => {
    const { db } = fresh;
    const administrator = await addActor(db, { roles: [3] });
    const other = { ...(await addActor(db, { roles: [1, 2] })), motivo: 'quiero' };
    const terminal = { ...administrator, roles: [], origin: 'cli' as const, username: 'cli' };
    await expect(changeSetting(db, other, 'cierre', '2026-10-31')).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await expect(
      changeSetting(db, { ...other, origin: 'cli' }, 'cierre', '2026-10-31'),
    ).rejects.toMatchObject({ kind: 'forbidden' });
    await changeSetting(db, administrator, 'cierre', '2026-09-30');
    await changeSetting(db, terminal, 'cierre', '2026-10-31');
    for (const earlier of ['2026-10-30', ''])
      for (const by of [administrator, terminal])
        await expect(changeSetting(db, by, 'cierre', earlier)).rejects.toMatchObject({
          code: 'reason_required',
        });
    await expect(changeSetting(db, administrator, 'cierre', '31/10/2026')).rejects.toMatchObject({
      kind: 'invalid',
    });
    await changeSetting(db, { ...terminal, motivo: 'Se cerró de más' }, 'cierre', '2026-09-30');
    await changeSetting(db, { ...administrator, motivo: 'Falta octubre' }, 'cierre', '');
    const entries = await db.selectFrom('audit').select('after').orderBy('id').execute();
    expect(entries.map(({ after }) => JSON.parse(after!))).toEqual([
      { value: '2026-09-30' },
      { value: '2026-10-31' },
      { value: '2026-09-30', motivo: 'Se cerró de más' },
      { value: '', motivo: 'Falta octubre' },
    ]);
  });

  it('gets no row while it is being closed', async () => {
    const { db, database } = fresh;
    const other = database.openAgain().db;
    const by = await addActor(db, { roles: [3] });
    const draft = { supplierId: await addSupplier(db), jobId: await addJob(db), subtotalCents: 100 };
    for (let day = 1; day <= 12; day++) {
      const today = `2026-10-${String(day).padStart(2, '0')}`;
      await Promise.allSettled([
        ...[db, other].map((at) => createInvoice(at, by, { ...draft, fechaemision: today })),
        changeSetting(other, by, 'cierre', today),
      ]);
      // Entries are written right before each commit, so they show the order of the commits.
      const entries = await db.selectFrom('audit').select(['id', 'entity']).orderBy('id').execute();
      const closedAt = entries.findLast(({ entity }) => entity === 'settings')!.id;
      const late = entries.filter(({ id, entity }) => id > closedAt && entity === 'invoices');
      expect(late).toEqual([]);
    }
  });

  it('waits, when its date is moved, for whoever writes under the old one', async () => {
    const { db, database, dialect } = fresh;
    if (dialect === 'sqlite') return; // one writes at a time
    const other = database.openAgain().db;
    const by = await addActor(db, { roles: [3] });
    const order: string[] = [];
    let closing: Promise<unknown> | undefined;
    await inTransaction(db, async (trx) => {
      await requireOpenPeriod(trx, by, ['2026-10-05']);
      closing = changeSetting(other, by, 'cierre', '2026-10-31').then(() => order.push('cerrado'));
      const waits = sql`select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => (await waits.execute(db)).rows.length).toBe(1);
      order.push('guardado');
    });
    await closing;
    expect(order).toEqual(['guardado', 'cerrado']);
  });
});

describe('every writer of dated rows', () => {
  /** Writers that do not check the closing date themselves, with the reason. */
  const ELSEWHERE: Readonly<Record<string, string>> = {
    'services/due-day.ts': 'only when an invoice is due',
    'services/payment-batches/payment-batches.ts':
      'only its own lines: paying goes through payments/write.ts',
    'services/petty-cash/write.ts': 'what rules.ts have asked about',
    'services/petty-cash/counting.ts': 'only what was found: a difference goes through write.ts',
    'services/petty-cash/replenishing.ts': 'only what was asked for: paying it goes through write.ts',
    'services/petty-cash/requests.ts': 'only what was asked for: paying it goes through write.ts',
    'services/audit/audit.ts': 'only the trail of what others let pass',
    'services/bank-statements/movements.ts': 'only what the bank said: paying goes through settling.ts',
    'services/bank-statements/resolving.ts':
      'only what settles a movement: paying goes through payments/write.ts',
    'services/fiscal/list-69b.ts': 'only what the SAT’s list says of a taxpayer',
    'services/documents/cfdi-writer.ts':
      'only the lines of receipts: what they pay goes through payments/write.ts',
    'services/document-relations.ts': 'only what documents say of each other, which has no day',
    'services/fiscal/import-metadata.ts': 'what the SAT says of documents, which moves no money',
    'services/budgets/write.ts': 'budgets, which have no day',
    'services/write-drafts.ts': 'what the rules of each noun let pass',
    'services/imports/import-drafts.ts':
      'only what drafts refer to: they go through the writer of their noun',
    'services/invoices/write.ts': 'what the rule refuseClosedPeriod let pass',
  };
  const WRITES =
    /(insertInto|updateTable|deleteFrom|#insert)\(\s*'(invoices|payments|credit_notes|petty_cash_\w+)'|insertRows\(/;

  it('checks whether their day is open', () => {
    const folder = join(projectRoot, 'server');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const writing = files
      .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(folder, name), 'utf8') }))
      .filter(({ text }) => WRITES.test(text));
    expect(writing.length).toBeGreaterThan(10);
    const unasked = writing.filter(({ text }) => !/\brequireOpenPeriod\(/.test(text)).map(({ name }) => name);
    expect(unasked.sort()).toEqual(Object.keys(ELSEWHERE).sort());
  });
});
