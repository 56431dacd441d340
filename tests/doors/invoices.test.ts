import { expect } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { saveBudgetOfJob } from '../../server/services/budgets/write.ts';
import { applyCredit } from '../../server/services/credit-notes/write.ts';
import { importCfdi } from '../../server/services/documents/import.ts';
import {
  createInvoice,
  deleteInvoice,
  restoreInvoice,
  unlinkCfdi,
  updateInvoice,
} from '../../server/services/invoices/invoices.ts';
import { rules, warningRules } from '../../server/services/invoices/rules.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { invoiceTexts } from '../../shared/invoices.ts';
import { parseMoney, parseRate } from '../../shared/money.ts';
import { pages } from '../../shared/urls.ts';
import { buildCfdi, bytesOf } from '../support/cfdi.ts';
import { setClosingDate } from '../support/dated-rows.ts';
import { addFund } from '../support/petty-cash.ts';
import { cfdiInWords } from '../support/remarks.ts';
import { LATER_UUID, replaceDocument } from '../support/replacing.ts';
import { addCreditNote, addInvoice, addJob, addRubro, addSupplier, TODAY } from '../support/rows.ts';
import { readRows } from '../support/stored.ts';
import {
  type Clients,
  type Door,
  type DoorResponse,
  drive,
  idOf,
  refusals,
  responseOfApi,
  responseOfForm,
  signIn,
  TABLES,
  tableDoors,
  tableLines,
  UNKNOWN,
} from './doors.ts';

interface Typed {
  supplier?: 'none' | 'unknown';
  job?: 'none' | 'unknown';
  rubro?: 'own' | 'unknown';
  number?: string;
  contract?: string;
  issued?: string;
  received?: string;
  due?: string;
  subtotal?: string;
  rate?: string;
  iva?: string;
  others?: string;
  withheld?: string;
  total?: string;
  comments?: string;
  uuid?: 'own';
  again?: true;
  seen?: string;
}

/** A supplier and an obra without invoices. */
interface Fixture extends Clients {
  supplierId: number;
  suppliername: string;
  rfc: string;
  jobId: number;
  jobtitle: string;
  rubroId: number;
  nombrerubro: string;
  uuid: string;
  invoiceId: number;
  otherId: number;
}

let count = 0;

async function open(db: Db): Promise<Fixture> {
  count += 1;
  await setClosingDate(db, '');
  const [suppliername, jobtitle, nombrerubro] = [`Aceros ${count}`, `Torre ${count}`, `Acero ${count}`];
  const rfc = `EKU900317${count.toString(36).toUpperCase().padStart(2, '0')}9`;
  return {
    ...(await signIn(db, 2)),
    supplierId: await addSupplier(db, { suppliername, rfc, diascredito: 30 }),
    suppliername,
    rfc,
    jobId: await addJob(db, { jobtitle }),
    jobtitle,
    rubroId: await addRubro(db, { nombrerubro }),
    nombrerubro,
    uuid: `AAAAAAAA-1111-4222-8333-${String(count).padStart(12, '0')}`,
    invoiceId: 0,
    otherId: 0,
  };
}

const membersOf = (fixture: Fixture, draft: Typed) => ({
  supplierId: draft.supplier === 'none' ? '' : idOf(draft.supplier ?? 'own', fixture.supplierId),
  jobId: draft.job === 'none' ? '' : idOf(draft.job ?? 'own', fixture.jobId),
  rubroId: idOf(draft.rubro, fixture.rubroId),
  numfactura: draft.number,
  contrato: draft.contract,
  fechaemision: draft.issued,
  fecharecepcion: draft.received,
  fechavencimiento: draft.due,
  subtotal: draft.subtotal,
  tasa: draft.rate,
  iva: draft.iva,
  otrosimpuestos: draft.others,
  retenciones: draft.withheld,
  total: draft.total,
  comments: draft.comments,
  allowDuplicate: draft.again && 'true',
});

const centsOf = (fixture: Fixture, draft: Typed) => ({
  supplierId: fixture.supplierId,
  jobId: fixture.jobId,
  rubroId: draft.rubro && fixture.rubroId,
  numfactura: draft.number,
  contrato: draft.contract,
  fechaemision: draft.issued,
  fecharecepcion: draft.received,
  fechavencimiento: draft.due,
  subtotalCents: parseMoney(draft.subtotal, 'Subtotal'),
  tasa: draft.rate === undefined ? undefined : parseRate(draft.rate),
  otrosimpuestosCents: draft.others === undefined ? undefined : parseMoney(draft.others, 'Otros'),
  retencionesCents: draft.withheld === undefined ? undefined : parseMoney(draft.withheld, 'Retenciones'),
  comments: draft.comments,
});

const form: Door<Fixture, Typed> = {
  hasNoCodes: true,
  unsupported: ['uuid'],
  send: (fixture, draft) =>
    responseOfForm(fixture.browser, fixture.browser.form(pages.newInvoice, membersOf(fixture, draft))),
};

const api: Door<Fixture, Typed> = {
  unsupported: ['uuid'],
  send: (fixture, draft) =>
    responseOfApi(fixture.script.post('/api/facturaproveedores/newfacturaproveedor', bodyOf(fixture, draft))),
};

const bodyOf = (fixture: Fixture, draft: Typed) => ({
  ...membersOf(fixture, draft),
  allowDuplicate: draft.again,
});

const edit: Door<Fixture, Typed> = {
  unsupported: ['uuid'],
  async arrange(fixture) {
    const { invoice } = await createInvoice(fixture.db, fixture.by, centsOf(fixture, { subtotal: '0.01' }));
    fixture.invoiceId = invoice.id;
  },
  send: (fixture, draft) =>
    responseOfApi(
      fixture.script.put(`/api/facturaproveedores/${fixture.invoiceId}`, {
        ...bodyOf(fixture, draft),
        subtotal: draft.subtotal ?? '',
        version: draft.seen,
      }),
    ),
};

const restore: Door<Fixture, Typed> = {
  unsupported: ['uuid', 'supplier', 'job', 'iva', 'total'],
  async arrange(fixture, draft) {
    const { invoice } = await createInvoice(fixture.db, fixture.by, centsOf(fixture, draft));
    fixture.invoiceId = invoice.id;
    await deleteInvoice(fixture.db, fixture.by, invoice.id);
  },
  send: (fixture) =>
    responseOfApi(fixture.script.post(`/api/facturaproveedores/${fixture.invoiceId}/restore`)),
};

const HEADINGS =
  'Proveedor,Obra,Rubro,Factura,Contrato,Emisión,Recepción,Vencimiento,Subtotal,Tasa,IVA,Otros impuestos,Retenciones,Total,UUID,Observaciones';

const { table, preview } = tableDoors<Fixture, Typed>(
  'invoices',
  (fixture, draft) => {
    const { suppliername, jobtitle, nombrerubro, uuid } = fixture;
    const cells = [
      draft.supplier ? '' : suppliername,
      draft.job ? '' : jobtitle,
      draft.rubro && nombrerubro,
      draft.number,
      draft.contract,
      draft.issued,
      draft.received,
      draft.due,
      draft.subtotal,
      draft.rate,
      draft.iva,
      draft.others,
      draft.withheld,
      draft.total,
      draft.uuid && uuid,
      draft.comments,
    ];
    return tableLines(HEADINGS, cells);
  },
  { allows: ({ again }) => ({ allowDuplicates: again }) },
);

/** Number and date come from the document; the rest is chosen. */
async function importXml(fixture: Fixture, draft: Typed, dryRun: boolean): Promise<DoorResponse> {
  const { db, by, rfc, suppliername, uuid } = fixture;
  const { number = '', issued = TODAY, received: fecharecepcion, due: fechavencimiento } = draft;
  const subtotal = Number(draft.subtotal ?? '0');
  const iva = (subtotal * Number(draft.rate ?? '0')) / 100;
  const root = {
    ...{ Serie: undefined, Folio: number, Fecha: `${issued}T09:00:00` },
    ...{ SubTotal: String(subtotal), Total: String(subtotal + iva) },
  };
  const tax = `Impuesto="002" TipoFactor="Tasa" TasaOCuota="${Number(draft.rate) / 100}" Importe="${iva}"`;
  const impuestos = iva
    ? `<{p}Impuestos TotalImpuestosTrasladados="${iva}"><{p}Traslados><{p}Traslado Base="${subtotal}" ${tax}/></{p}Traslados></{p}Impuestos>`
    : '';
  const xml = buildCfdi({ uuid, root, emisor: { Rfc: rfc, Nombre: suppliername }, impuestos });
  const files = [{ name: 'factura.xml', bytes: bytesOf(xml) }];
  const chosen = {
    jobId: draft.job === 'none' ? 0 : idOf(draft.job ?? 'own', fixture.jobId)!,
    rubroId: idOf(draft.rubro, fixture.rubroId) ?? null,
    contrato: draft.contract,
    ...{ fecharecepcion, fechavencimiento, comments: draft.comments ?? '', replace: draft.again, dryRun },
  };
  const [file] = cfdiInWords(await importCfdi(db, by, files, chosen)).files;
  if (file!.outcome !== 'refused') return { warnings: file!.warnings };
  return { refused: file!.reason, code: file!.refused?.code };
}

const OF_FILES = {
  unsupported: ['supplier', 'iva', 'others', 'withheld', 'total', 'seen'],
  hasNoCodes: true,
} as const;

const cfdi: Door<Fixture, Typed> = {
  ...OF_FILES,
  send: (fixture, draft) => importXml(fixture, draft, false),
  stores: { uuid: expect.any(String), metodopago: 'PPD', fechaemision: expect.any(String) },
};

const cfdiPreview: Door<Fixture, Typed> = {
  ...OF_FILES,
  isPreview: true,
  send: (fixture, draft) => importXml(fixture, draft, true),
};

const OF_HAND = ['form', 'api', 'edit', 'table', 'preview'] as const;
const NEW = ['form', 'api', 'restore', 'table', 'preview'] as const;
const OF_DOCUMENTS = ['cfdi', 'cfdiPreview'] as const;
const NOT_IMPORTED = /es de un periodo cerrado.*No se importa: lo captura un administrador a mano/;
const PLAIN = { subtotal: '1000.00', rate: '16' } as const;
const AMOUNTS = { subtotalCents: 100_000, tasa: 160_000, ivaCents: 16_000, totalCents: 116_000 };

const addAnother = async (fixture: Fixture, part: object = {}) => {
  const { supplierId, jobId } = fixture;
  fixture.otherId = await addInvoice(fixture.db, {
    supplierId,
    jobId,
    numfactura: '',
    userId: fixture.by.userId,
    ...part,
  });
};

const allow = async ({ db, by, jobId, rubroId }: Fixture, cents: number) => {
  const partidas = [{ rubroId, presupuestoCents: cents }];
  await saveBudgetOfJob(db, { ...by, roles: [1] }, jobId, { motivo: 'Contrato', partidas });
};

const setRule = (db: Db, value: string) =>
  db
    .insertInto('settings')
    .values({ key: 'presupuesto', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();

drive<Fixture, Typed>('invoices', {
  rules: [...rules, ...warningRules].map(({ name }) => name),
  open,
  doors: { form, api, edit, restore, table, preview, cfdi, cfdiPreview },
  read: async ({ db, supplierId, otherId }) =>
    (await readRows(db, 'invoices', { supplierId })).filter(({ id }) => id !== otherId),
  defaults: ({ supplierId, jobId }) => ({
    supplierId,
    jobId,
    rubroId: null,
    numfactura: '',
    numfacturaFold: expect.any(String),
    numfacturaKey: expect.any(String),
    contrato: '',
    comments: '',
    uuid: null,
    metodopago: null,
    moneda: null,
    tipocambio: null,
    fechaemision: null,
    fecharecepcion: null,
    fechavencimiento: null,
    vence: expect.any(String),
    fechacaptura: TODAY,
    ...AMOUNTS,
    otrosimpuestosCents: 0,
    retencionesCents: 0,
    paidCents: 0,
  }),
  cases: {
    'with only the required fields': {
      draft: PLAIN,
      stored: { vence: TODAY },
      notBy: { cfdi: 'it has a number and a day' },
    },
    'from a document': {
      draft: { number: 'A-7', issued: '2026-11-02', subtotal: '1000.00', uuid: 'own' },
      stored: {
        ...{ numfactura: 'A-7', numfacturaKey: 'a7', vence: '2026-12-02' },
        ...{ subtotalCents: 100_000, tasa: 0, ivaCents: 0, totalCents: 100_000 },
      },
      by: OF_DOCUMENTS,
    },
    'with every field, cleaned': {
      draft: {
        ...{ ...PLAIN, rubro: 'own', number: ' Á  12 ', contract: ' OC  4 ', comments: ' a\nb ' },
        ...{ issued: '2026-11-05', received: '2026-11-07', others: '10.00', withheld: '50.00' },
      },
      stored: {
        rubroId: expect.any(Number),
        ...{ numfactura: 'Á 12', numfacturaFold: 'a 12', numfacturaKey: 'a12' },
        ...{ contrato: 'OC 4', comments: 'a\nb' },
        ...{ fechaemision: '2026-11-05', fecharecepcion: '2026-11-07', vence: '2026-12-07' },
        ...{ otrosimpuestosCents: 1_000, retencionesCents: 5_000, totalCents: 112_000 },
      },
    },
    'with a due date of its own': {
      draft: { ...PLAIN, number: 'C1', issued: '2026-11-05', due: '2026-11-30' },
      stored: {
        numfactura: 'C1',
        fechaemision: '2026-11-05',
        fechavencimiento: '2026-11-30',
        vence: '2026-11-30',
      },
    },
    ...refusals(OF_HAND, {
      refuseInvalidFields: {
        'without a supplier': [{ ...PLAIN, supplier: 'none' }, invoiceTexts.required],
        'without an obra': [{ ...PLAIN, job: 'none' }, invoiceTexts.required],
        'without an amount': [{ rate: '16' }, invoiceTexts.required],
        'with negative withholdings': [
          { ...PLAIN, withheld: '-1.00' },
          'Las retenciones no pueden ser negativas.',
        ],
      },
      refuseInvalidTexts: {
        'with a contract that is too long': [
          { ...PLAIN, contract: 'x'.repeat(61) },
          'Contrato u orden de compra: máximo 60 caracteres.',
        ],
        'with a number that is too long': [
          { ...PLAIN, number: 'x'.repeat(101) },
          'Número de factura: máximo 100 caracteres.',
        ],
      },
      refuseInvalidTotal: {
        'with a total of zero': [{ ...PLAIN, withheld: '1160.00' }, 'El total debe ser mayor que cero.'],
      },
    }),
    ...refusals(['form', 'api', 'edit'], {
      refuseUnknownReferences: {
        'with an unknown supplier': [{ ...PLAIN, supplier: 'unknown' }, `No existe el proveedor ${UNKNOWN}.`],
        'with an unknown rubro': [{ ...PLAIN, rubro: 'unknown' }, `No existe el rubro ${UNKNOWN}.`],
      },
    }),
    ...refusals(['form', 'api', 'edit', ...OF_DOCUMENTS], {
      refuseUnknownReferences: {
        'with an unknown obra': [{ ...PLAIN, job: 'unknown' }, `No existe la obra ${UNKNOWN}.`],
      },
    }),
    'with an IVA that does not match its rate': {
      rule: 'refuseDisagreeingAmounts',
      draft: { ...PLAIN, iva: '159.99' },
      refused: 'El IVA debe ser 160.00.',
      code: 'amounts_disagree',
      by: OF_HAND,
    },
    'with a total that is not the sum of its parts': {
      rule: 'refuseDisagreeingAmounts',
      draft: { ...PLAIN, total: '1160.01' },
      refused: 'El total debe ser 1160.00.',
      code: 'amounts_disagree',
      by: OF_HAND,
    },
    'with a number that is taken': {
      rule: 'refuseDuplicateNumber',
      draft: { ...PLAIN, number: 'a 12', issued: '2026-11-05' },
      given: (fixture) => addAnother(fixture, { numfactura: 'A-12', fechaemision: '2026-07-01' }),
      refused: ({ suppliername }) => `Ya existe la factura a 12 de ${suppliername}.`,
      code: 'duplicate_invoice',
      by: ['form', 'api', 'edit', 'restore'],
    },
    'with a number that is taken, confirmed as another invoice': {
      rule: 'warnOfSameSupplierNumber',
      draft: { ...PLAIN, number: 'A-12', issued: '2026-11-05', again: true },
      given: (fixture) => addAnother(fixture, { numfactura: 'A-12', fechaemision: '2026-07-01' }),
      stored: { numfactura: 'A-12', fechaemision: '2026-11-05', vence: '2026-12-05' },
      warns: ({ otherId }) => [`El proveedor ya tiene la factura A-12 (id ${otherId}).`],
      by: TABLES,
    },
    'with the number of another document': {
      draft: { ...PLAIN, number: 'A-12', issued: '2026-11-05' },
      given: (fixture) =>
        addAnother(fixture, {
          numfactura: 'A-12',
          fechaemision: '2026-07-01',
          uuid: fixture.uuid.replace('AAAAAAAA', 'BBBBBBBB'),
        }),
      stored: { numfactura: 'A-12' },
      warns: ({ otherId }) => [`El proveedor ya tiene la factura A-12 (id ${otherId}), con otro UUID.`],
      by: OF_DOCUMENTS,
    },
    'with a number that is taken, as its author knows': {
      draft: { ...PLAIN, number: 'A-12', issued: '2026-11-05', again: true },
      given: (fixture) => addAnother(fixture, { numfactura: 'A-12', fechaemision: '2026-07-01' }),
      stored: { numfactura: 'A-12', fechaemision: '2026-11-05', vence: '2026-12-05' },
      by: ['form', 'api', 'edit'],
    },
    'that is on file with other data': {
      rule: 'skipOrRefuseStored',
      draft: { ...PLAIN, number: 'A-12', comments: 'otra cosa' },
      given: (fixture) => addAnother(fixture, { numfactura: 'A-12', comments: 'una' }),
      refused: '',
      by: TABLES,
      inOtherWords: { table: /es un conflicto \(observaciones/ },
    },
    'with a CFDI that is the receipt of an expense': {
      rule: 'refusePettyCashExpense',
      draft: { ...PLAIN, number: 'A-1', issued: TODAY, uuid: 'own' },
      given: async ({ db, script, uuid, jobId, suppliername }) => {
        const { id: fundId } = await addFund(db, {
          nombre: `Caja de ${suppliername}`,
          aperturaCents: 500_000,
        });
        const spent = { tipo: 'gasto', fecha: TODAY, concepto: 'Cemento', jobId, comprobante: 'cfdi', uuid };
        const answer = await script.post(`/api/cajachica/${fundId}/movimientos`, { ...spent, importe: 116 });
        expect(answer.status).toBe(201);
      },
      refused: ({ suppliername }) =>
        `Ese CFDI ya es el comprobante de «Cemento» en la caja «Caja de ${suppliername}».`,
      code: 'uuid_taken',
      by: [...TABLES, ...OF_DOCUMENTS],
    },
    'with a CFDI that another document of its issuer replaces': {
      rule: 'refuseReplacementWithoutXml',
      draft: { ...PLAIN, number: 'A-1', issued: TODAY, uuid: 'own' },
      given: ({ db, uuid, rfc }) => replaceDocument(db, uuid, rfc),
      refused: `Lo sustituyó el CFDI ${LATER_UUID}, que es la factura A-2: no se guarda.`,
      by: TABLES,
    },
    'with a CFDI that a document of another issuer claims to replace': {
      draft: { ...PLAIN, number: 'A-1', issued: TODAY, uuid: 'own' },
      given: ({ db, uuid }) => replaceDocument(db, uuid, 'XAXX010101000'),
      stored: { numfactura: 'A-1', fechaemision: TODAY, uuid: expect.any(String) },
      by: TABLES,
    },
    'with a CFDI from which an invoice was unlinked': {
      rule: 'refuseFormerUuid',
      draft: { ...PLAIN, number: 'A-1', issued: TODAY, uuid: 'own' },
      given: async (fixture) => {
        await addAnother(fixture, { numfactura: 'B-1', uuid: fixture.uuid });
        await unlinkCfdi(fixture.db, fixture.by, fixture.otherId);
      },
      refused: ({ otherId }) =>
        `Es el CFDI del que se desligó la factura B-1 (id ${otherId}): no se guarda, para no duplicarla.`,
      by: [...TABLES, ...OF_DOCUMENTS],
    },
    'in a closed period': {
      rule: 'refuseClosedPeriod',
      draft: { ...PLAIN, issued: '2026-10-30' },
      given: ({ db }) => setClosingDate(db, '2026-10-31'),
      refused:
        'El viernes 30 de octubre de 2026 es de un periodo cerrado (hasta el sábado 31 de octubre de 2026). Solo un administrador puede cambiarlo, con un motivo.',
      code: 'closed_period',
      inOtherWords: Object.fromEntries([...TABLES, ...OF_DOCUMENTS].map((door) => [door, NOT_IMPORTED])),
    },
    'above its budget, where that is refused': {
      rule: 'refuseBudgetExcess',
      draft: { ...PLAIN, rubro: 'own' },
      given: async (fixture) => {
        await setRule(fixture.db, 'impedir');
        await allow(fixture, 60_000);
      },
      refused:
        'La factura excede el presupuesto. Presupuesto 600 · Gastado 0 · Esta 1,000 → excede 400. Solo Dirección puede guardarla, con un motivo.',
      code: 'budget_exceeded',
    },
    'above its budget': {
      rule: 'warnOfBudget',
      draft: { ...PLAIN, number: 'C2', rubro: 'own' },
      given: async (fixture) => {
        await setRule(fixture.db, 'avisar');
        await allow(fixture, 60_000);
      },
      stored: { numfactura: 'C2', rubroId: expect.any(Number) },
      warns: () => ['Presupuesto 600 · Gastado 0 · Esta 1,000 → excede 400'],
    },
    'that looks like another one': {
      rule: 'warnOfLookalikes',
      draft: { ...PLAIN, number: 'B-2', issued: '2026-11-05' },
      // An invoice without UUID would be matched with the document.
      given: (fixture) =>
        addAnother(fixture, {
          numfactura: 'B-1',
          fechaemision: '2026-11-14',
          uuid: fixture.uuid.replace('AAAAAAAA', 'BBBBBBBB'),
        }),
      stored: { numfactura: 'B-2', fechaemision: '2026-11-05', vence: '2026-12-05' },
      warns: () => [
        'Se parece a la factura B-1 del sábado 14 de noviembre de 2026: mismo proveedor y total.',
      ],
      by: [...NEW, 'edit', ...OF_DOCUMENTS],
    },
    'from a document that is on file with other data': {
      rule: 'skipOrRefuseDocument',
      draft: { ...PLAIN, number: 'A-12', issued: '2026-11-05', uuid: 'own' },
      given: (fixture) =>
        addAnother(fixture, { uuid: fixture.uuid, numfactura: 'A-12', fechaemision: '2026-11-04' }),
      refused: ({ otherId }) =>
        `El mismo UUID ya está en la factura A-12 (id ${otherId}) con otros datos (fecha de emisión miércoles 4 de noviembre de 2026; en este archivo jueves 5 de noviembre de 2026): es un conflicto.`,
      by: OF_DOCUMENTS,
    },
    'from the document of an invoice without UUID': {
      rule: 'warnOfLink',
      draft: { ...PLAIN, number: 'A-12', issued: '2026-11-05', uuid: 'own' },
      given: (fixture) => addAnother(fixture, { numfactura: 'A12', fechaemision: '2026-11-04' }),
      warns: ({ otherId }) => [
        `Se ligó a la factura A12 (id ${otherId}) del miércoles 4 de noviembre de 2026, que no tenía UUID; el CFDI es la A-12 del jueves 5 de noviembre de 2026.`,
      ],
      by: ['cfdiPreview'],
    },
    'that is on file without its UUID': {
      rule: 'skipStoredWithoutUuid',
      draft: { ...PLAIN, number: 'A-12', uuid: 'own' },
      given: (fixture) => addAnother(fixture, { numfactura: 'A-12' }),
      warns: ({ otherId }) => [
        `Ya está la factura A-12 (id ${otherId}), sin UUID: carga su XML para ligarla.`,
      ],
      by: ['preview'],
    },
    'that an edit leaves unchanged': {
      rule: 'skipUnchanged',
      draft: { subtotal: '0.01' },
      stored: { subtotalCents: 1, ivaCents: 0, totalCents: 1 },
      by: ['edit'],
    },
    'that does not exist': {
      rule: 'refuseMissingRow',
      draft: PLAIN,
      given: async (fixture) => Object.assign(fixture, { invoiceId: UNKNOWN }),
      refused: `No existe la factura ${UNKNOWN}.`,
      code: 'not_found',
      by: ['edit'],
    },
    'that somebody else has changed meanwhile': {
      rule: 'refuseStaleVersion',
      draft: { ...PLAIN, seen: '1' },
      given: ({ db, by, invoiceId }) => updateInvoice(db, by, invoiceId, { comments: 'x' }),
      refused: invoiceTexts.stale,
      code: 'stale',
      by: ['edit'],
    },
    'with amounts that its CFDI fixes': {
      rule: 'refuseChangedCfdiAmounts',
      draft: PLAIN,
      given: ({ db, invoiceId, uuid }) =>
        db.updateTable('invoices').set({ uuid }).where('id', '=', invoiceId).execute(),
      refused: invoiceTexts.cfdiLocked,
      code: 'cfdi_locked',
      by: ['edit'],
    },
    'with a new total below what is paid': {
      rule: 'refuseTotalBelowPaid',
      draft: { subtotal: '10.00', rate: '0' },
      given: async ({ db, by, invoiceId }) => {
        await updateInvoice(db, by, invoiceId, { subtotalCents: 2_000 });
        await createPayment(db, by, { facturaproveedorId: invoiceId, amountCents: 1_000 });
      },
      refused: invoiceTexts.notBelowPaid,
      by: ['edit'],
    },
    'to which a credit of its supplier is applied': {
      rule: 'refuseCreditedSupplierChange',
      draft: { ...PLAIN },
      given: async (fixture) => {
        const { db, by, invoiceId, supplierId } = fixture;
        const creditNoteId = await addCreditNote(db, { supplierId, userId: by.userId });
        await applyCredit(db, by, { creditNoteId, invoiceId, amountCents: 1 });
        fixture.supplierId = await addSupplier(db);
        fixture.otherId = invoiceId;
      },
      refused: invoiceTexts.hasCredit,
      by: ['edit'],
    },
    'that is restored, although it exists already': {
      rule: 'refuseNotDeleted',
      draft: PLAIN,
      given: ({ db, by, invoiceId }) => restoreInvoice(db, by, invoiceId),
      refused: ({ invoiceId }) => `La factura ${invoiceId} no está eliminada.`,
      code: 'not_deleted',
      by: ['restore'],
    },
    'that is restored, although it was captured again': {
      rule: 'refuseRestoringDuplicate',
      draft: { ...PLAIN, number: 'A-1' },
      given: (fixture) => addAnother(fixture, { numfactura: 'a1' }),
      refused: ({ suppliername }) => `Ya existe la factura A-1 de ${suppliername}.`,
      code: 'duplicate_invoice',
      by: ['restore'],
    },
  },
});
