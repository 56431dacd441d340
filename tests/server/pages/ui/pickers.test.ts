import { expect, it } from 'vitest';
import type { PickerSpec } from '../../../../islands/pickers/picker.ts';
import {
  catalogPicker,
  invoicePicker,
  pickerWithoutCreation,
  readFilterPicker,
} from '../../../../server/pages/ui/pickers.ts';
import { catalogs } from '../../../../shared/catalogs/all.ts';
import { jobs } from '../../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../../shared/catalogs/suppliers.ts';
import { createTestApp } from '../../../support/app.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addClient } from '../../../support/rows.ts';

describeOneDatabase('the creation form of a picker', (fresh) => {
  it.each(catalogs)('$noun: the API accepts what the form sends', async (catalog) => {
    const { create } = catalogPicker(catalog);
    expect([create?.title, create?.page]).toEqual([catalog.texts.create, catalog.paths.create]);
    const form = create!.form!;
    const clientId = String(await addClient(fresh.db));
    const values = Object.fromEntries(
      form.fields
        .filter(({ required }) => required)
        .map(({ name, picker }) => [name, picker ? clientId : 'x']),
    );
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const refused = await browser.post(form.url, {});
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ message: catalog.texts.requiredOnCreate });
    const created = await browser.post(form.url, values);
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ [catalog.nameField]: 'x', warnings: [] });
  });

  it('states for each field what its control needs, and nothing about how it is stored', () => {
    const fields = catalogPicker(suppliers).create!.form!.fields;
    expect(fields.map(({ name, label, required = false }) => [name, label, required])).toEqual([
      ['suppliername', 'Nombre', true],
      ['suppliercontactperson', 'Contacto', true],
      ['suppliercontactphone', 'Teléfono', false],
      ['suppliercontactemail', 'Correo', false],
      ['rfc', 'RFC', false],
      ['diascredito', 'Días de crédito', false],
    ]);
    expect(JSON.stringify(fields)).not.toMatch(/Fold|alias|referredBy/);
  });

  it('contains, for an obra, the picker of clients with its own form', () => {
    const [client] = catalogPicker(jobs).create!.form!.fields;
    expect(client?.picker?.title).toBe('Seleccionar cliente');
    expect(client?.picker?.create?.title).toBe('Nuevo cliente');
  });

  it('is, for an invoice, a separate screen, and for a filter nothing', async () => {
    expect(invoicePicker().create).toEqual({ title: 'Nueva factura', page: '/new-invoice' });
    expect(pickerWithoutCreation(suppliers).create).toBeUndefined();
    const filter = {
      kind: 'ref',
      name: 'supplierId',
      label: 'Proveedor',
      all: 'Todos',
      catalog: suppliers,
    } as const;
    const field = (await readFilterPicker(fresh.db, filter, null)) as { picker: PickerSpec };
    expect(field.picker.create).toBeUndefined();
  });
});
