import { expect } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { resolveMovement } from '../../server/services/bank-statements/resolving.ts';
import { countCash, postCountDifference } from '../../server/services/petty-cash/counting.ts';
import {
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../server/services/petty-cash/movements.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
} from '../../server/services/petty-cash/replenishing.ts';
import { combinedRules, rules, warningRules } from '../../server/services/petty-cash/rules.ts';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { parseMoney } from '../../shared/money.ts';
import { paymentTexts } from '../../shared/payments.ts';
import type { MovementFieldValues, MovementKind, VoucherKind } from '../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../shared/petty-cash-texts.ts';
import { describeMissingPrivileges } from '../../shared/roles.ts';
import { pages } from '../../shared/urls.ts';
import { addBankMovements } from '../support/bank-movements.ts';
import { setClosingDate } from '../support/dated-rows.ts';
import { INVISIBLE_TEXT } from '../support/invisible.ts';
import { addFund } from '../support/petty-cash.ts';
import { LATER_UUID, replaceDocument } from '../support/replacing.ts';
import { addActor, addInvoice, addJob, addRubro, NOW, TODAY } from '../support/rows.ts';
import { readRows } from '../support/stored.ts';
import {
  type Clients,
  type Door,
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
  amount?: string;
  subtotal?: string;
  iva?: string;
  date?: string;
  concept?: string;
  kind?: MovementKind;
  receipt?: VoucherKind | 'Sin comprobante';
  payee?: string;
  folio?: string;
  /** `own`: a UUID of this fixture's own */
  uuid?: string;
  job?: 'own' | 'unknown';
  rubro?: 'own' | 'unknown';
  /** the day by which its voucher is due */
  term?: string;
  comments?: string;
  fund?: 'unknown';
  seen?: string;
  /** the file's name for the movement's replenishment */
  group?: string;
  source?: 'own';
}

/** A fund with 1,000.00, and the users who spend it. */
interface Fixture extends Clients {
  fundId: number;
  fundName: string;
  jobId: number;
  jobtitle: string;
  rubroId: number;
  nombrerubro: string;
  sourceName: string;
  uuid: string;
  movementId: number;
}

let count = 0;

async function open(db: Db): Promise<Fixture> {
  count += 1;
  await setClosingDate(db, '');
  for (const [key, value] of [
    ['presupuesto', 'avisar'],
    ['caja.tope', ''],
  ] as const)
    await setTo(db, key, value);
  const [fundName, jobtitle, nombrerubro] = [`Caja ${count} de obra`, `Torre ${count}`, `Acero ${count}`];
  const fund = await addFund(db, { nombre: fundName, openedOn: '2026-11-01', aperturaCents: 100_000 });
  return {
    ...(await signIn(db)),
    fundId: fund.id,
    fundName,
    jobId: await addJob(db, { jobtitle }),
    jobtitle,
    rubroId: await addRubro(db, { nombrerubro }),
    nombrerubro,
    sourceName: fund.origenderecursonombre!,
    uuid: `AAAAAAAA-1111-4222-8333-${String(count).padStart(12, '0')}`,
    movementId: 0,
  };
}

const asResident = async (fixture: Fixture) => void Object.assign(fixture, await signIn(fixture.db, 6));

const setTo = async (db: Db, key: 'presupuesto' | 'caja.tope' | 'autorizacion', value: string) =>
  changeSetting(db, await addActor(db, { roles: [3] }), key, value);

const AT_ONCE = '2026-11-20';

/** By default an expense has a note as its voucher. */
const receiptOf = ({ kind = 'gasto', receipt }: Typed) => receipt ?? (kind === 'gasto' ? 'nota' : undefined);

const uuidOf = ({ uuid }: Fixture, draft: Typed) => {
  if (draft.uuid === 'own') return uuid;
  return draft.uuid === 'grouped otherwise'
    ? `{${uuid.toLowerCase().replace('-', `–${INVISIBLE_TEXT}`).replace('-', ' ')}}\u200e`
    : draft.uuid;
};

const membersOf = (fixture: Fixture, draft: Typed) => ({
  tipo: draft.kind,
  fecha: draft.date ?? TODAY,
  importe: draft.amount,
  subtotal: draft.subtotal,
  iva: draft.iva,
  concepto: draft.concept ?? 'Clavos',
  beneficiario: draft.payee,
  comprobante: receiptOf(draft),
  folio: draft.folio,
  uuid: uuidOf(fixture, draft),
  jobId: idOf(draft.job, fixture.jobId),
  rubroId: idOf(draft.rubro, fixture.rubroId),
  comprobarAntes: draft.term,
  comments: draft.comments,
});

function centsOf(fixture: Fixture, draft: Typed): MovementFieldValues {
  const { importe, subtotal, iva, ...rest } = membersOf(fixture, draft);
  const cents = (text: string | undefined) => (text === undefined ? undefined : parseMoney(text, ''));
  const amounts = { importeCents: cents(importe), subtotalCents: cents(subtotal), ivaCents: cents(iva) };
  return { ...rest, ...amounts } as MovementFieldValues;
}

const pathOf = ({ fundId }: Fixture, { fund }: Typed) => (fund ? UNKNOWN : fundId);

const NOT_BY_HAND = ['group', 'source'] as const;

const form: Door<Fixture, Typed> = {
  hasNoCodes: true,
  unsupported: ['subtotal', 'fund', 'seen', ...NOT_BY_HAND],
  send: (fixture, draft) =>
    responseOfForm(
      fixture.browser,
      fixture.browser.form(pages.newPettyCashMovement(fixture.fundId), membersOf(fixture, draft)),
    ),
};

const api: Door<Fixture, Typed> = {
  unsupported: ['seen', ...NOT_BY_HAND],
  send: (fixture, draft) =>
    responseOfApi(
      fixture.script.post(`/api/cajachica/${pathOf(fixture, draft)}/movimientos`, membersOf(fixture, draft)),
    ),
};

const edit: Door<Fixture, Typed> = {
  unsupported: ['fund', ...NOT_BY_HAND],
  async arrange(fixture) {
    const cent = { concepto: 'Clavos', comprobante: 'nota', fecha: TODAY, importeCents: 1 } as const;
    fixture.movementId = (await createMovement(fixture.db, fixture.by, fixture.fundId, cent)).movement.id;
  },
  send: (fixture, draft) =>
    responseOfApi(
      fixture.script.put(`/api/cajachica/movimientos/${fixture.movementId}`, {
        ...membersOf(fixture, draft),
        importe: draft.amount ?? (draft.subtotal ? undefined : ''),
        version: draft.seen,
      }),
    ),
};

const restore: Door<Fixture, Typed> = {
  unsupported: ['fund', ...NOT_BY_HAND],
  async arrange(fixture, draft) {
    const { movement } = await createMovement(
      fixture.db,
      fixture.by,
      fixture.fundId,
      centsOf(fixture, draft),
    );
    fixture.movementId = movement.id;
    await deleteMovement(fixture.db, fixture.by, movement.id);
  },
  send: (fixture) =>
    responseOfApi(fixture.script.post(`/api/cajachica/movimientos/${fixture.movementId}/restore`)),
};

const HEADINGS =
  'Caja,Tipo,Fecha,Concepto,Beneficiario,Comprobante,Número de comprobante,UUID,Subtotal,IVA,Importe,Obra,Rubro,Comprobar antes del,Reposición,Origen,Observaciones';

const { table, preview } = tableDoors<Fixture, Typed>(
  'movimientos-caja',
  (fixture, draft) => {
    const { fundName, jobtitle, nombrerubro, sourceName } = fixture;
    const { kind, date = TODAY, concept = 'Clavos', payee, folio, subtotal, iva, amount } = draft;
    const cells = [
      ...[fundName, kind, date, concept, payee, receiptOf(draft), folio, uuidOf(fixture, draft)],
      ...[subtotal, iva, amount],
      ...[draft.job && jobtitle, draft.rubro && nombrerubro, draft.term, draft.group],
      ...[draft.source && sourceName, draft.comments],
    ];
    return tableLines(HEADINGS, cells);
  },
  { unsupported: ['fund', 'seen'] },
);

const spend = async (fixture: Fixture, more: Typed = {}) =>
  (
    await createMovement(
      fixture.db,
      fixture.by,
      fixture.fundId,
      centsOf(fixture, { amount: '0.02', ...more }),
    )
  ).movement.id;

const setFund = ({ db, fundId }: Fixture, set: { closedOn?: string; topeCents?: number }) =>
  db.updateTable('petty_cash_funds').set(set).where('id', '=', fundId).execute();

/** Gives the obra a budget of 10.00. */
async function allow(fixture: Fixture, rule: 'avisar' | 'impedir') {
  const { db, jobId, rubroId } = fixture;
  const row = { jobId, rubroId, amountCents: 1_000, importId: null, createdAt: NOW, updatedAt: NOW };
  await db.insertInto('budgets').values(row).execute();
  await setTo(db, 'presupuesto', rule);
}

/** Creates a fund without movements. */
async function emptyFund(fixture: Fixture) {
  fixture.fundName = `Caja ${count} nueva`;
  const part = { nombre: fixture.fundName, openedOn: '2026-11-01', aperturaCents: 0 };
  fixture.fundId = (await addFund(fixture.db, part)).id;
}

const BY_HAND = ['form', 'api', 'edit'];
const ALL = [...BY_HAND, ...TABLES];
const IT_WAS_RIGHT = { restore: 'what was stored was right' };

drive<Fixture, Typed>('petty cash', {
  rules: [...rules, ...combinedRules, ...warningRules].map(({ name }) => name),
  open,
  doors: { form, api, edit, restore, table, preview },
  read: ({ db, fundId }) => readRows(db, 'petty_cash_movements', { fundId }),
  defaults: () => ({
    tipo: 'gasto',
    fecha: TODAY,
    concepto: 'Clavos',
    beneficiario: '',
    comprobante: 'nota',
    folio: '',
    uuid: null,
    subtotalCents: 3_000,
    ivaCents: 0,
    importeCents: 3_000,
    jobId: null,
    rubroId: null,
    comprobarAntes: null,
    replenishmentId: null,
    origenderecursoId: null,
    comments: '',
  }),
  cases: {
    'an expense with a note': { draft: { amount: '30.00' } },
    'an expense without a receipt, due within the days of the firm': {
      draft: { amount: '30.00', receipt: 'ninguno', date: '2026-11-18' },
      stored: { fecha: '2026-11-18', comprobante: 'ninguno', comprobarAntes: '2026-11-25' },
      notBy: { edit: 'from the day on which it is said' },
    },
    'an expense with a receipt due on a day': {
      draft: { amount: '30.00', receipt: 'ninguno', term: '2026-11-30' },
      stored: { comprobante: 'ninguno', comprobarAntes: '2026-11-30' },
    },
    'an expense that the firm accepts without a receipt': {
      draft: { amount: '30.00', receipt: 'Sin comprobante' },
      stored: { comprobante: 'ninguno' },
      by: TABLES,
    },
    'money that returns to its source': {
      draft: { amount: '30.00', kind: 'devolucion' },
      stored: { tipo: 'devolucion', comprobante: 'ninguno', origenderecursoId: expect.any(Number) },
      notBy: { edit: 'a kind stays' },
    },
    'with every field, cleaned': {
      draft: {
        amount: '116.00',
        iva: '16.00',
        concept: ' Varilla  de 3/8 ',
        payee: ' La  Palma ',
        folio: 'T-1',
        job: 'own',
        rubro: 'own',
        date: '2026-11-05',
        comments: ' dos bultos ',
      },
      stored: {
        subtotalCents: 10_000,
        ivaCents: 1_600,
        importeCents: 11_600,
        concepto: 'Varilla de 3/8',
        beneficiario: 'La Palma',
        folio: 'T-1',
        jobId: expect.any(Number),
        rubroId: expect.any(Number),
        fecha: '2026-11-05',
        comments: 'dos bultos',
      },
    },
    'with a CFDI without a stated UUID': {
      rule: 'warnOfMissingUuid',
      draft: { amount: '30.00', receipt: 'cfdi' },
      stored: { comprobante: 'cfdi' },
      warns: () => [texts.noUuid],
    },
    'of an unknown fund': {
      rule: 'refuseUnknownFund',
      draft: { amount: '30.00', fund: 'unknown' },
      refused: `No existe la caja chica ${UNKNOWN}.`,
      code: 'not_found',
    },
    'that does not exist': {
      rule: 'refuseMissingRow',
      draft: { amount: '30.00' },
      given: async (fixture) => Object.assign(fixture, { movementId: UNKNOWN }),
      refused: `No existe el movimiento de caja chica ${UNKNOWN}.`,
      code: 'not_found',
      by: ['edit'],
    },
    'that is restored, although it exists already': {
      rule: 'refuseNotDeleted',
      draft: { amount: '30.00' },
      given: ({ db, by, movementId }) => restoreMovement(db, by, movementId),
      refused: ({ movementId }) => `El movimiento ${movementId} no está eliminado.`,
      code: 'not_deleted',
      by: ['restore'],
    },
    'that somebody else has changed meanwhile': {
      rule: 'refuseStaleVersion',
      draft: { amount: '30.00', seen: '1' },
      given: ({ db, by, movementId }) => updateMovement(db, by, movementId, { comments: 'x' }),
      refused: texts.stale,
      code: 'stale',
      by: ['edit'],
    },
    ...refusals(['api'], {
      refuseReplenishmentByHand: {
        'a replenishment without a request': [{ amount: '30.00', kind: 'reposicion' }, texts.ownWay, 'tipo'],
      },
    }),
    'an adjustment, by a user without the right': {
      rule: 'refuseUnauthorizedKind',
      draft: { amount: '-30.00', kind: 'ajuste' },
      given: asResident,
      refused: ({ by }) => describeMissingPrivileges(by.username),
      code: 'forbidden',
      by: ['api', ...TABLES],
      inOtherWords: {
        table: /^A [\w.]+ le falta un rol: .* los importa quien puede autorizar \(rol 1 o 2\)\.$/,
      },
    },
    'without a receipt for good, by a user without the right': {
      rule: 'refuseUnauthorizedAcceptance',
      draft: { amount: '30.00', receipt: 'Sin comprobante' },
      given: asResident,
      refused: '',
      by: TABLES,
      inOtherWords: { table: /lo acepta quien puede autorizar/ },
    },
    'with a text that is too long': {
      rule: 'refuseInvalidTexts',
      draft: { amount: '30.00', concept: 'x'.repeat(301) },
      refused: 'Concepto: máximo 300 caracteres.',
      by: ALL,
    },
    'with amounts that do not add up': {
      rule: 'refuseWrongSum',
      draft: { amount: '30.00', subtotal: '20.00', iva: '3.20' },
      field: 'importe',
      refused: 'El importe debe ser 23.20: subtotal más IVA.',
      code: 'amounts_disagree',
      notBy: IT_WAS_RIGHT,
    },
    'changed to another kind': {
      rule: 'refuseKindChange',
      draft: { amount: '30.00', kind: 'devolucion' },
      refused: texts.kindFixed,
      code: 'movement_fixed',
      by: ['edit'],
    },
    'changed to another amount than a count found': {
      rule: 'refuseCountedChange',
      draft: { amount: '-30.00', kind: 'ajuste' },
      given: async (fixture) => {
        const { db, by, fundId } = fixture;
        const { id } = await countCash(db, await addActor(db), fundId, { denominaciones: { 500: 1 } });
        fixture.movementId = (await postCountDifference(db, by, id, 'Se perdió')).movement.id;
      },
      refused: texts.countFixed,
      code: 'movement_fixed',
      by: ['edit'],
    },
    'changed to another amount than was authorised': {
      rule: 'refuseAuthorizedChange',
      draft: { amount: '30.00', kind: 'apertura' },
      given: async (fixture) => {
        const { db, fundId } = fixture;
        const request = { tipo: 'apertura', concepto: 'Más', importeCents: 100 } as const;
        const { replenishment } = await requestReplenishment(db, await addActor(db), fundId, request);
        const paid = await authorizeReplenishment(db, await addActor(db), replenishment.id);
        fixture.movementId = paid.movement!.id;
      },
      refused: texts.requestFixed,
      code: 'movement_fixed',
      by: ['edit'],
    },
    'changed to another day than the bank says': {
      rule: 'refuseBankMatchedChange',
      draft: { date: '2026-11-19', kind: 'devolucion', amount: '40.00', concept: 'Sobrante' },
      given: async (fixture) => {
        const { db, fundId } = fixture;
        const { ids, origenderecursoId } = await addBankMovements(db, [{ amountCents: 4000 }]);
        const { movement } = await createMovement(db, await addActor(db), fundId, {
          ...{
            tipo: 'devolucion',
            fecha: TODAY,
            concepto: 'Sobrante',
            importeCents: 4000,
            origenderecursoId,
          },
          comprobante: 'ninguno',
        });
        fixture.movementId = movement.id;
        await resolveMovement(db, await addActor(db), ids[0]!, { movimientocajaId: movement.id });
      },
      refused: paymentTexts.bankMatched(TODAY, 'noviembre.csv', false),
      code: 'bank_matched',
      by: ['edit'],
    },
    'changed to another amount than it is replenished with': {
      rule: 'refuseReplenishedChange',
      draft: { amount: '30.00' },
      given: ({ db, by, fundId }) => requestReplenishment(db, by, fundId, {}),
      refused: texts.grouped,
      code: 'movement_fixed',
      by: ['edit'],
    },
    'restored, after it went into a fund and was deleted': {
      rule: 'refuseRestoredDeposit',
      draft: { amount: '30.00' },
      given: async (fixture) => {
        const { db, by, fundId } = fixture;
        await setTo(db, 'autorizacion', 'misma');
        const more = { tipo: 'apertura', concepto: 'Más', importeCents: 100 } as const;
        fixture.movementId = (await createMovement(db, by, fundId, more)).movement.id;
        await deleteMovement(db, by, fixture.movementId);
        await setTo(db, 'autorizacion', 'otra');
      },
      refused: texts.noRestore,
      code: 'movement_fixed',
      by: ['restore'],
    },
    'that an edit leaves unchanged': {
      rule: 'skipUnchanged',
      draft: { amount: '0.01' },
      stored: { importeCents: 1, subtotalCents: 1 },
      by: ['edit'],
    },
    ...refusals(ALL, {
      refuseMissingFields: {
        'without a concept': [{ amount: '30.00', concept: '' }, texts.required, 'concepto'],
        'without an amount': [{}, texts.required, 'importe'],
      },
      refuseInvalidFields: {
        'with a negative amount': [{ amount: '-5.00' }, texts.notPositive, 'importe'],
        'with more IVA than its amount': [{ amount: '30.00', iva: '40.00' }, texts.iva, 'iva'],
        'dated before the fund was opened': [
          { amount: '30.00', date: '2026-10-31' },
          texts.beforeOpening('2026-11-01'),
          'fecha',
        ],
        'with a future day': [{ amount: '30.00', date: '2026-11-21' }, texts.later, 'fecha'],
        'with a UUID for a note': [
          { amount: '30.00', uuid: 'AAAAAAAA-1111-4222-8333-0000000000AA' },
          texts.uuidOfCfdi,
          'uuid',
        ],
        'with a receipt due before the expense': [
          { amount: '30.00', receipt: 'ninguno', term: '2026-11-19' },
          texts.term,
          'comprobarAntes',
        ],
      },
    }),
    ...refusals(BY_HAND, {
      refuseInvalidFields: {
        'with an invalid UUID': [{ amount: '30.00', receipt: 'cfdi', uuid: 'no' }, texts.uuid, 'uuid'],
      },
      refuseUnknownReferences: {
        'for an unknown obra': [
          { amount: '30.00', job: 'unknown' },
          `No existe la obra ${UNKNOWN}.`,
          'jobId',
        ],
        'for an unknown rubro': [
          { amount: '30.00', rubro: 'unknown' },
          `No existe el rubro ${UNKNOWN}.`,
          'rubroId',
        ],
      },
    }),
    ...refusals(['api', ...TABLES], {
      refuseInvalidFields: {
        'money that returns to its source, for an obra': [
          { amount: '30.00', kind: 'devolucion', job: 'own' },
          texts.onlyGasto,
          'jobId',
        ],
      },
    }),
    ...refusals(TABLES, {
      refuseUnusedOrigin: {
        'an expense from a source': [{ amount: '30.00', source: 'own' }, texts.onlyOrigin],
      },
      refuseUnreplenishable: {
        'money that returns to its source, in a replenishment': [
          { amount: '30.00', kind: 'devolucion', group: '7' },
          texts.onlyReplenished,
        ],
        'an expense with a missing receipt, in a replenishment': [
          { amount: '30.00', receipt: 'ninguno', group: '7' },
          texts.notProved,
        ],
      },
    }),
    'a row that is on file': {
      rule: 'skipStored',
      draft: { amount: '30.00' },
      given: (fixture) => spend(fixture, { amount: '30.00' }),
      by: TABLES,
    },
    'with a CFDI whose UUID has invisible characters': {
      draft: { amount: '30.00', receipt: 'cfdi', uuid: 'grouped otherwise' },
      stored: {
        comprobante: 'cfdi',
        uuid: expect.stringMatching(/^AAAAAAAA-1111-4222-8333-\d{12}$/),
      },
    },
    'with a CFDI that is an invoice': {
      rule: 'refuseTakenReceipt',
      draft: { amount: '30.00', receipt: 'cfdi', uuid: 'own' },
      given: ({ db, uuid }) => addInvoice(db, { uuid, numfactura: 'F-9' }),
      refused: texts.uuidOfInvoice('F-9'),
      code: 'uuid_taken',
    },
    'with a CFDI that another document replaces': {
      rule: 'refuseReplaced',
      draft: { amount: '30.00', receipt: 'cfdi', uuid: 'own' },
      given: ({ db, uuid }) => replaceDocument(db, uuid),
      refused: `Lo sustituyó el CFDI ${LATER_UUID}, que es la factura A-2: no se guarda.`,
    },
    'with a CFDI that another expense has': {
      rule: 'refuseTakenReceipt',
      draft: { amount: '30.00', receipt: 'cfdi', uuid: 'own' },
      given: (fixture) => spend(fixture, { receipt: 'cfdi', uuid: 'own', concept: 'Otros' }),
      refused: ({ fundName }) => texts.uuidOfMovement('Otros', fundName),
      code: 'uuid_taken',
    },
    'in a closed period': {
      rule: 'refuseClosedPeriod',
      draft: { amount: '30.00', date: '2026-11-05' },
      given: ({ db }) => setClosingDate(db, '2026-11-10'),
      refused:
        'El jueves 5 de noviembre de 2026 es de un periodo cerrado (hasta el martes 10 de noviembre de 2026). Solo un administrador puede cambiarlo, con un motivo.',
      code: 'closed_period',
      inOtherWords: { table: /es de un periodo cerrado.*No se importa: lo captura un administrador a mano/ },
    },
    'of a closed fund': {
      rule: 'refuseClosedFund',
      draft: { amount: '30.00' },
      given: (fixture) => setFund(fixture, { closedOn: AT_ONCE }),
      refused: ({ fundName }) => texts.closed(fundName, AT_ONCE),
      code: 'fund_closed',
    },
    'money put in without a request': {
      rule: 'refuseFundingByOnePerson',
      draft: { amount: '30.00', kind: 'apertura' },
      refused: texts.asksFirst,
      code: 'same_author',
      by: ['api', ...TABLES],
      inOtherWords: { table: /solo a una caja sin movimientos/ },
    },
    'money put in with the history of a fund': {
      draft: { amount: '30.00', kind: 'apertura', source: 'own' },
      given: emptyFund,
      stored: { tipo: 'apertura', comprobante: 'ninguno', origenderecursoId: expect.any(Number) },
      by: TABLES,
    },
    'above the limit of the fund': {
      rule: 'refuseOverCap',
      draft: { amount: '30.00' },
      field: 'importe',
      given: (fixture) => setFund(fixture, { topeCents: 2_999 }),
      refused: texts.overCap(2_999),
      code: 'over_cap',
      notBy: { restore: 'it takes no more than it did' },
    },
    'above the limit of the firm': {
      rule: 'refuseOverCap',
      draft: { amount: '30.00' },
      given: ({ db }) => setTo(db, 'caja.tope', '29.99'),
      refused: texts.overCap(2_999),
      code: 'over_cap',
      notBy: { restore: 'it takes no more than it did' },
    },
    'above the budget of its obra, where that is refused': {
      rule: 'refuseBudgetExcess',
      draft: { amount: '30.00', job: 'own', rubro: 'own' },
      given: (fixture) => allow(fixture, 'impedir'),
      refused:
        'El gasto excede el presupuesto. Presupuesto 10 · Gastado 0 · Este 30 → excede 20. Para guardarlo de todos modos, indica el motivo.',
      code: 'budget_exceeded',
      inOtherWords: { table: /Este 30 → excede 20\. Solo Dirección puede guardarlo, con un motivo\./ },
    },
    'above the budget of its obra, with a warning': {
      draft: { amount: '30.00', job: 'own', rubro: 'own' },
      given: (fixture) => allow(fixture, 'avisar'),
      stored: { jobId: expect.any(Number), rubroId: expect.any(Number) },
      warns: () => ['Presupuesto 10 · Gastado 0 · Este 30 → excede 20'],
    },
    'above what is in the fund': {
      rule: 'rejectUncoveredMovements',
      draft: { amount: '30.00' },
      field: 'importe',
      given: (fixture) => spend(fixture, { amount: '970.01', concept: 'Otros' }),
      refused: ({ fundName }) => texts.short(fundName, 2_999),
      code: 'fund_short',
      // The edited movement had already taken one cent.
      inOtherWords: { edit: /solo hay \$29\.98/ },
    },
    'a replenishment of other expenses': {
      rule: 'rejectUnequalReplenishments',
      draft: { amount: '30.00', kind: 'reposicion', group: '7' },
      given: emptyFund,
      refused: texts.replenishesOther('7', 3_000, 0),
      by: TABLES,
    },
    'a replenishment of zero': {
      rule: 'warnOfUnassignedReplenishment',
      draft: { amount: '30.00', kind: 'reposicion' },
      given: emptyFund,
      stored: {
        tipo: 'reposicion',
        comprobante: 'ninguno',
        replenishmentId: expect.any(Number),
        origenderecursoId: expect.any(Number),
      },
      warns: () => [texts.replenishesNothing],
      by: TABLES,
    },
    'that looks like another one': {
      rule: 'warnOfSimilarMovement',
      draft: { amount: '30.00' },
      given: (fixture) => spend(fixture, { amount: '30.00', concept: 'Tornillos' }),
      warns: () => [texts.alike('Tornillos')],
      by: TABLES,
    },
  },
});
