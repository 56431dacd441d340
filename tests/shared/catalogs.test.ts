import { describe, expect, it } from 'vitest';
import { catalogOf, catalogs } from '../../shared/catalogs/all.ts';
import { catalogWarnings, checkCatalogRow, cleanCatalogDraft } from '../../shared/catalogs/rules.ts';

const suppliers = catalogOf('suppliers');
const jobs = catalogOf('jobs');
const supplier = { suppliername: 'Aceros Tepeyac', suppliercontactperson: 'Ana Ruiz' };
const job = { jobtitle: 'Torre Reforma', clientId: 1 };

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

describe('what a list requires, in the words of the specification', () => {
  it('a creation misses what was not sent, an edit leaves it as it is', () => {
    expect(checkCatalogRow(suppliers, {}, 'create')?.message).toBe('Fields can not be empty.');
    expect(checkCatalogRow(suppliers, { diascredito: 30 }, 'edit')).toBeUndefined();
    expect(checkCatalogRow(jobs, { ...job, clientId: null }, 'create')?.fields).toEqual({
      clientId: 'Falta este dato.',
    });
  });
});

describe('what the fields take', () => {
  it.each(['ana', 'ana@', '@b.mx', 'ana@b', 'a na@b.mx'])('%j is no e-mail', (text) => {
    const problem = checkCatalogRow(suppliers, { ...supplier, suppliercontactemail: text }, 'create');
    expect(problem).toEqual({
      message: 'Email is invalid.',
      fields: { suppliercontactemail: 'Email is invalid.' },
    });
  });

  it('a wrong check digit only warns, and the generic RFCs have none', () => {
    const warned = (rfc: string) => catalogWarnings(suppliers, { rfc }).length;
    expect(['GOMA850315H27', 'XEXX010101000', 'GOMA850315H21'].map(warned)).toEqual([0, 0, 1]);
  });

  it('credit days go from 0 to 365', () => {
    const check = (diascredito: number) =>
      checkCatalogRow(suppliers, { ...supplier, diascredito }, 'create')?.message;
    expect([0, 365].map(check)).toEqual([undefined, undefined]);
    expect([-1, 366, 1.5].map(check)).toEqual(
      Array.from({ length: 3 }, () => 'Días de crédito: debe estar entre 0 y 365.'),
    );
  });

  it('a job may not end before it starts, whichever of the dates is changed', () => {
    const message = 'La fecha de término no puede ser anterior a la fecha de inicio.';
    const dates = { jobstartdate: '2026-11-20', jobduedate: '2026-11-19' };
    expect(checkCatalogRow(jobs, { ...job, ...dates }, 'create')).toEqual({
      message,
      fields: { jobduedate: message },
    });
    expect(checkCatalogRow(jobs, { ...job, ...dates, jobduedate: '2026-11-20' }, 'create')).toBeUndefined();
    const stored = { ...job, jobstartdate: '2026-11-01', jobduedate: '2026-11-10' };
    expect(checkCatalogRow(jobs, { jobstartdate: '2026-11-11' }, 'edit', stored)?.message).toBe(message);
    expect(
      checkCatalogRow(jobs, { jobstartdate: '2026-11-11', jobduedate: null }, 'edit', stored),
    ).toBeUndefined();
  });

  it('what stands in the row already is not judged again', () => {
    const stored = { ...supplier, rfc: 'RFC-DE-UN-CFDI' };
    expect(
      checkCatalogRow(suppliers, { ...stored, suppliercontactphone: '55' }, 'edit', stored),
    ).toBeUndefined();
    expect(checkCatalogRow(suppliers, { rfc: 'OTRO' }, 'edit', stored)?.fields.rfc).toBeDefined();
  });

  it('every wrong field is named, the first one speaks', () => {
    const wrong = { ...supplier, suppliercontactphone: 'x', suppliercontactemail: 'x', rfc: 'x' };
    const problem = checkCatalogRow(suppliers, wrong, 'create');
    expect(Object.keys(problem!.fields)).toEqual(['suppliercontactphone', 'suppliercontactemail', 'rfc']);
    expect(problem!.message).toBe(problem!.fields.suppliercontactphone);
  });
});

describe('what is stored of a draft', () => {
  it('no RFC is null, no text is empty, and what is not sent is not there', () => {
    expect(cleanCatalogDraft(suppliers, { rfc: ' ', suppliercontactphone: null })).toEqual({
      rfc: null,
      suppliercontactphone: '',
    });
  });
});
