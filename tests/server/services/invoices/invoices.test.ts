import { expect, it } from 'vitest';
import { createInvoice, unlinkCfdi, updateInvoice } from '../../../../server/services/invoices/invoices.ts';
import { searchInvoices } from '../../../../server/services/invoices/reading.ts';
import { sumInvoices } from '../../../../server/services/invoices/sums.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import type { InvoiceFieldValues } from '../../../../shared/invoices.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addActor, addInvoice, addJob, addPayment, addSupplier, TODAY } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

const STATUSES = ['pendiente', 'parcial', 'pagada', 'vencida', 'sin-vencimiento'] as const;
const day = { today: TODAY, timeZone: 'America/Mexico_City' };

describeEachDatabase('invoices', (fresh) => {
  const draft = async (more: InvoiceFieldValues = {}): Promise<InvoiceFieldValues> => ({
    supplierId: await addSupplier(fresh.db, { suppliername: 'Aceros del Bajío' }),
    jobId: await addJob(fresh.db, { jobtitle: 'Torre Roble' }),
    numfactura: 'A-1',
    subtotalCents: 100_000,
    ...more,
  });

  it('any number of invoices without a number is accepted', async () => {
    const actor = await addActor(fresh.db);
    const one = await draft({ numfactura: '' });
    await createInvoice(fresh.db, actor, one);
    await createInvoice(fresh.db, actor, { ...one, numfactura: ' - ' });
    expect(await sumInvoices(fresh.db, {}, day)).toMatchObject({ count: 2 });
  });

  it('an invoice without a number is called by its id, with a remark that this is no number', async () => {
    const actor = await addActor(fresh.db);
    const one = await draft({ numfactura: '', fechaemision: '2026-11-01' });
    const { invoice } = await createInvoice(fresh.db, actor, one);
    expect((await createInvoice(fresh.db, actor, one)).warnings).toEqual([
      `Se parece a la factura sin número (id ${invoice.id}) del domingo 1 de noviembre de 2026: mismo proveedor y total.`,
    ]);
  });

  it('number, dates and comments can be corrected when the invoice is fully paid', async () => {
    const actor = await addActor(fresh.db);
    const { invoice } = await createInvoice(fresh.db, actor, await draft());
    await createPayment(fresh.db, actor, { facturaproveedorId: invoice.id, amountCents: 116_000 });
    const same = { subtotalCents: 100_000, ivaCents: 16_000, totalCents: 116_000, tasa: 160_000 };
    const saved = await updateInvoice(fresh.db, actor, invoice.id, {
      ...same,
      numfactura: 'A-2',
      comments: 'corregida',
    });
    expect(saved.invoice).toMatchObject({ numfactura: 'A-2', comments: 'corregida', version: 2 });
  });

  it('a change without a rate uses the stored one, or the one that results from the tax', async () => {
    const actor = await addActor(fresh.db);
    const { invoice } = await createInvoice(fresh.db, actor, await draft());
    const change = (more: InvoiceFieldValues) => updateInvoice(fresh.db, actor, invoice.id, more);
    expect((await change({ subtotalCents: 200_000, ivaCents: 32_000 })).invoice.tasa).toBe(160_000);
    expect((await change({ ivaCents: 16_000, totalCents: 216_000 })).invoice.tasa).toBe(80_000);
    await expect(change({ subtotalCents: 100_000_000, ivaCents: 1 })).rejects.toThrow(
      'El IVA no corresponde',
    );
  });

  it('the audit trail keeps what the CFDI said when it is unlinked', async () => {
    const actor = await addActor(fresh.db);
    const id = await addInvoice(fresh.db, { uuid: '6D7434A6-E3F2-47AD-9E4C-08849946AFA0' });
    const document = { invoiceId: id, version: '4.0', moneda: 'USD', tipocambio: '17.5', detail: '{}' };
    await fresh.db.insertInto('cfdi_documents').values(document).execute();
    await unlinkCfdi(fresh.db, actor, id);
    const { before } = await fresh.db.selectFrom('audit').select('before').executeTakeFirstOrThrow();
    expect(JSON.parse(before!)).toMatchObject({ document });
    const row = await readRow(fresh.db, 'invoices', {}, ['uuid', 'formerUuid']);
    expect(row).toEqual({ uuid: null, formerUuid: '6D7434A6-E3F2-47AD-9E4C-08849946AFA0' });
  });

  it('a look-alike causes a warning even if only its date comes close', async () => {
    const actor = await addActor(fresh.db);
    const one = await draft({ fechaemision: '2026-11-01' });
    await createInvoice(fresh.db, actor, one);
    const far = { ...one, numfactura: 'B', fechaemision: '2026-10-21' };
    const { invoice, warnings } = await createInvoice(fresh.db, actor, far);
    expect(warnings).toEqual([]);
    const near = await updateInvoice(fresh.db, actor, invoice.id, { fechaemision: '2026-10-22' });
    expect(near.warnings).toHaveLength(1);
  });

  it('lists and sums have the same invoices under every filter, page by page', async () => {
    const actor = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, {});
    const jobId = await addJob(fresh.db, {});
    const dues = [null, '2026-11-19', '2026-11-20', '2026-11-21', null, '2026-11-21', '2026-11-21'];
    for (const [index, fechavencimiento] of dues.entries()) {
      const id = await addInvoice(fresh.db, {
        ...(index % 2 ? { supplierId } : { jobId }),
        numfactura: `Ñ_${index}%`,
        contrato: index < 2 ? `Orden Niño ${index}` : '',
        fechaemision: `2026-11-0${index + 1}`,
        fechavencimiento,
      });
      if (index > 2) {
        const amountCents = index === 6 ? 116_000 : 100 * index;
        await addPayment(fresh.db, {
          facturaproveedorId: id,
          amountCents,
          userId: actor.userId,
          paymentdate: '2026-11-10',
        });
      }
    }
    const filters = [
      {},
      { supplierId },
      { jobId },
      { numfactura: 'ñ_' },
      { numfactura: '_3%' },
      { numfactura: 'n_' },
      { numfactura: '%%' },
      { contrato: 'NINO' },
      { fechaemisionDesde: '2026-11-02', fechaemisionHasta: '2026-11-04' },
      { fechavencimientoDesde: '2026-11-20', fechavencimientoHasta: '2026-11-20' },
      { venceDesde: '2026-11-19', venceHasta: '2026-11-21', status: 'por-pagar' },
      { corte: '2026-11-05' },
      { corte: '2026-11-10', status: 'parcial' },
      ...STATUSES.map((status) => ({ status })),
    ] as const;
    for (const filter of filters) {
      const totals = await sumInvoices(fresh.db, filter, day);
      for (const sort of ['id', 'fechavencimiento', 'total'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          const ids: number[] = [];
          let [totalCents, paidCents] = [0, 0];
          const asked = { ...filter, sort, direction, limit: 2 };
          for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
            const page = await searchInvoices(fresh.db, { ...asked, cursor }, day);
            for (const invoice of page.rows) {
              ids.push(invoice.id);
              totalCents += invoice.totalCents;
              paidCents += invoice.paidCents;
            }
            cursor = page.cursor;
          }
          expect(new Set(ids).size, JSON.stringify({ filter, sort, direction })).toBe(ids.length);
          expect(totals).toMatchObject({ count: ids.length, totalCents, paidCents });
        }
      }
    }
    expect((await sumInvoices(fresh.db, { numfactura: '_3%' }, day)).count).toBe(1);
    expect((await sumInvoices(fresh.db, { numfactura: '%%' }, day)).count).toBe(0);
    expect((await sumInvoices(fresh.db, { contrato: 'nino 1' }, day)).count).toBe(1);
    expect(await sumInvoices(fresh.db, { corte: '2026-11-05' }, day)).toMatchObject({
      count: 5,
      paidCents: 0,
    });
    const counts = await Promise.all(
      STATUSES.map(async (status) => (await sumInvoices(fresh.db, { status }, day)).count),
    );
    // Invoices without a due date are overdue by their estimated one.
    expect(counts).toEqual([1, 2, 1, 3, 2]);
  });
});
