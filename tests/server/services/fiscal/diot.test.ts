import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { readCfdi } from '../../../../server/formats/cfdi/document.ts';
import {
  readTaxParts,
  splitAmount,
  sumTaxParts,
  type TaxParts,
} from '../../../../server/formats/cfdi/tax-parts.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import {
  buildDiot,
  type ExclusionCause,
  formatDiotFile,
  readDiot,
} from '../../../../server/services/fiscal/diot.ts';
import { importMetadata } from '../../../../server/services/fiscal/import-metadata.ts';
import type { PaymentWithCfdi } from '../../../../server/services/fiscal/payments-with-cfdi.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { monthPeriodOf } from '../../../../shared/periods.ts';
import { buildRelations, bytesOf, type CfdiParts, uuidOfNumber } from '../../../support/cfdi.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { readDiotFile, sumDiotFile } from '../../../support/diot-file.ts';
import { buildMetadataFile, OWN_RFC } from '../../../support/metadata.ts';
import { chooseRunCount } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addSupplier,
  createActor as system,
} from '../../../support/rows.ts';
import {
  buildTaxedCfdi,
  computeIvaCents,
  type TaxedCfdi,
  type TaxedLine,
} from '../../../support/taxed-cfdi.ts';

const MONTH = monthPeriodOf('2026-11-01');

describeEachDatabase('the DIOT of a month', (fresh) => {
  let office: { jobId: number; sourceId: number; actor: ReturnType<typeof system> };

  beforeEach(async () => {
    const { db } = fresh;
    office = {
      ...{ jobId: await addJob(db), sourceId: await addFundingSource(db) },
      actor: await addActor(db),
    };
  });

  async function store(db: Db, ...xmls: string[]): Promise<number[]> {
    const files = xmls.map((xml, index) => ({ name: `${index}.xml`, bytes: bytesOf(xml) }));
    const { files: outcomes } = await importCfdi(db, office.actor, files, {
      ...{ jobId: office.jobId, createSuppliers: true },
    });
    return outcomes.map(({ outcome, reason, invoiceId = 0 }) => {
      expect([outcome, reason]).toEqual([expect.stringMatching(/created|warned/), undefined]);
      return invoiceId!;
    });
  }

  const pay = (facturaproveedorId: number, amountCents: number, more: object = {}) =>
    createPayment(fresh.db, office.actor, {
      ...{ facturaproveedorId, amountCents, paymentdate: '2026-11-10', origenderecursoId: office.sourceId },
      ...more,
    });
  const read = (mes = '2026-11') => readDiot(fresh.db, monthPeriodOf(`${mes}-01`), { rfc: OWN_RFC });
  const causes = async () =>
    (await read()).noReportado.rows.map(({ causa, importeCents }) => [causa, importeCents] as const);

  it('splits what was paid as the CFDI splits its total, and each day counts for its own month', async () => {
    const lines: TaxedLine[] = [
      { of: 16, cents: 100_000 },
      { of: 0, cents: 30_000 },
      { of: 'exento', cents: 20_000 },
      { of: 'noObjeto', cents: 10_000 },
    ];
    const [id] = await store(fresh.db, buildTaxedCfdi({ n: 1, lines, iva: 4_000 }));
    await pay(id!, 86_000);
    await pay(id!, 86_000, { paymentdate: '2026-12-01' });
    const diot = await read();
    expect(readDiotFile(formatDiotFile(diot).text)).toEqual([
      {
        ...{ rfc: 'ACE010203AB4', operacion: '85', norte8: [0, 0, 0], sur8: [0, 0, 0] },
        ...{ tasa16: [500, 0, 80], retenido: 20, exento: 100, tasa0: 150, noObjeto: 50 },
      },
    ]);
    expect(diot).toMatchObject({ pagadoCents: 86_000, archivoCents: 86_000, redondeoCents: 0 });
    expect(formatDiotFile(diot)).toMatchObject({ filename: 'DIOT 2026-11.txt' });
  });

  it('rounds the sum of a supplier’s cents once, and tells what that adds', async () => {
    const ids = await store(
      fresh.db,
      ...[1, 2, 3].map((n) => buildTaxedCfdi({ n, lines: [{ of: 16, cents: 10_033 }] })),
    );
    for (const id of ids) await pay(id, 11_638);
    const diot = await read();
    expect(readDiotFile(formatDiotFile(diot).text)[0]!.tasa16).toEqual([301, 0, 48]);
    expect(diot).toMatchObject({ pagadoCents: 34_914, archivoCents: 34_900, redondeoCents: -14 });
  });

  it('leaves out ISR, and marks professional services and rent', async () => {
    const person = {
      rfc: 'GARA800101AB1',
      lines: [{ of: 16, cents: 100_000 }],
      isr: 10_000,
      iva: 10_667,
    } as const;
    const ids = await store(
      fresh.db,
      buildTaxedCfdi({ n: 1, ...person, lines: [...person.lines], regimen: '612' }),
      buildTaxedCfdi({ n: 2, ...person, lines: [...person.lines], regimen: '606' }),
      buildTaxedCfdi({ n: 3, rfc: person.rfc, lines: [{ of: 16, cents: 50_000 }], regimen: '612' }),
    );
    for (const [index, id] of ids.entries()) await pay(id, index === 2 ? 58_000 : 95_333);
    const diot = await read();
    expect(
      readDiotFile(formatDiotFile(diot).text).map(({ operacion, tasa16, retenido }) => [
        operacion,
        tasa16,
        retenido,
      ]),
    ).toEqual([
      ['03', [1000, 0, 160], 107],
      ['06', [1000, 0, 160], 107],
      ['85', [500, 0, 80], 0],
    ]);
    expect(diot).toMatchObject({ retenidoCents: 20_000, pagadoCents: 248_666 });
  });

  it('has the IVA of the border by where the CFDI was issued', async () => {
    const lines: TaxedLine[] = [{ of: 8, cents: 100_000 }];
    const places = ['22000', '77000', '06600'];
    const ids = await store(
      fresh.db,
      ...places.map((codigoPostal, index) => buildTaxedCfdi({ n: index + 1, lines, codigoPostal })),
    );
    for (const id of ids) await pay(id, 108_000);
    const [line] = readDiotFile(formatDiotFile(await read()).text);
    expect(line).toMatchObject({ norte8: [1000, 0, 80], sur8: [1000, 0, 80], tasa16: [0, 0, 0] });
    expect(await causes()).toEqual([['otra_tasa', 108_000]]);
  });

  it('has the pesos that an invoice in dollars cost', async () => {
    const more = { root: { Moneda: 'USD', TipoCambio: '18.50' } };
    const ids = await store(
      fresh.db,
      buildTaxedCfdi({ n: 1, lines: [{ of: 16, cents: 100_000 }], extraParts: more }),
      buildTaxedCfdi({ n: 2, lines: [{ of: 16, cents: 100_000 }], extraParts: more }),
    );
    await pay(ids[0]!, 2_146_000, { importebancoCents: 2_088_000 });
    await pay(ids[1]!, 2_146_000);
    const diot = await read();
    expect(readDiotFile(formatDiotFile(diot).text)[0]!.tasa16).toEqual([18_000, 0, 2_880]);
    expect(await causes()).toEqual([['moneda', 2_146_000]]);
    expect(diot.pagadoCents).toBe(4_234_000);
  });

  it('counts an applied credit note as returned', async () => {
    const [first, , second] = await store(
      fresh.db,
      buildTaxedCfdi({ n: 1, lines: [{ of: 16, cents: 100_000 }] }),
      buildTaxedCfdi({
        ...{ n: 2, lines: [{ of: 16, cents: 20_000 }] },
        extraParts: {
          relacionados: buildRelations('01', uuidOfNumber(1)),
          root: { TipoDeComprobante: 'E', Fecha: '2026-11-05T09:00:00' },
        },
      }),
      buildTaxedCfdi({ n: 3, lines: [{ of: 0, cents: 5_000 }] }),
    );
    await fresh.db
      .updateTable('payments')
      .set({ paymentdate: '2026-11-05' })
      .where('kind', '=', 'credito')
      .execute();
    await pay(first!, 92_800);
    await pay(second!, 5_000);
    const diot = await read();
    expect(readDiotFile(formatDiotFile(diot).text)[0]).toMatchObject({ tasa16: [1000, 200, 128], tasa0: 50 });
    expect(diot).toMatchObject({ pagadoCents: 121_000, archivoCents: 97_800, notasCents: 23_200 });
  });

  it('tells why something paid is in no row', async () => {
    const { db } = fresh;
    const plain: TaxedLine[] = [{ of: 16, cents: 100_000 }];
    const doc = (n: number, more: CfdiParts, part: Partial<TaxedCfdi> = {}) =>
      buildTaxedCfdi({ n, lines: plain, extraParts: more, ...part });
    const cases: [ExclusionCause, string][] = [
      ['otro_receptor', doc(1, { receptor: { Rfc: 'OTR010203AB4', Nombre: 'Otra' } })],
      ['extranjero', doc(2, { emisor: { Rfc: 'XEXX010101000', Nombre: 'Steel Inc.' } })],
      ['sin_rfc', doc(3, { emisor: { Rfc: 'XAXX010101000', Nombre: 'Público' } })],
      ['cancelado', doc(4, {})],
      ['sin_cfdi', doc(5, { uuid: null })],
      ['otros_impuestos', doc(6, {}, { local: 3_000 })],
      [
        'iva_distinto',
        doc(7, {
          impuestos:
            '<{p}Impuestos><{p}Traslados><{p}Traslado Base="2000.00" Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="160.00"/></{p}Traslados></{p}Impuestos>',
        }),
      ],
      [
        'sin_desglose',
        doc(8, {
          impuestos:
            '<{p}Impuestos><{p}Traslados><{p}Traslado Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="160.00"/></{p}Traslados></{p}Impuestos>',
        }),
      ],
      // Half of the subtotal has no line, so its rate is unknown.
      [
        'sin_desglose',
        doc(9, {
          root: { Total: '1080.00' },
          impuestos:
            '<{p}Impuestos><{p}Traslados><{p}Traslado Base="500.00" Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="80.00"/></{p}Traslados></{p}Impuestos>',
        }),
      ],
    ];
    const ids = await store(db, ...cases.map(([, xml]) => xml));
    for (const [index, id] of ids.entries())
      await pay(id, index === 5 ? 119_000 : index === 8 ? 108_000 : 116_000);
    await importMetadata(
      db,
      system(),
      buildMetadataFile([
        { uuid: uuidOfNumber(4), monto: '1160', cancelado: '2026-11-20', fecha: '2026-10-05' },
      ]),
    );
    const typed = async (part: Parameters<typeof addInvoice>[1], rfc: string | null = 'TEC010203AB4') =>
      pay(await addInvoice(db, { ...part, supplierId: await addSupplier(db, { rfc }) }), 116_000);
    await typed({ uuid: uuidOfNumber(90) });
    await typed({}, null);
    await typed({}, 'TEC010204AB4');
    const diot = await read();
    const expected = [...cases.map(([causa]) => causa), 'sin_xml', 'sin_rfc', 'sin_cfdi'].sort();
    expect((await causes()).map(([causa]) => causa).sort()).toEqual(expected);
    expect((await causes()).find(([causa]) => causa === 'otros_impuestos')).toEqual([
      'otros_impuestos',
      3_000,
    ]);
    expect(readDiotFile(formatDiotFile(diot).text)).toEqual([
      expect.objectContaining({ tasa16: [1000, 0, 160] }),
    ]);
    expect(diot.pagadoCents).toBe(diot.archivoCents + diot.noReportado.totalCents);
  });

  it('of the SAT’s public works example reports the cost of the works', async () => {
    const { db } = fresh;
    const document = (n: number, day: string, thousands: number, more: CfdiParts = {}) =>
      buildTaxedCfdi({
        ...{ n, lines: [{ of: 16, cents: thousands * 100_000 }] },
        extraParts: { ...more, root: { ...more.root, Fecha: `${day}T09:00:00` } },
      });
    const note = { TipoDeComprobante: 'E' };
    const [advance] = await store(db, document(1, '2026-08-10', 300));
    await pay(advance!, 34_800_000, { paymentdate: '2026-08-10' });
    const [contract] = await store(
      db,
      document(2, '2026-09-01', 1000, { relacionados: buildRelations('07', uuidOfNumber(1)) }),
      document(3, '2026-09-01', 300, { root: note, relacionados: buildRelations('07', uuidOfNumber(2)) }),
      document(5, '2026-10-03', 100, { root: note, relacionados: buildRelations('01', uuidOfNumber(2)) }),
    );
    const [addition] = await store(
      db,
      document(7, '2026-11-08', 250, { relacionados: buildRelations('02', uuidOfNumber(2)) }),
    );
    await pay(contract!, 10_000_000, { paymentdate: '2026-10-01' });
    await pay(contract!, 59_600_000, { paymentdate: '2026-11-01' });
    await pay(addition!, 29_000_000, { paymentdate: '2026-12-06' });
    let net = 0;
    for (const mes of ['2026-08', '2026-09', '2026-10', '2026-11', '2026-12'])
      for (const { tasa16 } of readDiotFile(formatDiotFile(await read(mes)).text))
        net += tasa16[0] - tasa16[1];
    expect(net).toBe(1_150_000);
  });
});

describe('for any payments of a month', () => {
  const lines = fc.array(
    fc.record({
      of: fc.constantFrom<TaxedLine['of']>(16, 16, 8, 0, 'exento', 'noObjeto'),
      cents: fc.integer({ min: 1, max: 90_000_000 }),
    }),
    { minLength: 1, maxLength: 3 },
  );
  const paid = fc.record({
    rfc: fc.constantFrom('ACE010203AB4', 'GARA800101AB1', 'XEXX010101000'),
    tipo: fc.constantFrom('pago' as const, 'pago' as const, 'gasto' as const, 'nota' as const),
    lines,
    noteLines: lines,
    /** thousandths of the total */
    share: fc.integer({ min: 1, max: 1_000 }),
    local: fc.constantFrom(0, 0, 1_234),
    hasXml: fc.integer({ min: 0, max: 4 }),
    isr: fc.boolean(),
  });

  const factsOf = (xml: string) => {
    const document = readCfdi(bytesOf(xml));
    return { ...document, totalCents: 0, taxParts: readTaxParts(document), withholdings: [] };
  };

  it('all that was paid is reported, or not reported with its cause, but for the rounding', () => {
    fc.assert(
      fc.property(fc.array(paid, { maxLength: 12 }), (cases) => {
        const all = cases.map(
          ({ rfc, tipo, lines: own, noteLines, share, local, hasXml, isr }, index): PaymentWithCfdi => {
            const base = own.reduce((sum, { cents }) => sum + cents, 0);
            const xml = buildTaxedCfdi({
              ...{ n: index, rfc, lines: own, local, regimen: '612' },
              isr: isr ? Math.floor(base / 10) : 0,
            });
            const facts = factsOf(xml);
            expect(typeof facts.taxParts).toBe('object');
            const totalCents = sumTaxParts(facts.taxParts as TaxParts);
            return {
              ...{
                tipo,
                id: index,
                fecha: '2026-11-10',
                proveedor: rfc,
                rfc,
                supplierId: 1,
                regimenFiscal: null,
                documento: 'A-1',
                href: '/',
              },
              importeCents: Math.max(1, Math.floor((totalCents * share) / 1_000)),
              ...{ uuid: facts.uuid, isCancelled: false, lacksPesoAmount: false },
              cfdi: hasXml > 0 ? facts : undefined,
              creditNote:
                tipo === 'nota'
                  ? factsOf(buildTaxedCfdi({ n: 100 + index, rfc, lines: noteLines }))
                  : undefined,
            };
          },
        );
        const diot = buildDiot(MONTH, all, OWN_RFC);
        const file = readDiotFile(formatDiotFile(diot).text);
        expect(sumDiotFile(file) * 100).toBe(diot.archivoCents);
        const { archivoCents, retenidoCents, notasCents, noReportado, redondeoCents } = diot;
        expect(archivoCents - retenidoCents + notasCents + noReportado.totalCents - redondeoCents).toBe(
          all.reduce((sum, { importeCents }) => sum + importeCents, 0),
        );
        expect(noReportado.totalCents).toBe(
          noReportado.rows.reduce((sum, { importeCents }) => sum + importeCents, 0),
        );
        for (const { norte8, sur8, tasa16 } of file) {
          for (const [[value, returned, iva], rate] of [
            [norte8, 0.08],
            [sur8, 0.08],
            [tasa16, 0.16],
          ] as const) {
            expect(returned).toBeLessThanOrEqual(value);
            expect(iva).toBeLessThanOrEqual(Math.round((value - returned) * rate + 1e-9));
          }
        }
        // Recomputes the file from the XML: whole pesos for each supplier, off by one at most.
        const left = new Set(
          noReportado.rows.flatMap(({ id, causa }) => (causa === 'otros_impuestos' ? [] : [id])),
        );
        const expected = new Map<string, number>();
        for (const [index, one] of cases.entries()) {
          if (left.has(index)) continue;
          const { total, bases } = plainSums(one);
          const amount = all[index]!.importeCents;
          expected.set(one.rfc, (expected.get(one.rfc) ?? 0) + (bases * amount) / total);
        }
        const reported = new Map<string, number>();
        const add = (rfc: string, pesos: number) => reported.set(rfc, (reported.get(rfc) ?? 0) + pesos);
        for (const { rfc, norte8, sur8, tasa16, ...rest } of file)
          add(rfc, norte8[0] + sur8[0] + tasa16[0] + rest.exento + rest.tasa0 + rest.noObjeto);
        // The file subtracts what was returned, and omits rows that were returned completely.
        for (const { rfc, devuelto } of diot.rows)
          add(rfc, (devuelto.exento + devuelto.tasa0 + devuelto.noObjeto) / 100);
        for (const [rfc, cents] of expected)
          expect(Math.abs(cents / 100 - (reported.get(rfc) ?? 0))).toBeLessThan(10);
      }),
      { numRuns: chooseRunCount(200, 5_000) },
    );
  });

  /** Computes the sums without the code that reads CFDI. */
  function plainSums({ lines: own, local, isr }: { lines: TaxedLine[]; local: number; isr: boolean }) {
    const bases = own.reduce((sum, { cents }) => sum + cents, 0);
    const iva = own.reduce(
      (sum, { of, cents }) => sum + (typeof of === 'number' ? computeIvaCents(cents, of) : 0),
      0,
    );
    return { bases, total: bases + iva + local - (isr ? Math.floor(bases / 10) : 0) };
  }

  it('the parts of an amount add up to it, and those of the whole are the whole', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 99_999_999 }), (own, amount) => {
        const parts = readTaxParts(readCfdi(bytesOf(buildTaxedCfdi({ n: 1, lines: own })))) as TaxParts;
        expect(sumTaxParts(splitAmount(parts, amount))).toBe(amount);
        expect(splitAmount(parts, sumTaxParts(parts))).toEqual(parts);
      }),
    );
  });
});
