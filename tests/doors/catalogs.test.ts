import { expect } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { fieldsOf } from '../../server/formats/tables/fields.ts';
import { asCatalogDb, asCatalogTable } from '../../server/services/catalogs/reading.ts';
import { createRow, deleteRow, restoreRow, updateRow } from '../../server/services/catalogs/row-changes.ts';
import { rules, warningRules } from '../../server/services/catalogs/rules.ts';
import { type CatalogName, catalogOf, catalogs } from '../../shared/catalogs/all.ts';
import type { CatalogFieldValues } from '../../shared/catalogs/rules.ts';
import { parseMoney } from '../../shared/money.ts';
import { INVISIBLE_TEXT } from '../support/invisible.ts';
import { addClient, addSupplier, TODAY } from '../support/rows.ts';
import {
  type Clients,
  type Door,
  drive,
  refusals,
  responseOfApi,
  responseOfForm,
  signIn,
  TABLES,
  tableDoors,
  tableLines,
  UNKNOWN,
} from './doors.ts';

/** A draft as a user types it; a supplier unless it names another list. */
interface Typed {
  list?: CatalogName;
  name?: string;
  contact?: string;
  phone?: string;
  email?: string;
  rfc?: string;
  days?: string;
  client?: 'own' | 'unknown';
  about?: string;
  starts?: string;
  ends?: string;
  clabe?: string;
  balance?: string;
  balanceDay?: string;
  seen?: string;
}

/** Empty lists except for one client, and the users who write into them. */
interface Fixture extends Clients {
  list: CatalogName;
  clientId: number;
  id: number;
  otherId: number;
}

const CLIENT = 'Inmobiliaria Roble';
const RFC = 'EKU9003173C9';

async function open(db: Db): Promise<Fixture> {
  for (const { noun } of catalogs.toReversed())
    await asCatalogDb(db)
      .deleteFrom(asCatalogTable(catalogOf(noun)))
      .execute();
  return {
    ...(await signIn(db)),
    list: 'suppliers',
    clientId: await addClient(db, { clientname: CLIENT }),
    id: 0,
    otherId: 0,
  };
}

/** The lists' field names for the members of a draft. */
const NAMES: Record<keyof Typed, RegExp> = {
  list: /^$/,
  name: /^(suppliername|clientname|jobtitle|nombrerubro|origenderecursonombre)$/,
  contact: /contactperson$/,
  phone: /contactphone$/,
  email: /contactemail$/,
  rfc: /^rfc$/,
  days: /^diascredito$/,
  client: /^clientId$/,
  about: /desc/,
  starts: /startdate$/,
  ends: /duedate$/,
  clabe: /^clabe$/,
  balance: /^saldobanco$/,
  balanceDay: /^saldobancofecha$/,
  seen: /^$/,
};

/** Members by the list's field names; a client is given by its id. */
function membersOf({ list, clientId }: Fixture, draft: Typed): CatalogFieldValues {
  const stated = Object.entries({
    ...draft,
    client: draft.client && String(draft.client === 'own' ? clientId : UNKNOWN),
  });
  return Object.fromEntries(
    catalogOf(list).fields.map(({ name }) => [
      name,
      stated.find(([typed, value]) => value !== undefined && NAMES[typed as keyof Typed].test(name))?.[1],
    ]),
  );
}

/** Values as services take them: credit days and ids are numbers, missing dates null. */
const valuesOf = (fixture: Fixture, draft: Typed): CatalogFieldValues =>
  Object.fromEntries(
    Object.entries(membersOf(fixture, draft)).map(([name, value]) => {
      const { type, cents } = catalogOf(fixture.list).fields.find((field) => field.name === name)!;
      if (value === undefined) return [name, undefined];
      if (cents) return [cents, parseMoney(value, name)];
      return [
        name,
        type === 'ref' || type === 'whole' ? Number(value) : type === 'date' ? value || null : value,
      ];
    }),
  );

const inItsList = async (fixture: Fixture, { list = 'suppliers' }: Typed) => {
  fixture.list = list;
};

const form: Door<Fixture, Typed> = {
  hasNoCodes: true,
  arrange: inItsList,
  send: (fixture, draft) =>
    responseOfForm(
      fixture.browser,
      fixture.browser.form(
        catalogOf(fixture.list).paths.create,
        membersOf(fixture, draft) as Record<string, string>,
      ),
    ),
};

const api: Door<Fixture, Typed> = {
  arrange: inItsList,
  send: (fixture, draft) => {
    const { api: path, apiCreate } = catalogOf(fixture.list).paths;
    return responseOfApi(fixture.script.post(`${path}${apiCreate}`, membersOf(fixture, draft)));
  },
};

const LEAST: Record<CatalogName, Typed> = {
  suppliers: { name: 'Otro', contact: 'Eva' },
  clients: { name: 'Otro', contact: 'Eva' },
  jobs: { name: 'Otra', client: 'own' },
  rubros: { name: 'Otro' },
  'funding-sources': { name: 'Otro' },
};

const edit: Door<Fixture, Typed> = {
  async arrange(fixture, draft) {
    await inItsList(fixture, draft);
    const catalog = catalogOf(fixture.list);
    const { row } = await createRow(fixture.db, fixture.by, catalog, valuesOf(fixture, LEAST[fixture.list]));
    fixture.id = row.id;
  },
  send: (fixture, draft) =>
    responseOfApi(
      fixture.script.put(`${catalogOf(fixture.list).paths.api}/${fixture.id}`, {
        ...membersOf(fixture, draft),
        version: draft.seen,
      }),
    ),
};

const restore: Door<Fixture, Typed> = {
  async arrange(fixture, draft) {
    await inItsList(fixture, draft);
    const catalog = catalogOf(fixture.list);
    const { row } = await createRow(fixture.db, fixture.by, catalog, valuesOf(fixture, draft));
    fixture.id = row.id;
    await deleteRow(fixture.db, fixture.by, catalog, row.id);
  },
  send: (fixture) =>
    responseOfApi(fixture.script.post(`${catalogOf(fixture.list).paths.api}/${fixture.id}/restore`)),
};

const { table, preview } = tableDoors<Fixture, Typed>(
  ({ list }) => catalogOf(list).command,
  (fixture, draft) => {
    const { fields, command, required } = catalogOf(fixture.list);
    const cellsOf = (typed: Typed) => {
      const members = membersOf(fixture, { ...typed, client: undefined });
      return fields.map(({ name, ref }) => (ref ? typed.client && CLIENT : members[name]) ?? '');
    };
    const headings = fields.map(({ name, ref }) => (ref ? 'clientname' : name));
    const labels = headings.map((name) => fieldsOf(command).find((field) => field.name === name)!.label);
    const cells = cellsOf(draft);
    const isLacking = fields.some(({ name }, index) => required.includes(name) && cells[index] === '');
    const rows = isLacking ? [cellsOf(LEAST[fixture.list]), cells] : [cells];
    return tableLines(labels.join(), ...rows);
  },
  { arrange: inItsList },
);

const BY_NAME = 'it names a client by its name';
const NEW = ['form', 'api', ...TABLES] as const;
const OF_HAND = ['form', 'api', 'edit', ...TABLES] as const;

const UNO = { name: 'Uno', contact: 'Ana' } as const;
const TORRE = { list: 'jobs', name: 'Torre', client: 'own' } as const;

drive<Fixture, Typed>('catalogs', {
  rules: [...rules, ...warningRules].map(({ name }) => name),
  open,
  doors: { form, api, edit, restore, table, preview },
  read: ({ db, list }) =>
    asCatalogDb(db)
      .selectFrom(asCatalogTable(catalogOf(list)))
      .selectAll()
      .orderBy('id')
      .execute(),
  defaults: ({ list, clientId }) =>
    ({
      suppliers: {
        suppliername: 'Uno',
        suppliernameFold: 'uno',
        suppliercontactperson: 'Ana',
        suppliercontactpersonFold: 'ana',
        suppliercontactphone: '',
        suppliercontactemail: '',
        rfc: null,
        diascredito: 0,
      },
      clients: {
        clientname: 'Uno',
        clientnameFold: 'uno',
        clientcontactperson: 'Ana',
        clientcontactphone: '',
        clientcontactemail: '',
      },
      jobs: {
        clientId,
        jobtitle: 'Torre',
        jobtitleFold: 'torre',
        jobdescription: '',
        jobstartdate: null,
        jobduedate: null,
      },
      rubros: { nombrerubro: 'Acero', nombrerubroFold: 'acero', descripcionrubro: '' },
      'funding-sources': {
        origenderecursonombre: 'Banco',
        origenderecursonombreFold: 'banco',
        origenderecursodescripcion: '',
        clabe: null,
        saldobancoCents: null,
        saldobancofecha: null,
      },
    })[list],
  cases: {
    'a supplier': { draft: { name: 'Uno', contact: 'Ana' } },
    'a client': { draft: { list: 'clients', name: 'Uno', contact: 'Ana' } },
    'an obra': { draft: { list: 'jobs', name: 'Torre', client: 'own' } },
    'a rubro': { draft: { list: 'rubros', name: 'Acero' } },
    'a source': { draft: { list: 'funding-sources', name: 'Banco' } },
    'a supplier with every field, cleaned': {
      draft: {
        name: ' Áridos   del Norte ',
        contact: ' Ana  Ruiz',
        phone: '(55) 0000-1001 ext. 12',
        email: 'ana@aridos.example',
        rfc: 'eku-900317-3c9',
        days: '30',
      },
      stored: {
        suppliername: 'Áridos del Norte',
        suppliernameFold: 'aridos del norte',
        suppliercontactperson: 'Ana Ruiz',
        suppliercontactpersonFold: 'ana ruiz',
        suppliercontactphone: '(55) 0000-1001 ext. 12',
        suppliercontactemail: 'ana@aridos.example',
        rfc: RFC,
        diascredito: 30,
      },
    },
    'an obra with every field': {
      draft: { ...TORRE, about: ' a\nb ', starts: '2026-01-12', ends: '2026-01-12' },
      stored: { jobdescription: 'a\nb', jobstartdate: '2026-01-12', jobduedate: '2026-01-12' },
    },
    'a supplier with invisible characters in its texts': {
      draft: {
        name: `${INVISIBLE_TEXT}U${INVISIBLE_TEXT}no${INVISIBLE_TEXT}`,
        contact: `A${INVISIBLE_TEXT}na`,
        rfc: `EKU${INVISIBLE_TEXT}\u2011900317–3C9${INVISIBLE_TEXT}`,
      },
      stored: { rfc: RFC },
    },
    'an obra with invisible characters in its name': {
      draft: { ...TORRE, name: `Tor${INVISIBLE_TEXT}re` },
    },
    'a supplier on file under a name with invisible characters': {
      draft: { name: `Aceros${INVISIBLE_TEXT} del\u00a0Norte`, contact: 'Ana' },
      given: ({ db }) =>
        addSupplier(db, { suppliername: 'Aceros del Norte', suppliercontactperson: 'Ana', rfc: RFC }),
      stored: {
        ...{ suppliername: 'Aceros del Norte', suppliernameFold: 'aceros del norte' },
        suppliercontactphone: expect.any(String),
        suppliercontactemail: expect.any(String),
        rfc: RFC,
      },
      by: TABLES,
    },
    'a source with invisible characters in its account': {
      draft: {
        list: 'funding-sources',
        name: 'Ban\u200bco',
        clabe: `0121800\u200e0464305${INVISIBLE_TEXT}1249\ufeff`,
      },
      stored: { clabe: '012180004643051249' },
    },
    'a source with its account': {
      draft: { list: 'funding-sources', name: 'Banco', clabe: '012 180 0046 4305 1249' },
      stored: { clabe: '012180004643051249' },
    },
    'a source that is overdrawn at its bank': {
      draft: { list: 'funding-sources', name: 'Banco', balance: '-$1,250.50', balanceDay: TODAY },
      stored: { saldobancoCents: -125_050, saldobancofecha: TODAY },
    },
    ...refusals(NEW, {
      refuseInvalidFields: {
        'without a contact': [{ name: 'Uno', contact: '' }, 'Fields can not be empty.'],
        'without any field': [{ list: 'jobs', about: 'x' }, 'Se requiere el nombre de la obra y el cliente.'],
      },
    }),
    ...refusals(['edit'], {
      refuseInvalidFields: {
        'whose contact is removed': [{ contact: '' }, 'There are empty required fields.'],
      },
    }),
    ...refusals(OF_HAND, {
      refuseInvalidFields: {
        'with an invalid e-mail': [{ ...UNO, email: 'sin arroba' }, 'Email is invalid.'],
        'with a telephone without digits': [
          { ...UNO, phone: 'llamar' },
          'Teléfono: lleva al menos un dígito.',
        ],
        'with an invalid RFC': [
          { ...UNO, rfc: 'ABC123' },
          'El RFC no es válido: lleva 12 o 13 caracteres, como GOMA850315H27.',
        ],
        'with more credit days than a year has': [
          { ...UNO, days: '366' },
          'Días de crédito: debe estar entre 0 y 365.',
        ],
        'with an obra that ends before it starts': [
          { ...TORRE, starts: '2026-01-12', ends: '2026-01-11' },
          'La fecha de término no puede ser anterior a la fecha de inicio.',
        ],
        'with an invalid account': [
          { list: 'funding-sources', name: 'Banco', clabe: '1234' },
          'La CLABE lleva 18 dígitos; tiene 4.',
        ],
        'with a balance of no day': [
          { list: 'funding-sources', name: 'Banco', balance: '0' },
          'El saldo del banco lleva su fecha: captura los dos, o ninguno.',
        ],
        'with the day of no balance': [
          { list: 'funding-sources', name: 'Banco', balanceDay: TODAY },
          'El saldo del banco lleva su fecha: captura los dos, o ninguno.',
        ],
      },
      refuseFutureBalance: {
        'with the balance of tomorrow': [
          { list: 'funding-sources', name: 'Banco', balance: '1', balanceDay: '2026-11-21' },
          'Fecha del saldo: no puede ser posterior a hoy.',
        ],
      },
      refuseInvalidTexts: {
        'with a name that is too long': [
          { list: 'rubros', name: 'x'.repeat(201) },
          'Nombre: máximo 200 caracteres.',
        ],
        'with a description that is too long': [
          { list: 'rubros', name: 'Acero', about: 'x'.repeat(2001) },
          'Descripción: máximo 2000 caracteres.',
        ],
      },
    }),
    ...refusals(['form', 'api', 'edit'], {
      refuseUnknownReferences: {
        'with an unknown client': [
          { list: 'jobs', name: 'Torre', client: 'unknown' },
          `No existe el cliente ${UNKNOWN}.`,
        ],
      },
    }),
    'with a deleted client': {
      rule: 'refuseUnknownReferences',
      draft: { list: 'jobs', name: 'Torre', client: 'own' },
      given: ({ db, by, clientId }) => deleteRow(db, by, catalogOf('clients'), clientId),
      refused: ({ clientId }) => `No existe el cliente ${clientId}.`,
      notBy: { table: BY_NAME, preview: BY_NAME, edit: 'its row is of that client' },
    },
    'with the RFC of another one': {
      rule: 'refuseDuplicateRfc',
      draft: { ...UNO, rfc: RFC },
      given: ({ db }) => addSupplier(db, { suppliername: 'Aceros', rfc: RFC }),
      refused: `El RFC ${RFC} ya es de «Aceros».`,
      code: 'rfc_taken',
      inOtherWords: { table: /«Aceros».*es un conflicto \(Nombre/ },
    },
    'that is on file with other data': {
      rule: 'skipOrRefuseStored',
      draft: { list: 'rubros', name: 'ACERO', about: 'Malla' },
      given: (fixture) =>
        createRow(
          fixture.db,
          fixture.by,
          catalogOf('rubros'),
          valuesOf(fixture, { name: 'Acero', about: 'Varilla' }),
        ),
      refused: '',
      by: TABLES,
      inOtherWords: { table: /Varilla.*Malla/ },
    },
    'with a name that several rows have': {
      rule: 'skipOrRefuseStored',
      draft: { list: 'rubros', name: 'acero' },
      given: async (fixture) => {
        for (const name of ['Acero', 'ACERO'])
          await createRow(fixture.db, fixture.by, catalogOf('rubros'), valuesOf(fixture, { name }));
      },
      refused: '',
      by: TABLES,
      inOtherWords: { table: /Hay varios registros/ },
    },
    'that is on file with the same data': {
      draft: { list: 'rubros', name: 'ACERO' },
      given: (fixture) =>
        createRow(
          fixture.db,
          fixture.by,
          catalogOf('rubros'),
          valuesOf(fixture, { name: 'Acero', about: 'x' }),
        ),
      stored: { descripcionrubro: 'x' },
      by: TABLES,
    },
    'that an edit leaves unchanged': {
      rule: 'skipUnchanged',
      draft: { list: 'rubros', name: 'Otro', seen: '7' },
      stored: { nombrerubro: 'Otro', nombrerubroFold: 'otro' },
      by: ['edit'],
    },
    'that does not exist': {
      rule: 'refuseMissingRow',
      draft: { list: 'rubros', name: 'x' },
      given: async (fixture) => Object.assign(fixture, { id: UNKNOWN }),
      refused: `No existe el rubro ${UNKNOWN}.`,
      code: 'not_found',
      by: ['edit'],
    },
    'that somebody else has changed meanwhile': {
      rule: 'refuseStaleVersion',
      draft: { list: 'rubros', name: 'x', seen: '1' },
      given: (fixture) =>
        updateRow(fixture.db, fixture.by, catalogOf('rubros'), fixture.id, valuesOf(fixture, { about: 'y' })),
      refused: 'Otra persona guardó este registro mientras lo editabas.',
      code: 'stale',
      by: ['edit'],
    },
    'that is restored, although it exists again': {
      rule: 'refuseNotDeleted',
      draft: { list: 'rubros', name: 'Acero' },
      given: ({ db, by, id }) => restoreRow(db, by, catalogOf('rubros'), id),
      refused: ({ id }) => `No está eliminado el rubro ${id}.`,
      code: 'not_deleted',
      by: ['restore'],
    },
    'with an RFC whose check digit is wrong': {
      rule: 'warnOfUnusualRfc',
      draft: { ...UNO, rfc: 'ACE010203AB1' },
      stored: { rfc: 'ACE010203AB1' },
      warns: () => ['El dígito verificador del RFC ACE010203AB1 no corresponde.'],
      notBy: { restore: 'it answers the row alone' },
    },
    'with a generic RFC and almost the name of another one': {
      rule: 'warnOfSimilarName',
      draft: { name: 'Uno.', contact: 'Ana', phone: '55 1', rfc: 'XEXX010101000' },
      given: ({ db }) => addSupplier(db, { suppliername: 'Uno', rfc: 'XEXX010101000' }),
      stored: {
        suppliername: 'Uno.',
        suppliernameFold: 'uno.',
        suppliercontactphone: '55 1',
        rfc: 'XEXX010101000',
      },
      warns: () => ['Se llama casi como «Uno», y su RFC genérico no lo identifica: se da de alta aparte.'],
      by: TABLES,
    },
  },
});
