import { expect, it } from 'vitest';
import { readTable } from '../../../../server/formats/reading/read-table.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { getInvoice } from '../../../../server/services/invoices/reading.ts';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeEachInLong } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { importRows } from '../../../support/table-rows.ts';

const LONG = 'C'.repeat(61);

describeEachInLong("an invoice's contract or purchase order", (fresh) => {
  const staff = () => createTestApp({ db: fresh.db }).as(2);
  const lists = async () => ({
    supplierId: await addSupplier(fresh.db, { suppliername: 'Aceros' }),
    jobId: await addJob(fresh.db, { jobtitle: 'Torre' }),
  });
  const stored = async (id: number) => (await getInvoice(fresh.db, id)).contrato;

  it('is kept as it is typed in the form, shown there again, and changed', async () => {
    const client = await staff();
    const ids = await lists();
    const form = {
      supplierId: String(ids.supplierId),
      jobId: String(ids.jobId),
      subtotal: '100',
      tasa: '16',
    };
    expect((await client.form('/new-invoice', { ...form, contrato: ' OC-1045/B ' })).status).toBe(303);
    const { id } = await fresh.db.selectFrom('invoices').select('id').executeTakeFirstOrThrow();
    expect(await stored(id)).toBe('OC-1045/B');
    const page = await readPage(client.get(`/editinvoicepage/${id}`));
    expect(page.value('contrato')).toBe('OC-1045/B');
    const change = { ...form, contrato: 'OC-1046', version: page.value('version') };
    expect((await client.form(`/editinvoicepage/${id}`, change)).status).toBe(303);
    expect(await stored(id)).toBe('OC-1046');
  });

  it('is a member of the API, of at most 60 characters', async () => {
    const client = await staff();
    const path = '/api/facturaproveedores/newfacturaproveedor';
    const draft = { ...(await lists()), subtotal: 100, contrato: 'CT-7' };
    const { id, contrato, version } = await (await client.post(path, draft)).json();
    expect(contrato).toBe('CT-7');
    const refused = await client.post(path, { ...draft, contrato: LONG });
    expect([refused.status, (await refused.json()).fields]).toEqual([422, { contrato: expect.any(String) }]);
    const changed = await client.put(`/api/facturaproveedores/${id}`, { comments: 'x', version });
    expect((await changed.json()).contrato, 'what was not sent stays').toBe('CT-7');
    const emptied = await client.put(`/api/facturaproveedores/${id}`, { contrato: '' });
    expect((await emptied.json()).contrato).toBe('');
  });

  it('narrows list, API and files by any part of it, case and accents aside', async () => {
    const client = await staff();
    const ids = await lists();
    const named = async (numfactura: string, contrato: string) => {
      const id = await addInvoice(fresh.db, { ...ids, numfactura });
      await client.put(`/api/facturaproveedores/${id}`, { contrato });
    };
    await named('A-1', 'Orden Niño 45');
    await named('A-2', 'OC 100%');
    await named('A-3', '');
    const found = async (part: string) => {
      const query = `contrato=${encodeURIComponent(part)}`;
      const rows = await (await client.get(`/api/facturaproveedores/search/?${query}`)).json();
      const page = await readPage(client.get(`/invoices?${query}`));
      const csv = await (await client.get(`/invoices/export.csv?${query}`)).text();
      const numbers = (rows as { numfactura: string }[]).map(({ numfactura }) => numfactura);
      for (const number of ['A-1', 'A-2', 'A-3']) {
        expect(page.html.includes(`>${number}<`), `${number} on the page`).toBe(numbers.includes(number));
        expect(csv.includes(number), `${number} in the file`).toBe(numbers.includes(number));
      }
      return numbers;
    };
    expect(await found('NINO')).toEqual(['A-1']);
    expect(await found('0%')).toEqual(['A-2']);
    expect(await found('o')).toEqual(['A-1', 'A-2']);
    expect(await found('nada')).toEqual([]);
  });

  it('comes back from a file of the list as it was', async () => {
    const client = await staff();
    const id = await addInvoice(fresh.db, { ...(await lists()), numfactura: 'A-1' });
    await client.put(`/api/facturaproveedores/${id}`, { contrato: '00045-X' });
    for (const format of ['csv', 'xlsx']) {
      const answer = await client.get(`/invoices/export.${format}`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const { header, rows } = await readTable({ bytes, filename: `facturas.${format}` });
      const at = header.names.indexOf('Contrato');
      expect(rows.slice(0, 1)[0]?.cells[at], format).toBe('00045-X');
    }
    const row = { suppliername: 'Aceros', jobtitle: 'Torre', numfactura: 'A-9', subtotal: '10' };
    const actor = await addActor(fresh.db);
    expect(await importRows(fresh.db, actor, 'invoices', [{ ...row, contrato: 'OC-3' }])).toMatchObject({
      created: 1,
      refused: [],
    });
    const newest = fresh.db.selectFrom('invoices').select('id').orderBy('id', 'desc').limit(1);
    expect(await stored((await newest.executeTakeFirstOrThrow()).id)).toBe('OC-3');
    const other = await importRows(fresh.db, actor, 'invoices', [{ ...row, contrato: 'OC-4' }]);
    expect(other.refused[0]?.reason, 'another contract is a conflict').toContain('OC-3');
  });

  it('is searched by an index that the check of the database knows', async () => {
    const client = await createTestApp({ db: fresh.db }).as([1, 3]);
    const id = await addInvoice(fresh.db, await lists());
    await client.put(`/api/facturaproveedores/${id}`, { contrato: 'OC-77' });
    const faults = async () => (await checkDatabase(fresh.db)).checks.flatMap(({ problems }) => problems);
    expect(await faults()).toEqual([]);
    await fresh.db.updateTable('invoices').set({ contratoFold: 'oc-78' }).where('id', '=', id).execute();
    expect(JSON.stringify(await faults())).toContain('contratoFold');
  });
});
