import { describe, expect, it } from 'vitest';
import { catalogOf, catalogs } from '../../shared/catalogs/all.ts';
import { checkCatalogRow } from '../../shared/catalogs/rules.ts';

const suppliers = catalogOf('suppliers');
const supplier = { suppliername: 'Aceros Tepeyac', suppliercontactperson: 'Ana Ruiz' };

describe('the definition of a catalog', () => {
  it('names lists, fields and places that exist, each once', () => {
    for (const {
      noun,
      fields,
      columns,
      required,
      nameField,
      import: { order = [] },
    } of catalogs) {
      const names = fields.map(({ name }) => name);
      const named = [...required, nameField, ...order, ...columns];
      expect([noun, named.filter((name) => name !== 'id' && !names.includes(name))]).toEqual([noun, []]);
      expect([noun, order.length || names.length]).toEqual([noun, names.length]);
      for (const { ref } of fields) if (ref) expect(catalogOf(ref)?.noun, noun).toBe(ref);
    }
    for (const key of ['noun', 'command', 'table', 'help', 'nameField'] as const)
      expect(new Set(catalogs.map((catalog) => catalog[key])).size, key).toBe(catalogs.length);
    expect(new Set(catalogs.map(({ menu }) => menu.place)).size).toBe(catalogs.length);
  });
});

describe('the fields of a catalog', () => {
  it('do not validate again what the row already contains', () => {
    const stored = { ...supplier, rfc: 'RFC-DE-UN-CFDI' };
    expect(
      checkCatalogRow(suppliers, { ...stored, suppliercontactphone: '55' }, 'edit', stored),
    ).toBeUndefined();
    expect(checkCatalogRow(suppliers, { rfc: 'OTRO' }, 'edit', stored)?.fields.rfc).toBeDefined();
  });

  it('refuse an obra that ends before it starts, whichever day is changed', () => {
    const stored = { jobtitle: 'Torre', clientId: 1, jobstartdate: '2026-11-01', jobduedate: '2026-11-10' };
    const wrong = (part: Record<string, string | null>) =>
      checkCatalogRow(catalogOf('jobs'), part, 'edit', stored)?.fields;
    const jobduedate = 'La fecha de término no puede ser anterior a la fecha de inicio.';
    expect(wrong({ jobstartdate: '2026-11-11' })).toEqual({ jobduedate });
    expect(wrong({ jobduedate: '2026-10-31' })).toEqual({ jobduedate });
    expect(wrong({ jobstartdate: '2026-11-11', jobduedate: null })).toBeUndefined();
    expect(wrong({ jobstartdate: '2026-11-10' })).toBeUndefined();
  });

  it('name every wrong field, and the message is that of the first', () => {
    const wrong = { ...supplier, suppliercontactphone: 'x', suppliercontactemail: 'x', rfc: 'x' };
    const problem = checkCatalogRow(suppliers, wrong, 'create');
    expect(Object.keys(problem!.fields)).toEqual(['suppliercontactphone', 'suppliercontactemail', 'rfc']);
    expect(problem!.message).toBe(problem!.fields.suppliercontactphone);
  });
});
