import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { readCrossCheck, requireCrossCheck } from '../../../../server/services/fiscal/cross-check.ts';
import { importMetadata } from '../../../../server/services/fiscal/import-metadata.ts';
import { CROSS_CHECK_GROUP_LABELS } from '../../../../server/services/fiscal/labels.ts';
import { monthPeriodOf } from '../../../../shared/periods.ts';
import { keysOf } from '../../../../shared/record-fields.ts';
import { describeEachDatabase, useFreshDatabase } from '../../../support/databases.ts';
import {
  buildMetadataFile,
  createMetadataUuid,
  type MetadataLine,
  OWN_RFC,
} from '../../../support/metadata.ts';
import {
  addActor,
  addCreditNote,
  addInvoice,
  addPayment,
  addSupplier,
  createActor as system,
} from '../../../support/rows.ts';

const RFC = 'ACE010203AB4';
const uuid = createMetadataUuid(1);

const load = (db: Db, ...lines: MetadataLine[]) => importMetadata(db, system(), buildMetadataFile(lines));
const cross = (db: Db, mes = '2026-10') => readCrossCheck(db, monthPeriodOf(`${mes}-01`), { rfc: OWN_RFC });

async function groupsOf(db: Db, mes?: string): Promise<Record<string, number>> {
  const found = await cross(db, mes);
  return Object.fromEntries(
    keysOf(CROSS_CHECK_GROUP_LABELS).flatMap((name) =>
      found[name].cuenta > 0 ? [[name, found[name].cuenta]] : [],
    ),
  );
}

describeEachDatabase('the documents of a month', (fresh) => {
  it('are beside the invoices, notes and receipts of their UUIDs', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const supplierId = await addSupplier(db, { rfc: RFC });
    const id = await addInvoice(db, { supplierId, uuid });
    await addPayment(db, { facturaproveedorId: id, amountCents: 50_000, userId });
    await addCreditNote(db, { supplierId, userId, uuid: createMetadataUuid(2), totalCents: 30_000 });
    await db
      .insertInto('payment_receipts')
      .values({
        ...{ supplierId, numero: 'P-1', uuid: createMetadataUuid(3), fecha: '2026-10-06', detail: '{}' },
        ...{ sha256: null, importId: null, userId, createdAt: system().at },
      })
      .execute();
    await load(
      db,
      { uuid },
      { uuid: createMetadataUuid(2), efecto: 'E', monto: '300' },
      { uuid: createMetadataUuid(3), efecto: 'P', monto: '0' },
    );
    const { iguales, sat, cortes } = await cross(db);
    expect(iguales).toMatchObject({ cuenta: 3, totalCents: 146_000 });
    expect(iguales.rows[0]).toMatchObject({
      ...{ facturaproveedorId: id, montoSatCents: 116_000, montoSaldoCents: 116_000, pagadoCents: 50_000 },
      ...{ estatus: 'vigente', own: { noun: 'invoices', id } },
    });
    expect(iguales.rows.map(({ own, montoSaldoCents }) => [own?.noun, montoSaldoCents])).toEqual([
      ['invoices', 116_000],
      ['credit-notes', 30_000],
      ['payment-receipts', null],
    ]);
    expect(sat).toEqual({ cuenta: 3, totalCents: 146_000 });
    expect(cortes).toEqual([
      expect.objectContaining({ archivo: 'metadatos.txt', filas: 3, isFinished: true }),
    ]);
  });

  it.each<[string, MetadataLine, string]>([
    ['another amount', { uuid, monto: '1160.01' }, 'difieren'],
    ['another issuer', { uuid, rfc: 'OTR010203AB4' }, 'difieren'],
    ['a UUID that is not here', { uuid: createMetadataUuid(5) }, 'faltan'],
    ['another receiver', { uuid: createMetadataUuid(5), receptor: 'OTR010203AB4' }, 'ajenos'],
    ['a payroll slip', { uuid: createMetadataUuid(5), efecto: 'N' }, 'ajenos'],
    ['a waybill', { uuid: createMetadataUuid(5), efecto: 'T', monto: '0' }, 'ajenos'],
    ['the last day of the month', { uuid, fecha: '2026-10-31' }, 'iguales'],
  ])('with %s is among those', async (_title, line, group) => {
    const supplierId = await addSupplier(fresh.db, { rfc: RFC });
    await addInvoice(fresh.db, { supplierId, uuid, fechaemision: '2026-01-01' });
    await load(fresh.db, line);
    expect(await groupsOf(fresh.db)).toEqual({ [group]: 1 });
    expect(await groupsOf(fresh.db, '2026-11')).toEqual({});
  });

  it('in dollars are compared in dollars', async () => {
    const supplierId = await addSupplier(fresh.db, { rfc: RFC });
    await addInvoice(fresh.db, {
      ...{ supplierId, uuid, moneda: 'USD', tipocambio: '17.5' },
      ...{ subtotalCents: 175_000, ivaCents: 0, tasa: 0 },
    });
    await load(fresh.db, { uuid, monto: '100.00' });
    const { iguales } = await cross(fresh.db);
    expect(iguales.rows).toEqual([expect.objectContaining({ montoSaldoCents: 10_000 })]);
  });

  it('are reported if they are cancelled at the SAT and stored here, paid ones first', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const supplierId = await addSupplier(db, { rfc: RFC });
    await addInvoice(db, { supplierId, uuid });
    const paid = await addInvoice(db, { supplierId, uuid: createMetadataUuid(2) });
    await addPayment(db, { facturaproveedorId: paid, amountCents: 116_000, userId });
    await load(
      db,
      ...[uuid, createMetadataUuid(2), createMetadataUuid(3)].map((one) => ({
        uuid: one,
        cancelado: '2026-10-30',
      })),
    );
    const { cancelados, faltan } = await cross(db);
    expect(cancelados).toMatchObject({ cuenta: 2, totalCents: 232_000 });
    expect(
      cancelados.rows.map(({ facturaproveedorId, pagadoCents, fechaCancelacion }) => [
        facturaproveedorId === paid,
        pagadoCents,
        fechaCancelacion,
      ]),
    ).toEqual([
      [true, 116_000, '2026-10-30'],
      [false, 0, '2026-10-30'],
    ]);
    expect(faltan.rows).toEqual([expect.objectContaining({ estatus: 'cancelado', own: null })]);
  });

  it('that were replaced name what replaces them', async () => {
    await fresh.db
      .insertInto('document_relations')
      .values({ uuid: createMetadataUuid(2), replacedUuid: uuid, kind: 'I', numero: 'F-2', rfc: RFC })
      .execute();
    await load(fresh.db, { uuid, cancelado: '2026-10-30' });
    expect((await cross(fresh.db)).faltan.rows[0]).toMatchObject({ sustituidoPor: [createMetadataUuid(2)] });
  });
});

describe('an invoice without UUID', () => {
  const fresh = useFreshDatabase('sqlite');

  const cases: [string, { invoices: object[]; lines: MetadataLine[]; fits: number[] }][] = [
    ['fits a document by RFC, total and day', { invoices: [{}], lines: [{ uuid }], fits: [0] }],
    ['fits ten days later', { invoices: [{ fechaemision: '2026-10-15' }], lines: [{ uuid }], fits: [0] }],
    [
      'does not fit eleven days later',
      { invoices: [{ fechaemision: '2026-10-16' }], lines: [{ uuid }], fits: [] },
    ],
    [
      'fits a document of the last day from the next month',
      { invoices: [{ fechaemision: '2026-11-02' }], lines: [{ uuid, fecha: '2026-10-31' }], fits: [0] },
    ],
    ['does not fit another amount', { invoices: [{}], lines: [{ uuid, monto: '1160.01' }], fits: [] }],
    [
      'does not fit what is cancelled',
      { invoices: [{}], lines: [{ uuid, cancelado: '2026-10-09' }], fits: [] },
    ],
    ['does not fit a credit note', { invoices: [{}], lines: [{ uuid, efecto: 'E' }], fits: [] }],
    ['does not fit where another fits as well', { invoices: [{}, {}], lines: [{ uuid }], fits: [] }],
    [
      'does not fit where two documents fit it',
      { invoices: [{}], lines: [{ uuid }, { uuid: createMetadataUuid(2) }], fits: [] },
    ],
    [
      'that has another UUID is no candidate',
      { invoices: [{ uuid: createMetadataUuid(9) }], lines: [{ uuid }], fits: [] },
    ],
  ];

  it.each(cases)('%s', async (_title, { invoices, lines, fits }) => {
    const supplierId = await addSupplier(fresh.db, { rfc: RFC });
    const ids: number[] = [];
    for (const invoice of invoices)
      ids.push(await addInvoice(fresh.db, { supplierId, fechaemision: '2026-10-05', ...invoice }));
    await load(fresh.db, ...lines);
    const { sinUuid, faltan } = await cross(fresh.db);
    expect(sinUuid.rows.map(({ facturaproveedorId }) => ids.indexOf(facturaproveedorId!))).toEqual(fits);
    expect(faltan.cuenta).toBe(lines.length);
  });
});

describe('the four groups', () => {
  const fresh = useFreshDatabase('sqlite');

  it('add up to the SAT’s documents in every case', async () => {
    const supplierId = await addSupplier(fresh.db, { rfc: RFC });
    for (const n of [1, 2, 3]) await addInvoice(fresh.db, { supplierId, uuid: createMetadataUuid(n) });
    const line = fc.record({
      monto: fc.constantFrom('1160.00', '5', '0'),
      receptor: fc.constantFrom(OWN_RFC, 'OTR010203AB4'),
      rfc: fc.constantFrom(RFC, 'OTR010203AB4'),
      efecto: fc.constantFrom('I', 'E', 'P', 'N', 'T'),
      cancelado: fc.constantFrom('', '2026-10-20'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (lines) => {
        await fresh.db.deleteFrom('sat_documents').execute();
        await load(fresh.db, ...lines.map((one, at) => ({ ...one, uuid: createMetadataUuid(at + 1) })));
        const { sat, iguales, difieren, faltan, ajenos } = await cross(fresh.db);
        const four = [iguales, difieren, faltan, ajenos];
        expect(four.reduce((sum, { cuenta }) => sum + cuenta, 0)).toBe(sat.cuenta);
        expect(four.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(sat.totalCents);
        expect(sat.cuenta).toBe(lines.length);
      }),
      { numRuns: 25 },
    );
  });

  it('have nothing of the firm’s while its RFC is not known', async () => {
    await load(fresh.db, { uuid });
    const { ajenos, sat } = await readCrossCheck(fresh.db, monthPeriodOf('2026-10-01'), { rfc: '' });
    expect(ajenos.cuenta).toBe(sat.cuenta);
    await expect(requireCrossCheck(fresh.db, monthPeriodOf('2026-10-01'))).rejects.toThrow(
      'Falta el RFC de la empresa',
    );
  });
});
