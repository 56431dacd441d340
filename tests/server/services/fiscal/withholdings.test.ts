import { beforeEach, expect, it } from 'vitest';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import {
  readWithholdingReport,
  withholdingStateOf,
} from '../../../../server/services/fiscal/withholdings.ts';
import { deleteInvoice } from '../../../../server/services/invoices/invoices.ts';
import { getInvoice } from '../../../../server/services/invoices/reading.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { monthPeriodOf } from '../../../../shared/periods.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { bytesOf } from '../../../support/cfdi.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { OWN_RFC } from '../../../support/metadata.ts';
import { readPage } from '../../../support/page.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addSupplier,
  addUser,
  createActor as system,
} from '../../../support/rows.ts';
import { buildTaxedCfdi, type TaxedCfdi } from '../../../support/taxed-cfdi.ts';

const PERSON = 'GARA800101AB1';

describeEachDatabase('what is withheld of the payments of a month', (fresh) => {
  let actor: Awaited<ReturnType<typeof addActor>>;
  let jobId: number;
  let origenderecursoId: number;

  beforeEach(async () => {
    await changeSetting(fresh.db, system(), 'rfc', OWN_RFC);
    actor = await addActor(fresh.db);
    jobId = await addJob(fresh.db);
    origenderecursoId = await addFundingSource(fresh.db);
  });

  async function store(...parts: Partial<TaxedCfdi>[]): Promise<number[]> {
    const files = parts.map((part, index) => ({
      name: `${index}.xml`,
      bytes: bytesOf(
        buildTaxedCfdi({ n: index + 1, rfc: PERSON, lines: [{ of: 16, cents: 1_000_000 }], ...part }),
      ),
    }));
    const { files: outcomes } = await importCfdi(fresh.db, actor, files, { jobId, createSuppliers: true });
    return outcomes.map(({ invoiceId }) => invoiceId!);
  }

  const pay = (facturaproveedorId: number, amountCents: number, paymentdate = '2026-11-10') =>
    createPayment(fresh.db, actor, { facturaproveedorId, amountCents, paymentdate, origenderecursoId });

  it('is each CFDI’s paid share, by kind and supplier, compared with the legal amount', async () => {
    const ids = await store(
      { regimen: '626', isr: 12_500 },
      { regimen: '626' },
      { rfc: 'FLE010203AB4', clave: '78101802', iva: 40_000 },
    );
    await pay(ids[0]!, 573_750);
    await pay(ids[0]!, 573_750, '2026-12-03');
    await pay(ids[1]!, 1_160_000);
    await pay(ids[2]!, 1_120_000);
    await pay(await addInvoice(fresh.db, {}), 50_000);
    const month = await readWithholdingReport(fresh.db, monthPeriodOf('2026-11-01'), { rfc: OWN_RFC });
    expect(month).toMatchObject({ retenidoCents: 46_250, esperadoCents: 58_750, difieren: 1 });
    expect(month.sinRevisar).toEqual({ cuenta: 1, totalCents: 50_000 });
    expect(month.rows).toMatchObject([
      {
        ...{ tipo: 'resico', rfc: PERSON, regimenFiscal: '626', pagos: 2, baseCents: 1_500_000 },
        ...{ retenidoCents: 6_250, esperadoCents: 18_750, diferenciaCents: 12_500 },
      },
      { tipo: 'flete', pagos: 1, baseCents: 1_000_000, retenidoCents: 40_000, diferenciaCents: 0 },
    ]);
    const december = await readWithholdingReport(fresh.db, monthPeriodOf('2026-12-01'), { rfc: OWN_RFC });
    expect([month, december].map(withholdingStateOf)).toEqual(['pendientes', 'cuadrado']);
    await pay(await addInvoice(fresh.db, {}), 50_000, '2026-12-05');
    expect(
      withholdingStateOf(
        await readWithholdingReport(fresh.db, monthPeriodOf('2026-12-01'), { rfc: OWN_RFC }),
      ),
    ).toBe('abierto');
    expect(december).toMatchObject({ retenidoCents: 6_250, esperadoCents: 6_250, difieren: 0 });
  });

  it('is shown on its page, in the API and in the batch that would pay the invoice', async () => {
    const [id] = await store({ regimen: '626' });
    const { lines } = await addBatch(fresh.db, { invoiceIds: [id!] });
    expect(lines[0]!.verdict?.findings).toContainEqual({
      ...{ code: 'retencion', level: 'avisar', source: 'XML de la factura', date: '2026-10-05' },
      reason: 'RESICO sin retención 1.25 %: $125.00; retener al pagar o pedir CFDI corregido.',
      remedy: `/editinvoicepage/${id}`,
    });
    await pay(id!, 1_160_000);
    const client = await createTestApp({ db: fresh.db }).as(await addUser(fresh.db, { roles: [2] }));
    const page = (await readPage(await client.get('/fiscal/retenciones?mes=2026-11'))).decodedHtml;
    const text = page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(text).toMatch(/Retenido en los CFDI \$0\.00.*Falta retener \$125\.00.*Corresponde \$125\.00/);
    expect(text).toMatch(/GARA800101AB1 · régimen 626.*RESICO 1\.25 %.*\$10,000\.00.*\$125\.00.*Difiere/);
    expect(await (await client.get('/api/fiscal/retenciones/?mes=2026-11')).json()).toMatchObject({
      ...{ mes: '2026-11', estado: 'pendientes', retenido: 0, esperado: 125, difieren: 1 },
      filas: [{ tipo: 'resico', rfc: PERSON, base: 10_000, retenido: 0, esperado: 125, diferencia: 125 }],
      sinRevisar: { cuenta: 0, total: 0 },
    });
    const empty = (await readPage(await client.get('/fiscal/retenciones?mes=2026-08'))).decodedHtml;
    expect(empty).toContain('Ningún CFDI con retenciones pagado en agosto de 2026');
    expect((await client.get('/fiscal/retenciones/export.csv?mes=2026-11')).status).toBe(200);
  });

  it('is a question for invoices without XML if the supplier’s regime requires withholding', async () => {
    const [known] = await store({ regimen: '626', isr: 12_500 });
    const { supplierId } = (await getInvoice(fresh.db, known!))!;
    const invoiceIds = [
      await addInvoice(fresh.db, { supplierId }),
      await addInvoice(fresh.db, { supplierId: await addSupplier(fresh.db, { rfc: 'FLE010203AB4' }) }),
    ];
    const { id } = await addBatch(fresh.db, { invoiceIds });
    const { lines } = await getBatch(fresh.db, id);
    const reasons = lines.flatMap(({ verdict }) =>
      verdict.findings.flatMap(({ code, reason }) => (code === 'retencion' ? reason : [])),
    );
    expect(reasons).toEqual([
      'Sin su XML no se ve qué retiene, y al régimen 626 del proveedor se le retiene RESICO 1.25 %.',
    ]);
  });

  it('is not expected if the receiver is a natural person', async () => {
    const own = 'GODE561231GR8';
    const [id] = await store({ regimen: '626', extraParts: { receptor: { Rfc: own, Nombre: 'Persona' } } });
    await pay(id!, 1_160_000);
    const month = await readWithholdingReport(fresh.db, monthPeriodOf('2026-11-01'), { rfc: own });
    expect(month).toMatchObject({ esperadoCents: 0, difieren: 0 });
  });

  it('knows the regime of a supplier by its latest CFDI', async () => {
    const [first, second] = await store(
      { regimen: '626' },
      { regimen: '612', extraParts: { root: { Fecha: '2026-09-01T09:00:00' } } },
    );
    const { supplierId } = await fresh.db
      .selectFrom('invoices')
      .select('supplierId')
      .where('id', '=', first!)
      .executeTakeFirstOrThrow();
    const client = await createTestApp({ db: fresh.db }).as(await addUser(fresh.db, { roles: [2] }));
    const regimenOf = async (id: number) =>
      (await (await client.get(`/api/suppliers/${id}`)).json()).regimenFiscal;
    expect(await regimenOf(supplierId)).toBe('626');
    await store({ n: 3, regimen: '612', extraParts: { root: { Fecha: '2026-08-01T09:00:00' } } });
    await deleteInvoice(fresh.db, actor, first!);
    await deleteInvoice(fresh.db, actor, second!);
    expect(await regimenOf(supplierId)).toBe('626');
    const { checks } = await checkDatabase(fresh.db, { deep: true });
    const problems = checks.flatMap((check) => check.problems);
    expect(problems.filter(({ entity }) => entity === 'suppliers')).toEqual([]);
    expect(await regimenOf(await addSupplier(fresh.db))).toBeNull();
    const { decodedHtml } = await readPage(await client.get(`/editsupplierpage/${supplierId}`));
    expect(decodedHtml.replace(/<!-- -->/g, '')).toContain('Régimen fiscal 626, según su último CFDI.');
  });
});
