import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import {
  computeCorrectionDeadline,
  importList69b,
  pickNextCorrectionDeadline,
  readList69bReport,
  readSituation,
} from '../../../../server/services/fiscal/list-69b.ts';
import { checkLines } from '../../../../server/services/payment-batches/check-lines.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { buildList69bFile } from '../../../support/list-69b.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import {
  addActor,
  addInvoice,
  addPayment,
  addSupplier,
  createActor as system,
  TODAY,
} from '../../../support/rows.ts';

const RFC = 'ACE010203AB4';
const OTHER = 'OTR010203AB4';

type Lines = Parameters<typeof buildList69bFile>[0];
const load = (db: Db, lines: Lines, options?: Parameters<typeof buildList69bFile>[1]) =>
  importList69b(db, system(), buildList69bFile(lines, options));
const DEFINITIVE = { rfc: RFC, situacion: 'Definitivo', presunto: '01/02/2026', definitivo: '15/06/2026' };

it.each([
  ['2026-10-21', '2026-12-03', 'without the third Monday of November'],
  ['2026-11-20', '2027-01-05', 'without Christmas and New Year'],
  ['2026-01-16', '2026-03-02', 'without the first Monday of February'],
])('the term to correct of whom is definitive since %s ends on %s', (definitivo, end) => {
  const supplier = {
    supplierId: 1,
    suppliername: 'Aceros',
    rfc: RFC,
    presunto: null,
    cuenta: 0,
    pagadoCents: 0,
  };
  expect(computeCorrectionDeadline({ ...supplier, situacion: 'definitivo', definitivo })).toBe(end);
  expect(computeCorrectionDeadline({ ...supplier, situacion: 'presunto', definitivo: null })).toBeNull();
  const listed = { ...supplier, situacion: 'definitivo', definitivo } as const;
  const all = [listed, { ...listed, definitivo: '2020-01-02' }, { ...listed, definitivo: '2029-01-02' }];
  expect(pickNextCorrectionDeadline(all, end)).toBe(end);
  expect(pickNextCorrectionDeadline(all.slice(0, 2), '2029-12-31')).toBe(end);
  expect(pickNextCorrectionDeadline([], end)).toBeNull();
});

describeEachInLongLane('the list of 69-B', (fresh) => {
  it('says what was paid to those now definitive, and what they were then', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const supplierId = await addSupplier(db, { suppliername: 'Aceros', rfc: RFC });
    await addSupplier(db, { suppliername: 'Otra', rfc: OTHER });
    await addSupplier(db, { suppliername: 'Sin RFC', rfc: null });
    const facturaproveedorId = await addInvoice(db, { supplierId });
    for (const paymentdate of ['2026-01-10', '2026-03-10', '2026-07-10'])
      await addPayment(db, { facturaproveedorId, amountCents: 10_000, paymentdate, userId });
    const listed = await load(db, [DEFINITIVE, { rfc: OTHER }]);
    expect(listed).toMatchObject({ corte: '2026-10-31', filas: 5_000, pagadoCents: 30_000, warnings: [] });
    expect(listed.proveedores).toMatchObject([
      { suppliername: 'Aceros', situacion: 'definitivo', cuenta: 3, pagadoCents: 30_000 },
      { suppliername: 'Otra', situacion: 'presunto', cuenta: 0, pagadoCents: 0 },
    ]);
    expect(listed.pagos.map(({ fecha, alPagar }) => [fecha, alPagar])).toEqual([
      ['2026-01-10', null],
      ['2026-03-10', 'presunto'],
      ['2026-07-10', 'definitivo'],
    ]);
  });

  it('is replaced as a whole by a later one, and what earlier ones said stays', async () => {
    const { db } = fresh;
    await addSupplier(db, { rfc: RFC });
    await load(db, [{ rfc: RFC }, { rfc: OTHER }], { corte: '31 de agosto de 2026' });
    await load(db, [{ rfc: RFC }], { corte: '30 de septiembre de 2026' });
    expect(await readSituation(db, OTHER)).toBeNull();
    await load(db, [DEFINITIVE]);
    expect(await readSituation(db, RFC)).toEqual({ situacion: 'definitivo', corte: '2026-10-31' });
    expect(await readSituation(db, null)).toBeNull();
    const history = db.selectFrom('sat_69b').select(['situacion', 'vistoDesde', 'vistoHasta']);
    expect(await history.where('rfc', '=', RFC).orderBy('vistoDesde').execute()).toEqual([
      { situacion: 'presunto', vistoDesde: '2026-08-31', vistoHasta: '2026-09-30' },
      { situacion: 'definitivo', vistoDesde: '2026-10-31', vistoHasta: '2026-10-31' },
    ]);
    expect(await history.where('rfc', '=', OTHER).execute()).toMatchObject([{ vistoHasta: '2026-08-31' }]);
  });

  it.each<[string, Parameters<typeof buildList69bFile>[1], string]>([
    ['the same cut date', {}, 'Ya está cargada la lista'],
    ['an earlier one', { corte: '1 de enero de 2026' }, 'Ya está cargada la lista'],
    ['too few rows', { corte: '15 de noviembre de 2026', rows: 4_999 }, 'Trae 4,999 renglones'],
    ['a day that has not come', { corte: '1 de enero de 2027' }, 'todavía no llega'],
  ])('stays where another one has %s', async (_title, options, message) => {
    await load(fresh.db, [DEFINITIVE]);
    await expect(load(fresh.db, [{ rfc: RFC }], options)).rejects.toThrow(message);
    expect(await readSituation(fresh.db, RFC)).toMatchObject({ situacion: 'definitivo' });
    expect(await readList69bReport(fresh.db)).toMatchObject({ corte: '2026-10-31' });
  });

  it('blocks payments to a definitive supplier, and warns of a presumed one', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const lines: { invoiceId: number; supplierId: number; amountCents: number }[] = [];
    for (const rfc of [RFC, OTHER, 'TRE010203AB4']) {
      const supplierId = await addSupplier(db, { rfc });
      lines.push({ supplierId, invoiceId: await addInvoice(db, { supplierId }), amountCents: 100 });
    }
    const batch = { id: 0, estado: 'borrador' as const, signatures: [] };
    const findings = async () => {
      const verdicts = await checkLines(db, actor, lines, { step: 'elegir', fecha: TODAY, batch });
      return lines.map(({ invoiceId }) =>
        verdicts
          .get(invoiceId)!
          .findings.flatMap(({ code, level, date }) =>
            code.startsWith('lista69b') ? [[code, level, date]] : [],
          ),
      );
    };
    expect((await findings()).flat()).toEqual([]);
    await load(db, [DEFINITIVE, { rfc: OTHER, presunto: '01/02/2026' }]);
    expect(await findings()).toEqual([
      [['lista69b', 'impedir', '2026-10-31']],
      [['lista69b_presunto', 'avisar', '2026-10-31']],
      [],
    ]);
    await changeSetting(db, system(), 'semaforo.lista69b', 'avisar');
    expect((await findings())[0]).toEqual([['lista69b', 'avisar', '2026-10-31']]);
    await changeSetting(db, system(), 'semaforo.lista69b', 'ignorar');
    expect((await findings()).flat()).toEqual([]);
  });
});
