import type { Db } from '../../db/schema.ts';
import {
  createCreditNote,
  deleteCreditNote,
  NO_DOCUMENT_VALUES,
  restoreCreditNote,
  rules,
  writeCreditNotes,
} from '../../server/services/credit-notes/write.ts';
import { creditNoteTexts as texts } from '../../shared/credit-notes.ts';
import { pages } from '../../shared/urls.ts';
import { setClosingDate } from '../support/dated-rows.ts';
import { INVISIBLE_TEXT } from '../support/invisible.ts';
import { LATER_UUID, replaceDocument } from '../support/replacing.ts';
import { addInvoice, addSupplier } from '../support/rows.ts';
import { readRows } from '../support/stored.ts';
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

/** A credit note as a user types it from paper. */
interface Typed {
  supplier?: 'unknown' | 'none';
  numero?: string;
  fecha?: string;
  subtotal?: string;
  tasa?: string;
  iva?: string;
  total?: string;
  otros?: string;
  retenciones?: string;
  comments?: string;
  /** the UUID of its CFDI, which is not uploaded */
  uuid?: string;
  /** the amount applied to the supplier's invoice, which owes 1,160.00 */
  applies?: string;
}

interface Fixture extends Clients {
  supplierId: number;
  suppliername: string;
  invoiceId: number;
  noteId: number;
}

const NOTE: Typed = { numero: 'NC-7', fecha: '2026-11-19', subtotal: '100', tasa: '16' };
const STORED = { subtotalCents: 10_000, ivaCents: 1_600, totalCents: 11_600, appliedCents: 0, uuid: null };
const UUID = 'C0FFEE00-0000-4000-8000-000000000001';
const RFC = 'EKU9003173C9';
let count = 0;

async function open(db: Db): Promise<Fixture> {
  for (const table of ['payments', 'credit_notes', 'invoices', 'settings', 'document_relations'] as const)
    await db.deleteFrom(table).execute();
  const suppliername = `Cementos ${++count}`;
  await db.updateTable('suppliers').set({ rfc: null }).execute();
  const supplierId = await addSupplier(db, { suppliername, rfc: RFC });
  const invoiceId = await addInvoice(db, {
    supplierId,
    subtotalCents: 100_000,
    ivaCents: 16_000,
    totalCents: 116_000,
  });
  return { ...(await signIn(db)), supplierId, suppliername, invoiceId, noteId: 0 };
}

const fieldsOf = ({ supplierId }: Fixture, { supplier, ...draft }: Typed) => ({
  supplierId: supplier ? { unknown: UNKNOWN, none: undefined }[supplier] : supplierId,
  numero: draft.numero,
  fecha: draft.fecha,
  subtotal: draft.subtotal,
  tasa: draft.tasa,
  otrosimpuestos: draft.otros,
  retenciones: draft.retenciones,
  comments: draft.comments,
});

const form: Door<Fixture, Typed> = {
  hasNoCodes: true,
  unsupported: ['iva', 'total', 'uuid'],
  send(fixture, draft) {
    const typed = Object.entries(fieldsOf(fixture, draft)).map(([name, value]) => [
      name,
      String(value ?? ''),
    ]);
    const parts = draft.applies ? { [`aplicar-${fixture.invoiceId}`]: draft.applies } : {};
    return responseOfForm(
      fixture.browser,
      fixture.browser.form(pages.newCreditNote, { ...Object.fromEntries(typed), ...parts }),
    );
  },
};

const api: Door<Fixture, Typed> = {
  unsupported: ['uuid'],
  send(fixture, draft) {
    const { iva, total, applies } = draft;
    const aplicar = applies ? [{ facturaproveedorId: fixture.invoiceId, importe: applies }] : undefined;
    return responseOfApi(
      fixture.script.post('/api/creditos/', { ...fieldsOf(fixture, draft), iva, total, aplicar }),
    );
  },
};

const { table, preview } = tableDoors<Fixture, Typed>(
  'credit-notes',
  (
    { suppliername },
    { supplier, numero, fecha, subtotal, tasa, iva, total, otros, retenciones, comments, uuid },
  ) => {
    const name = { own: suppliername, unknown: 'Nadie', none: '' }[supplier ?? 'own'];
    return tableLines(
      'Proveedor,Nota de crédito,Fecha,Subtotal,Tasa,IVA,Total,Otros impuestos,Retenciones,Observaciones,UUID',
      [suppliername, 'NC-1', '2026-11-01', '1', '16', '', '', '', '', 'otra', ''],
      [name, numero, fecha, subtotal, tasa, iva, total, otros, retenciones, comments, uuid],
    );
  },
  { unsupported: ['applies'] },
);

/** Restores a deleted note that has a CFDI. */
const restore: Door<Fixture, Typed> = {
  unsupported: [
    'applies',
    'total',
    'iva',
    'otros',
    'retenciones',
    'comments',
    'supplier',
    'tasa',
    'subtotal',
  ],
  async arrange(fixture, { uuid = null }) {
    const { db, by, supplierId } = fixture;
    const amounts = { subtotalCents: 10_000, ivaCents: 1_600, totalCents: 11_600 };
    const draft = { supplierId, numero: 'NC-7', fecha: '2026-11-19', ...amounts };
    const document = { ...NO_DOCUMENT_VALUES, uuid };
    const figures = { ...draft, otrosimpuestosCents: 0, retencionesCents: 0, document };
    const [written] = await writeCreditNotes(db, by, [figures]);
    fixture.noteId = written!.outcome === 'stored' ? written!.id : 0;
    await deleteCreditNote(db, by, fixture.noteId);
  },
  send: (fixture) => responseOfApi(fixture.script.post(`/api/creditos/${fixture.noteId}/restore`)),
};

const PAPER = { numero: 'NC-7', fecha: '2026-11-01', subtotalCents: 5, tasa: 0 };

const replace = (db: Db, rfc = RFC) => replaceDocument(db, UUID, rfc, { kind: 'E', numero: 'NC-9' });

drive<Fixture, Typed>('credit notes', {
  rules: rules.map(({ name }) => name),
  open,
  doors: { form, api, table, preview, restore },
  read: ({ db }) => readRows(db, 'credit_notes'),
  defaults: ({ supplierId, by: { userId } }) => ({ supplierId, numero: 'NC-7', fecha: '2026-11-19', userId }),
  cases: {
    'with every field, cleaned': {
      draft: {
        ...NOTE,
        numero: `  NC${INVISIBLE_TEXT}-7 `,
        otros: '3',
        retenciones: '1',
        comments: ' Bonificación ',
      },
      stored: { ...STORED, totalCents: 11_800, comments: 'Bonificación' },
    },
    'with another rate': {
      draft: { ...NOTE, tasa: '8' },
      stored: { ...STORED, ivaCents: 800, totalCents: 10_800 },
    },
    'applied in part to an invoice': {
      draft: { ...NOTE, applies: '40.5' },
      stored: { ...STORED, appliedCents: 4_050 },
    },
    'applied beyond its total, so that nothing is stored': {
      draft: { ...NOTE, applies: '116.01' },
      refused: 'La cantidad no puede ser mayor que lo que queda de la nota de crédito.',
      code: 'over_credit',
    },
    'applied beyond what is owed, so that nothing is stored': {
      draft: { ...NOTE, subtotal: '5000', applies: '1160.01' },
      refused: 'El total pagado no puede ser mayor que el total de la factura.',
      code: 'overpayment',
    },
    ...refusals(['form', 'api'], {
      refuseInvalidFields: {
        'without a supplier': [{ ...NOTE, supplier: 'none' }, texts.required, 'supplierId'],
        'without a number': [{ ...NOTE, numero: '' }, texts.required, 'numero'],
        'without a day': [{ ...NOTE, fecha: '' }, texts.required, 'fecha'],
        'with a total of zero': [{ ...NOTE, subtotal: '0' }, texts.required, 'subtotal'],
        'with a negative total': [
          { ...NOTE, subtotal: '-5' },
          'El subtotal debe ser mayor que cero.',
          'subtotal',
        ],
      },
      refuseUnknownSupplier: {
        'with an unknown supplier': [
          { ...NOTE, supplier: 'unknown' },
          `No existe el proveedor ${UNKNOWN}.`,
          'supplierId',
        ],
      },
    }),
    ...refusals('all', {
      refuseInvalidTexts: {
        'with a number that is too long': [
          { ...NOTE, numero: 'x'.repeat(101) },
          'Número de la nota: máximo 100 caracteres.',
        ],
      },
      refuseInvalidTotal: {
        'with withholdings above its total': [
          { ...NOTE, retenciones: '116' },
          'El total debe ser mayor que cero.',
          'retenciones',
        ],
      },
    }),
    'with a total that is not the sum of its parts': {
      rule: 'refuseDisagreeingAmounts',
      draft: { ...NOTE, total: '117' },
      refused: 'El total debe ser 116.00.',
      code: 'amounts_disagree',
      by: ['api', ...TABLES],
    },
    'with a number that the supplier has used': {
      rule: 'refuseDuplicateNumber',
      draft: { ...NOTE, numero: 'nc 7' },
      given: ({ db, by, supplierId }) => createCreditNote(db, by, { ...PAPER, supplierId }),
      refused: ({ suppliername }) => texts.duplicate('nc 7', suppliername),
      code: 'duplicate_credit',
      by: ['form', 'api'],
    },
    'restored as it was': { draft: {}, stored: STORED, by: ['restore'] },
    'restored with its UUID': {
      draft: { uuid: UUID },
      stored: { ...STORED, uuid: UUID },
      by: ['restore'],
    },
    'restored, although it exists already': {
      rule: 'refuseNotDeleted',
      draft: {},
      given: ({ db, by, noteId }) => restoreCreditNote(db, by, noteId),
      refused: ({ noteId }) => `La nota de crédito ${noteId} no está eliminada.`,
      code: 'not_deleted',
      by: ['restore'],
    },
    'restored, although its paper version exists': {
      rule: 'refuseDuplicateNumber',
      draft: { uuid: UUID },
      given: ({ db, by, supplierId }) => createCreditNote(db, by, { ...PAPER, supplierId }),
      refused: ({ suppliername }) => texts.duplicate('NC-7', suppliername),
      code: 'duplicate_credit',
      by: ['restore'],
    },
    'restored, although its CFDI came again': {
      rule: 'refuseNotDeleted',
      draft: { uuid: UUID },
      given: ({ db, by, supplierId }) =>
        writeCreditNotes(db, by, [{ ...PAPER, supplierId, numero: 'NC-8', uuid: UUID }]),
      refused: 'Su CFDI ya está en la nota de crédito NC-8.',
      code: 'duplicate_credit',
      by: ['restore'],
    },
    'replaced by another document': {
      rule: 'refuseReplaced',
      draft: { ...NOTE, uuid: UUID },
      given: ({ db }) => replace(db),
      refused: `Lo sustituyó el CFDI ${LATER_UUID}, que es la nota de crédito NC-9: no se guarda.`,
      by: TABLES,
    },
    'that a document of another issuer claims to replace': {
      draft: { ...NOTE, uuid: UUID },
      given: ({ db }) => replace(db, 'XAXX010101000'),
      stored: { ...STORED, uuid: UUID },
    },
    'restored, although another document replaces it': {
      rule: 'refuseReplaced',
      draft: { uuid: UUID },
      given: ({ db }) => replace(db),
      refused: `Lo sustituyó el CFDI ${LATER_UUID}, que es la nota de crédito NC-9: no se guarda.`,
      by: ['restore'],
    },
    'with the figures of its CFDI, whose IVA is off by a cent': {
      draft: { ...NOTE, tasa: undefined, iva: '16.01', total: '116.01', uuid: UUID },
      stored: { ...STORED, ivaCents: 1_601, totalCents: 11_601, uuid: UUID },
    },
    'identified by its UUID, without a number': {
      draft: { ...NOTE, numero: '', uuid: UUID },
      stored: { ...STORED, numero: '', uuid: UUID },
    },
    'in a table, with neither number nor UUID': {
      draft: { ...NOTE, numero: '' },
      stored: { ...STORED, numero: '' },
      warns: () => [texts.nameless],
      by: TABLES,
    },
    'that is on file with another total': {
      rule: 'skipOrRefuseStored',
      draft: NOTE,
      async given(fixture) {
        const { db, by, supplierId } = fixture;
        const other = {
          supplierId,
          numero: 'NC-7',
          fecha: '2026-11-19',
          subtotalCents: 10_100,
          tasa: 160_000,
        };
        fixture.noteId = (await createCreditNote(db, by, other)).creditNote.id;
      },
      refused: ({ noteId }) =>
        `La nota de crédito NC-7 (id ${noteId}) ya está con otros datos: es un conflicto (total: «$117.16»; en este archivo «$116.00»).`,
      by: TABLES,
    },
    'in a closed period': {
      rule: 'refuseClosedPeriod',
      draft: NOTE,
      given: ({ db }) => setClosingDate(db, '2026-11-19'),
      refused:
        'El jueves 19 de noviembre de 2026 es de un periodo cerrado (hasta el jueves 19 de noviembre de 2026). Solo un administrador puede cambiarlo, con un motivo.',
      code: 'closed_period',
      by: ['form', 'api'],
    },
  },
});
