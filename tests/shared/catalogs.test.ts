import { describe, expect, it } from 'vitest';
import { catalogOf, catalogs } from '../../shared/catalogs/all.ts';
import { checkCatalogRow } from '../../shared/catalogs/rules.ts';

const suppliers = catalogOf('suppliers');
const supplier = { suppliername: 'Aceros Tepeyac', suppliercontactperson: 'Ana Ruiz' };

describe('a definition', () => {
  it('names lists, fields and places that there are, each once', () => {
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

describe('what the fields take', () => {
  it('what stands in the row already is not judged again', () => {
    const stored = { ...supplier, rfc: 'RFC-DE-UN-CFDI' };
    expect(
      checkCatalogRow(suppliers, { ...stored, suppliercontactphone: '55' }, 'edit', stored),
    ).toBeUndefined();
    expect(checkCatalogRow(suppliers, { rfc: 'OTRO' }, 'edit', stored)?.fields.rfc).toBeDefined();
  });

  it('an obra does not end before it starts, whichever of the days is changed', () => {
    const stored = { jobtitle: 'Torre', clientId: 1, jobstartdate: '2026-11-01', jobduedate: '2026-11-10' };
    const wrong = (part: Record<string, string | null>) =>
      checkCatalogRow(catalogOf('jobs'), part, 'edit', stored)?.fields;
    const jobduedate = 'La fecha de término no puede ser anterior a la fecha de inicio.';
    expect(wrong({ jobstartdate: '2026-11-11' })).toEqual({ jobduedate });
    expect(wrong({ jobduedate: '2026-10-31' })).toEqual({ jobduedate });
    expect(wrong({ jobstartdate: '2026-11-11', jobduedate: null })).toBeUndefined();
    expect(wrong({ jobstartdate: '2026-11-10' })).toBeUndefined();
  });

  it('every wrong field is named, the first one speaks', () => {
    const wrong = { ...supplier, suppliercontactphone: 'x', suppliercontactemail: 'x', rfc: 'x' };
    const problem = checkCatalogRow(suppliers, wrong, 'create');
    expect(Object.keys(problem!.fields)).toEqual(['suppliercontactphone', 'suppliercontactemail', 'rfc']);
    expect(problem!.message).toBe(problem!.fields.suppliercontactphone);
  });
});
