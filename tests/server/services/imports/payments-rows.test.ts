import { beforeEach, expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { readSupplierCredit } from '../../../../server/services/credit-notes/reading.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import type { StoreOnce } from '../../../../server/services/imports/import-run.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { paymentTexts } from '../../../../shared/payments.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  TODAY,
} from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';
import { importRows } from '../../../support/table-rows.ts';

const UUID = 'AAAAAAAA-1111-4222-8333-000000000001';
/** An empty value for each column of a payment in money. */
const BLANK = { rfc: '', checknum: '', origenderecursonombre: '', comments: '' };
const P = {
  suppliername: 'Aceros',
  rfc: 'EME170704QVA',
  numfactura: 'A-1',
  checknum: '00123',
  paymentdate: '2026-03-01',
  paymentamount: '400.00',
  origenderecursonombre: 'Caja chica',
  comments: 'primer abono',
};

describeEachInLongLane('a table of payments', (fresh) => {
  let actor: Actor;
  let supplierId: number;
  let jobId: number;
  let invoiceId: number;
  beforeEach(async () => {
    actor = await addActor(fresh.db);
    supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros', rfc: P.rfc });
    jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    invoiceId = await addInvoice(fresh.db, {
      supplierId,
      jobId,
      numfactura: 'A-1',
      fechaemision: '2026-01-01',
    });
    await addFundingSource(fresh.db, { origenderecursonombre: 'Caja chica' });
  });

  type Rows = Parameters<typeof importRows>[3];
  const run = (rows: Rows, options?: Parameters<typeof importRows>[4]) =>
    importRows(fresh.db, actor, 'payments', rows, options);
  const paid = async (id = invoiceId) =>
    (await fresh.db.selectFrom('invoices').select('paidCents').where('id', '=', id).executeTakeFirstOrThrow())
      .paidCents;
  const stored = () => fresh.db.selectFrom('payments').selectAll().orderBy('id').execute();
  const reasonOf = async (part: Record<string, string>) =>
    (await run([{ ...P, ...part }], { dryRun: true })).refused[0]?.reason;

  it('asks about equal rows with neither check number nor date if there are more of them than on file', async () => {
    const bare = { ...P, checknum: '', paymentdate: '', paymentamount: '100.00' };
    const why = expect.stringContaining('Es igual al renglón 2, y ninguno trae número ni fecha');
    const result = await run([bare, bare, bare]);
    expect(result).toMatchObject({
      created: 1,
      stored: false,
      refused: [{ row: 3, reason: why }, { row: 4 }],
    });
    expect(await run([bare, bare, bare], { allowDuplicates: true })).toMatchObject({ created: 3 });
    expect(await paid()).toBe(30_000);
    expect(await run([bare, bare, bare])).toMatchObject({ created: 0, unchanged: 3, refused: [] });
    expect(await run([bare, bare, bare, bare], { onError: 'skip' })).toMatchObject({
      unchanged: 3,
      refused: [{ row: 5, reason: why }],
    });
    const numbered = { ...bare, checknum: '9' };
    expect(await run([numbered, numbered])).toMatchObject({ created: 1, unchanged: 1, refused: [] });
  });

  it('is stored with source, folded check number, author and import, and changes the paid sums', async () => {
    const result = await run([P, { ...P, paymentdate: '2026-03-02', paymentamount: '760', checknum: '' }]);
    expect(result).toMatchObject({ created: 2, refused: [], warnings: [], stored: true });
    const { id: importId } = await fresh.db.selectFrom('imports').select('id').executeTakeFirstOrThrow();
    expect(await stored()).toMatchObject([
      {
        facturaproveedorId: invoiceId,
        checknum: '00123',
        checknumFold: '00123',
        paymentdate: '2026-03-01',
        amountCents: 40000,
        comments: 'primer abono',
        userId: actor.userId,
        kind: 'pago',
        creditNoteId: null,
        importId,
      },
      { amountCents: 76000, checknum: '' },
    ]);
    expect(await paid()).toBe(116000);
    const entries = await fresh.db.selectFrom('audit').selectAll().where('action', '=', 'import').execute();
    expect(entries).toMatchObject([{ entity: 'payments' }]);
    expect(JSON.parse(entries[0]!.after!)).toMatchObject({ importId, created: 2, unchanged: 0, refused: 0 });
  });

  it('uses today for an empty date, and recognises such a row again on another day', async () => {
    await run([{ ...P, paymentdate: '' }]);
    expect(await stored()).toMatchObject([{ paymentdate: TODAY }]);
    const later = { ...actor, today: '2026-12-24' };
    const again = await importRows(fresh.db, later, 'payments', [{ ...P, paymentdate: '' }]);
    expect(again).toMatchObject({ created: 0, unchanged: 1 });
  });

  it('applies the rows in their order and refuses what exceeds the debt by a cent', async () => {
    const rows = ['1160.01', '1159.99', '0.02', '0.01'].map((paymentamount) => ({ ...P, paymentamount }));
    const result = await run(rows, { onError: 'skip' });
    expect(result).toMatchObject({ created: 2, refused: [{ row: 2 }, { row: 4 }] });
    expect(result.refused[0]).toMatchObject({ column: 'Cantidad pagada', code: 'overpayment' });
    expect(await paid()).toBe(116000);
  });

  it('refuses a row that names no invoice', async () => {
    expect(await reasonOf({ numfactura: 'NO-1' })).toBe('No existe la factura NO-1 de «Aceros».');
    expect(await reasonOf({ uuid: UUID })).toBe(`No existe una factura con el UUID ${UUID}.`);
    expect(await reasonOf({ numfactura: '' })).toMatch(/^Falta el número de la factura/);
    expect(await reasonOf({ numfactura: '', suppliername: '', rfc: '' })).toBe(paymentTexts.required);
    expect(await reasonOf({ suppliername: 'Nadie', rfc: '' })).toBe('No existe el proveedor «Nadie».');
    expect(await reasonOf({ origenderecursonombre: 'Banco' })).toBe(
      'No existe el origen de recurso «Banco».',
    );
    expect(await reasonOf({ kind: 'pago' })).toBeUndefined();
  });

  const NC = {
    suppliername: 'Aceros',
    numfactura: 'A-1',
    kind: 'credito',
    paymentdate: '2026-02-10',
    paymentamount: '100.00',
    creditnumero: 'NC-7',
    credituuid: UUID,
    credittotal: '250.00',
    creditiva: '40.00',
  };
  const notes = () => fresh.db.selectFrom('credit_notes').selectAll().orderBy('id').execute();

  it('creates the credit note of its parts once, applies them to their invoices, and leaves the rest in favour', async () => {
    await addInvoice(fresh.db, { supplierId, jobId, numfactura: 'A-2' });
    const rows = [NC, P, { ...NC, numfactura: 'A-2', paymentamount: '30' }];
    const result = await run(rows);
    expect(result).toMatchObject({ created: 3, refused: [], stored: true });
    expect(result.warnings).toEqual([
      { row: 2, reason: 'Se da de alta la nota de crédito NC-7 por $250.00.' },
    ]);
    const [note, ...others] = await notes();
    expect(others).toEqual([]);
    expect(note).toMatchObject({
      supplierId,
      numero: 'NC-7',
      numeroKey: 'nc7',
      uuid: UUID,
      fecha: '2026-02-10',
      subtotalCents: 21_000,
      ivaCents: 4000,
      totalCents: 25_000,
      appliedCents: 13_000,
      userId: actor.userId,
    });
    expect(await stored()).toMatchObject([
      { kind: 'credito', creditNoteId: note!.id, amountCents: 10_000, paymentdate: '2026-02-10' },
      { kind: 'pago', creditNoteId: null },
      { kind: 'credito', creditNoteId: note!.id, amountCents: 3000 },
    ]);
    expect(await paid()).toBe(50_000);
    expect(await readSupplierCredit(fresh.db, supplierId)).toMatchObject({ remainingCents: 12_000 });
    const entries = await readRows(fresh.db, 'audit', { action: 'import' }, ['entity', 'after']);
    expect(entries.map(({ entity }) => entity)).toEqual(['credit-notes', 'payments']);
    expect(JSON.parse(entries[0]!.after!)).toMatchObject({ created: 1, ids: [note!.id] });
    const { checks } = await checkDatabase(fresh.db);
    // The import does not create the administrator.
    expect(checks.flatMap((check) => (check.name === 'administrator' ? [] : check.problems))).toEqual([]);

    expect(await run(rows)).toMatchObject({ created: 0, unchanged: 3, warnings: [] });
    expect(await run([{ ...NC, paymentamount: '1' }])).toMatchObject({ created: 1, warnings: [] });
    expect(await notes()).toMatchObject([{ appliedCents: 13_100 }]);
  });

  it('is also stored if its transaction is run again, with the source and the note that it adds', async () => {
    const rows = [NC, { ...P, origenderecursonombre: 'Banco nuevo' }];
    const storeOnce: StoreOnce = async (write) => {
      const lost = new Error('the transaction is taken back');
      const first = inTransaction(fresh.db, async (trx) => {
        await write(trx);
        throw lost;
      });
      await expect(first).rejects.toBe(lost);
      return inTransaction(fresh.db, write);
    };
    expect(await run(rows, { createMissing: true, storeOnce })).toMatchObject({ created: 2, refused: [] });
    const [{ id } = { id: 0 }] = await notes();
    const sources = fresh.db.selectFrom('funding_sources').select('id');
    const source = await sources.where('origenderecursonombre', '=', 'Banco nuevo').executeTakeFirstOrThrow();
    expect(await stored()).toMatchObject([{ creditNoteId: id }, { origenderecursoId: source.id }]);
  });

  it('adds no credit note that somebody has added since it was looked up', async () => {
    const rows = [{ ...NC, credituuid: '' }];
    const storeOnce: StoreOnce = async (write) => {
      await run(rows);
      return inTransaction(fresh.db, write);
    };
    await expect(run(rows, { storeOnce })).rejects.toMatchObject({ code: 'import_race' });
    expect(await notes()).toMatchObject([{ appliedCents: 10_000 }]);
    expect(await run(rows)).toMatchObject({ created: 0, unchanged: 1 });
  });

  it('applies no more of a credit note than its total, and no more than the invoice is owed', async () => {
    const parts = ['150', '100.01', '100'].map((paymentamount) => ({ ...NC, paymentamount }));
    const result = await run(parts, { onError: 'skip' });
    expect(result).toMatchObject({ created: 2, refused: [{ row: 3, column: 'Cantidad pagada' }] });
    expect(result.refused[0]!.reason).toBe(
      'La cantidad no puede ser mayor que lo que queda de la nota de crédito.',
    );
    const over = { ...NC, credituuid: '', creditnumero: 'NC-8', credittotal: '5000', paymentamount: '2000' };
    const { refused } = await run([over], { onError: 'skip' });
    expect(refused[0]!.reason).toMatch(/^El total pagado no puede ser mayor que el total/);
    // A note whose rows are all refused is not created.
    expect(await notes()).toMatchObject([{ numero: 'NC-7', appliedCents: 25_000 }]);
  });

  it('finds a note by its UUID or its supplier’s number, and refuses a row that contradicts it', async () => {
    await run([NC]);
    const { id } = (await notes())[0]!;
    const one = { ...NC, paymentamount: '1' };
    const reason = async (part: Record<string, string>) => reasonOf({ ...BLANK, ...one, ...part });
    expect(await reason({ credittotal: '250.01' })).toBe(
      `La nota de crédito NC-7 (id ${id}) ya está con otros datos: es un conflicto (total: «$250.00»; en este archivo «$250.01»).`,
    );
    expect(await reason({ creditiva: '0' })).toMatch(/\(IVA: «\$40\.00»; en este archivo «\$0\.00»\)/);
    expect(await reason({ paymentdate: '2026-02-11' })).toMatch(/\(fecha: «Tue, 10 Feb 2026»/);
    expect(await reason({ creditnumero: 'NC-9' })).toMatch(/\(número: «NC-7»; en este archivo «NC-9»\)/);
    const other = await addSupplier(fresh.db, { suppliername: 'Otro' });
    await addInvoice(fresh.db, { supplierId: other, jobId, numfactura: 'B-1' });
    expect(await reason({ suppliername: 'Otro', numfactura: 'B-1' })).toMatch(
      /es de otro proveedor que la factura/,
    );
    expect(await reason({ checknum: '5' })).toMatch(/no mueve dinero/);
    expect(await reason({ origenderecursonombre: 'Caja chica' })).toMatch(/no mueve dinero/);
    expect(await reason({ credituuid: '', creditnumero: '', credittotal: '' })).toBe(
      'Falta el número o el UUID de la nota de crédito.',
    );
    const fresh1 = { credituuid: '', creditnumero: 'NC-1' };
    expect(await reason({ ...fresh1, credittotal: '' })).toBe('Falta el total de la nota de crédito.');
    expect(await reason({ ...fresh1, paymentdate: '' })).toBe('Falta la fecha de la nota de crédito.');
    expect(await reason({ ...fresh1, credittotal: '39.99' })).toMatch(/impuestos .* mayores que su total/);
    const known = await run([
      { ...one, credituuid: '', creditnumero: 'nc 7', paymentdate: '', credittotal: '' },
    ]);
    expect(known).toMatchObject({ created: 1, warnings: [] });
    expect(await notes()).toMatchObject([{ id, appliedCents: 10_100 }]);
  });

  it('adds a missing source if asked to, and nothing else', async () => {
    const rows = [
      { ...P, origenderecursonombre: 'Banco' },
      { ...P, suppliername: 'Nadie', rfc: '' },
      { ...P, jobtitle: 'Otra obra', paymentdate: '2026-03-09' },
    ];
    const result = await run(rows, { createMissing: true, onError: 'skip' });
    expect(result).toMatchObject({ created: 1, missingCreated: { origenes: 1 } });
    expect(result.refused.map(({ reason }) => reason)).toEqual([
      'No existe el proveedor «Nadie».',
      'No existe la obra «Otra obra».',
    ]);
  });

  it('stores nothing twice, and says so if the file repeats itself', async () => {
    expect(await run([P, P])).toMatchObject({
      created: 1,
      unchanged: 1,
      warnings: [{ row: 3, reason: expect.stringContaining('Es igual al renglón 2') }],
    });
    expect(await run([P])).toMatchObject({ created: 0, unchanged: 1, warnings: [] });
    expect(await paid()).toBe(40000);
    const { refused } = await run([{ ...P, comments: 'otro' }]);
    expect(refused).toMatchObject([
      { column: 'Observaciones', reason: expect.stringMatching(/«primer abono».*«otro»/) },
    ]);
    expect(await run([P], { allowDuplicates: true })).toMatchObject({ created: 1, unchanged: 0 });
    expect(await paid()).toBe(80000);
  });

  it('finds the invoice by UUID, by number alone, or by what distinguishes it from others', async () => {
    const linked = await addInvoice(fresh.db, { supplierId, jobId, numfactura: 'U-1', uuid: UUID });
    const otherJob = await addJob(fresh.db, { jobtitle: 'Nave' });
    const twin = await addInvoice(fresh.db, {
      supplierId,
      jobId: otherJob,
      numfactura: 'A1',
      fechaemision: '2026-02-02',
      subtotalCents: 5000,
    });
    const nameless = await addInvoice(fresh.db, {
      supplierId,
      jobId,
      numfactura: '',
      fechaemision: '2026-04-04',
      subtotalCents: 7000,
    });
    const one = { paymentamount: '1', checknum: '7' };
    const rows = [
      { ...one, uuid: UUID.toLowerCase() },
      { ...one, numfactura: 'u1' },
      { ...one, numfactura: 'A1', suppliername: 'Aceros', jobtitle: 'Nave' },
      {
        ...one,
        numfactura: 'a 1',
        suppliername: 'Aceros',
        fechaemision: '2026-02-02',
        paymentdate: '2026-01-02',
      },
      { ...one, numfactura: 'a 1', suppliername: 'Aceros', total: '1160', paymentdate: '2026-01-02' },
      {
        ...one,
        numfactura: '',
        suppliername: 'Aceros',
        jobtitle: 'Torre',
        fechaemision: '2026-04-04',
        total: '81.20',
      },
    ];
    expect(await run(rows)).toMatchObject({ created: 5, unchanged: 1, refused: [] });
    expect((await stored()).map((payment) => payment.facturaproveedorId)).toEqual([
      linked,
      twin,
      twin,
      invoiceId,
      nameless,
    ]);
    const { refused } = await run([{ ...one, numfactura: 'a 1', suppliername: 'Aceros', checknum: '9' }]);
    expect(refused).toMatchObject([{ reason: expect.stringContaining(`(${invoiceId}, ${twin})`) }]);
  });

  it('warns of a check that was used for another supplier, on file or in the file', async () => {
    const other = await addInvoice(fresh.db, {
      numfactura: 'B-1',
      supplierId: await addSupplier(fresh.db, { suppliername: 'Otro' }),
    });
    const origenderecursoId = (
      await fresh.db.selectFrom('funding_sources').select('id').executeTakeFirstOrThrow()
    ).id;
    await addPayment(fresh.db, {
      facturaproveedorId: other,
      amountCents: 500,
      userId: actor.userId,
      checknum: '77',
      origenderecursoId,
    });
    const rows = [
      { ...P, checknum: '77' },
      { ...P, checknum: '78', paymentamount: '1' },
      { ...P, checknum: '78', paymentamount: '2', suppliername: 'Otro', rfc: '', numfactura: 'B-1' },
      { ...P, checknum: '78', paymentamount: '3' },
      { ...P, checknum: '79', paymentamount: '1', origenderecursonombre: '' },
    ];
    const { warnings } = await run(rows);
    expect(warnings).toEqual([
      { row: 2, reason: 'El cheque 77 ya se usó para Otro ($5.00).' },
      { row: 4, reason: 'El cheque 78 ya se usó para Aceros ($1.00).' },
      { row: 5, reason: 'El cheque 78 ya se usó para Otro ($2.00).' },
    ]);
  });

  it('warns of a payment equal to another one, and of one long before its invoice', async () => {
    await run([P]);
    const twin = 'la misma factura, fecha, cantidad y número de cheque.';
    const { id } = (await stored())[0]!;
    const early = { ...P, paymentdate: '2025-11-01', checknum: '9', paymentamount: '1' };
    const rows = [P, early, { ...early, paymentdate: '2025-11-02' }, early];
    const reason =
      'La fecha del pago es más de 60 días anterior a la emisión de la factura, el jueves 1 de enero de 2026.';
    expect((await run(rows, { allowDuplicates: true })).warnings).toEqual([
      { row: 2, reason: `Es igual al pago ${id}: ${twin}` },
      { row: 3, reason },
      { row: 5, reason: `Es igual al pago del renglón 3: ${twin}` },
      { row: 5, reason },
    ]);
  });

  it('never pays more than the total while others pay the same invoice', async () => {
    const rows = Array.from({ length: 50 }, (_, n) => ({ ...P, paymentamount: '20', checknum: `T-${n}` }));
    const other = fresh.database.openAgain();
    const pay = async (n: number) =>
      createPayment(other.db, actor, {
        facturaproveedorId: invoiceId,
        amountCents: 2000,
        checknum: `P-${n}`,
      }).catch(() => undefined);
    const [result] = await Promise.all([
      run(rows, { onError: 'skip' }),
      ...Array.from({ length: 20 }, (_, n) => pay(n)),
    ]);
    const sum = (await stored()).reduce((cents, payment) => cents + payment.amountCents, 0);
    expect(await paid()).toBe(sum);
    expect(sum).toBe(116000);
    expect(result.created + result.refused.length).toBe(50);
  });
});
