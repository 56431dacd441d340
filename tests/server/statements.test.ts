import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SqliteConnection } from '../../db/sqlite-connection.ts';
import { createTestApp } from '../support/app.ts';
import { buildCfdi, bytesOf, uuidOfNumber } from '../support/cfdi.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { addFund } from '../support/petty-cash.ts';
import { addFundingSource, addInvoice, addJob, addSupplier, TODAY } from '../support/rows.ts';
import { addSmallCompany } from '../support/small-company.ts';

/** The statements of the session and the audit trail are included. */
const MOST = {
  'an invoice stored': 15,
  'a payment stored': 16,
  'an expense stored': 12,
  'a row of a catalog stored': 8,
  'a CFDI saved': 30,
  'a batch of twenty lines made': 27,
  'a batch of twenty lines signed': 34,
  'a batch of twenty lines sent': 30,
  'a batch of twenty lines paid': 40,
};

describe('a request that writes', () => {
  const fresh = useFreshDatabase('sqlite');

  it('takes few statements, whatever it writes', async () => {
    await addSmallCompany(fresh.db);
    const supplierId = await addSupplier(fresh.db);
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const jobId = await addJob(fresh.db);
    const origenderecursoId = await addFundingSource(fresh.db);
    const { id: fundId } = await addFund(fresh.db);
    const invoiceIds: number[] = [];
    for (let n = 0; n < 21; n++) invoiceIds.push(await addInvoice(fresh.db, { supplierId, jobId }));
    const [paidId, ...batchIds] = invoiceIds;
    const { as } = createTestApp({ db: fresh.db });
    const [client, approver] = [await as(6), await as(1)];
    const executed = vi.spyOn(SqliteConnection.prototype, 'executeQuery');
    onTestFinished(() => executed.mockRestore());
    const taken: Partial<Record<keyof typeof MOST, number>> = {};
    const count = async (act: keyof typeof MOST, request: Promise<Response>) => {
      executed.mockClear();
      const response = await request;
      taken[act] = executed.mock.calls.length;
      expect([200, 201, 303], act).toContain(response.status);
      return response;
    };

    const invoice = { supplierId, jobId, subtotal: 100, numfactura: 'Z-1', fechaemision: TODAY };
    await count('an invoice stored', client.post('/api/facturaproveedores/newfacturaproveedor', invoice));
    const payment = { facturaproveedorId: paidId, paymentamount: 1, origenderecursoId };
    await count('a payment stored', client.post('/api/payments/newpayment', payment));
    const expense = { concepto: 'Gasolina', comprobante: 'nota', importe: 30, fecha: TODAY };
    await count('an expense stored', client.post(`/api/cajachica/${fundId}/movimientos`, expense));
    await count('a row of a catalog stored', client.post('/api/rubros/newrubro', { nombrerubro: 'Arena' }));
    const cfdi = bytesOf(buildCfdi({ uuid: uuidOfNumber(900), root: { Folio: '900' } }));
    const sent = await client.files('/new-invoice/xml', { xml: ['900.xml', cfdi] });
    await count('a CFDI saved', client.form(sent.headers.get('location')!, { jobId }));
    const partidas = batchIds.map((facturaproveedorId) => ({ facturaproveedorId }));
    const batch = { fecha: TODAY, origenderecursoId, partidas };
    const made = await count('a batch of twenty lines made', client.post('/api/programaciones', batch));
    const { id, version } = (await made.json()) as { id: number; version: number };
    const path = `/api/programaciones/${id}`;
    await count('a batch of twenty lines signed', approver.post(`${path}/autorizar`, { version }));
    await count('a batch of twenty lines sent', approver.post(`${path}/enviar`));
    await count('a batch of twenty lines paid', approver.post(`${path}/pagar`));

    for (const [act, most] of Object.entries(MOST))
      expect(taken[act as keyof typeof MOST], act).toBeLessThanOrEqual(most);
  });
});
