import { describe, expect, it } from 'vitest';
import { catalogOf, catalogs } from '../../shared/catalogs/all.ts';
import { catalogWarnings, checkCatalogRow, cleanCatalogDraft } from '../../shared/catalogs/rules.ts';
import { DomainError } from '../../shared/errors.ts';

const suppliers = catalogOf('suppliers');
const clients = catalogOf('clients');
const jobs = catalogOf('jobs');
const rubros = catalogOf('rubros');
const fundingSources = catalogOf('funding-sources');

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
  it.each([
    [suppliers, 'create', 'Fields can not be empty.'],
    [suppliers, 'edit', 'There are empty required fields.'],
    [clients, 'create', 'Fields can not be empty.'],
    [clients, 'edit', 'There are empty required fields.'],
    [jobs, 'create', 'Se requiere el nombre de la obra y el cliente.'],
    [jobs, 'edit', 'There are empty required fields.'],
    [rubros, 'create', 'Se requiere el nombre del rubo.'],
    [rubros, 'edit', 'Se requiere un nombre para el rubro.'],
    [fundingSources, 'create', 'Se requiere el nombre del origen de recurso.'],
    [fundingSources, 'edit', 'Se requiere un nombre para el origen de recurso.'],
  ] as const)('$0.noun on $1: $2', (catalog, step, message) => {
    const empty = Object.fromEntries(catalog.required.map((name) => [name, '  ']));
    const problem = checkCatalogRow(catalog, empty, step);
    expect(problem?.message).toBe(message);
    expect(Object.keys(problem?.fields ?? {})).toEqual(catalog.required);
  });

  it('a creation misses what was not sent, an edit leaves it as it is', () => {
    expect(checkCatalogRow(suppliers, {}, 'create')?.message).toBe('Fields can not be empty.');
    expect(checkCatalogRow(suppliers, { diascredito: 30 }, 'edit')).toBeUndefined();
  });

  it('a job without a client names the client alone', () => {
    const problem = checkCatalogRow(jobs, { jobtitle: 'Torre', clientId: null }, 'create');
    expect(problem?.fields).toEqual({ clientId: 'Falta este dato.' });
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

  it('an e-mail may be missing', () => {
    expect(
      checkCatalogRow(
        clients,
        { clientname: 'A', clientcontactperson: 'B', clientcontactemail: '' },
        'create',
      ),
    ).toBeUndefined();
  });

  it('a phone has a digit somewhere', () => {
    const check = (phone: string) =>
      checkCatalogRow(suppliers, { ...supplier, suppliercontactphone: phone }, 'create')?.message;
    expect(check('(55) 0000-1001 ext. 12')).toBeUndefined();
    expect(check('no tiene')).toBe('Teléfono: lleva al menos un dígito.');
  });

  it.each([
    ['ACE010203AB1', true],
    ['GOMA850315H27', true],
    ['ÑAÑ010203AB1', true],
    ['A&B010203AB1', true],
    ['XAXX010101000', true],
    ['XEXX010101000', true],
    ['ACE011303AB1', false],
    ['ACE01020AB1', false],
    ['12E010203AB1', false],
  ])('the RFC %s: well-formed %s', (rfc, isTaken) => {
    const problem = checkCatalogRow(suppliers, { ...supplier, rfc }, 'create');
    expect(problem?.fields.rfc === undefined).toBe(isTaken);
  });

  it('a wrong check digit only warns, and the generic RFCs have none', () => {
    expect(catalogWarnings(suppliers, { rfc: 'GOMA850315H27' })).toEqual([]);
    expect(catalogWarnings(suppliers, { rfc: 'XAXX010101000' })).toEqual([]);
    expect(catalogWarnings(suppliers, { rfc: 'GOMA850315H21' })).toEqual([
      'El dígito verificador del RFC GOMA850315H21 no corresponde.',
    ]);
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
  it('names on one line, an RFC in capitals, folded copies beside them', () => {
    const draft = {
      suppliername: '  Peña \n Nieto ',
      suppliercontactperson: 'Ángela',
      rfc: ' goma-850315-h27 ',
    };
    expect(cleanCatalogDraft(suppliers, draft)).toEqual({
      suppliername: 'Peña Nieto',
      suppliernameFold: 'pena nieto',
      suppliercontactperson: 'Ángela',
      suppliercontactpersonFold: 'angela',
      rfc: 'GOMA850315H27',
    });
  });

  it('no RFC is null, no text is empty, and what is not sent is not there', () => {
    expect(cleanCatalogDraft(suppliers, { rfc: ' ', suppliercontactphone: null })).toEqual({
      rfc: null,
      suppliercontactphone: '',
    });
  });

  it('a description keeps its lines', () => {
    expect(cleanCatalogDraft(rubros, { descripcionrubro: 'uno\r\ndos ' })).toEqual({
      descripcionrubro: 'uno\ndos',
    });
  });

  it('text that is too long, or hides control characters, is refused with its field', () => {
    const refusal = (value: string) => {
      try {
        cleanCatalogDraft(suppliers, { suppliercontactphone: value });
      } catch (error) {
        return error instanceof DomainError ? error.fields : error;
      }
    };
    expect(refusal('5'.repeat(40))).toBeUndefined();
    expect(refusal('5'.repeat(41))).toEqual({ suppliercontactphone: 'Teléfono: máximo 40 caracteres.' });
    expect(refusal('55\u0000')).toEqual({
      suppliercontactphone: 'Teléfono: tiene caracteres no permitidos.',
    });
  });
});
