import { expect } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { fundRules } from '../../server/services/petty-cash/fund-rules.ts';
import { updateFund } from '../../server/services/petty-cash/funds.ts';
import { createMovement } from '../../server/services/petty-cash/movements.ts';
import { pettyCashTexts as texts } from '../../shared/petty-cash-texts.ts';
import { describeMissingPrivileges } from '../../shared/roles.ts';
import { pages } from '../../shared/urls.ts';
import { setClosingDate } from '../support/dated-rows.ts';
import { addFund, allowSelfApproval } from '../support/petty-cash.ts';
import { addActor, addFundingSource, addInvoice, addJob, addUser } from '../support/rows.ts';
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

interface Typed {
  name?: string;
  holder?: 'none' | 'unknown' | 'gone' | 'nobody';
  source?: 'none' | 'unknown';
  job?: 'own' | 'unknown';
  fixed?: string;
  cap?: string;
  date?: string;
  opening?: string;
  /** the funding source whose payments are made out of the fund */
  paying?: 'own' | 'same';
  comments?: string;
}

interface Fixture extends Clients {
  name: string;
  holderId: number;
  holder: string;
  sourceId: number;
  source: string;
  payingId: number;
  paying: string;
  jobId: number;
  job: string;
  fundId: number;
}

let count = 0;

async function open(db: Db): Promise<Fixture> {
  count += 1;
  await setClosingDate(db, '');
  const [name, source, paying, job] = [
    `Caja ${count} de obra`,
    `Banco ${count}`,
    `Efectivo ${count}`,
    `Torre ${count}`,
  ];
  const holder = await addUser(db, { roles: [6] });
  return {
    ...(await signIn(db)),
    name,
    holderId: holder.id,
    holder: holder.username,
    sourceId: await addFundingSource(db, { origenderecursonombre: source }),
    source,
    payingId: await addFundingSource(db, { origenderecursonombre: paying }),
    paying,
    jobId: await addJob(db, { jobtitle: job }),
    job,
    fundId: 0,
  };
}

const OPENED = '2026-11-03';

const membersOf = (fixture: Fixture, draft: Typed) => ({
  nombre: draft.name ?? fixture.name,
  responsableId: { none: '', unknown: UNKNOWN, nobody: '', gone: fixture.holderId }[draft.holder ?? 'gone'],
  origenderecursoId: { none: '', unknown: UNKNOWN, own: fixture.sourceId }[draft.source ?? 'own'],
  jobId: draft.job && { own: fixture.jobId, unknown: UNKNOWN }[draft.job],
  montofijo: draft.fixed,
  tope: draft.cap,
  openedOn: draft.date ?? OPENED,
  apertura: draft.opening,
  pagosOrigenId: draft.paying && { own: fixture.payingId, same: fixture.sourceId }[draft.paying],
  comments: draft.comments,
});

const form: Door<Fixture, Typed> = {
  hasNoCodes: true,
  send: (fixture, draft) =>
    responseOfForm(fixture.browser, fixture.browser.form(pages.newPettyCashFund, membersOf(fixture, draft))),
};

const api: Door<Fixture, Typed> = {
  send: (fixture, draft) => responseOfApi(fixture.script.post('/api/cajachica', membersOf(fixture, draft))),
};

const edit: Door<Fixture, Typed> = {
  unsupported: ['opening'],
  async arrange(fixture) {
    const other = { nombre: `Otra ${count}`, responsableId: fixture.holderId, openedOn: OPENED };
    fixture.fundId = (await addFund(fixture.db, { ...other, aperturaCents: 0 })).id;
  },
  send(fixture, draft) {
    const { apertura: _opening, ...members } = membersOf(fixture, draft);
    return responseOfApi(fixture.script.put(`/api/cajachica/${fixture.fundId}`, members));
  },
};

const HEADINGS =
  'Caja,Responsable,Origen de recurso,Obra,Monto fijo,Tope por gasto,Fecha de apertura,Pagos desde la caja,Observaciones';

const { table, preview } = tableDoors<Fixture, Typed>(
  'cajas',
  (fixture, draft) => {
    const { name = fixture.name, holder, source, job, fixed, cap, date = OPENED, paying, comments } = draft;
    const cells = [
      ...[name, holder === 'nobody' ? 'Nadie' : holder === 'none' ? '' : fixture.holder],
      ...[source === 'none' ? '' : fixture.source, job && fixture.job, fixed, cap, date],
      ...[paying && { own: fixture.paying, same: fixture.source }[paying], comments],
    ];
    return tableLines(HEADINGS, cells);
  },
  { unsupported: ['opening'] },
);

/** Stores a payment from a funding source before a fund uses it. */
const payOut = async ({ db, by, payingId: origenderecursoId }: Fixture) =>
  createPayment(db, by, { facturaproveedorId: await addInvoice(db), amountCents: 500, origenderecursoId });

const addSame = ({ db, name: nombre, holderId: responsableId, sourceId: origenderecursoId }: Fixture) =>
  addFund(db, { nombre, responsableId, origenderecursoId, openedOn: OPENED, aperturaCents: 0 });

const BY_HAND = ['form', 'api', 'edit'];
drive<Fixture, Typed>('petty cash funds', {
  rules: fundRules.map(({ name }) => name),
  open,
  doors: { form, api, edit, table, preview },
  read: ({ db }) => readRows(db, 'petty_cash_funds'),
  defaults: ({ name, holderId, sourceId }) => ({
    nombre: name,
    nombreFold: name.toLowerCase(),
    responsableId: holderId,
    jobId: null,
    montofijoCents: null,
    topeCents: null,
    origenderecursoId: sourceId,
    pagosOrigenId: null,
    openedOn: OPENED,
    closedOn: null,
    comments: '',
  }),
  cases: {
    'a fund with only the required fields': { draft: {} },
    'with every field, cleaned': {
      draft: { job: 'own', fixed: '5000.00', cap: '150.50', paying: 'own', comments: ' de obra ' },
      stored: {
        jobId: expect.any(Number),
        montofijoCents: 500_000,
        topeCents: 15_050,
        pagosOrigenId: expect.any(Number),
        comments: 'de obra',
      },
    },
    'with a name that is too long': {
      rule: 'refuseInvalidTexts',
      draft: { name: 'x'.repeat(121) },
      refused: 'Nombre: máximo 120 caracteres.',
      inOtherWords: { table: /120 caracteres/ },
    },
    'a row that is on file': {
      rule: 'skipOrRefuseStored',
      draft: {},
      given: addSame,
      by: TABLES,
    },
    'a row that is on file with other data': {
      rule: 'skipOrRefuseStored',
      draft: { fixed: '500.00' },
      given: addSame,
      refused: '',
      by: TABLES,
      inOtherWords: { table: /monto fijo: «»; en este archivo «\$500/ },
    },
    'by a user who may not open one': {
      rule: 'refuseUnauthorizedOpening',
      draft: {},
      given: async (fixture) => void Object.assign(fixture, await signIn(fixture.db, 6)),
      refused: ({ by }) => describeMissingPrivileges(by.username),
      code: 'forbidden',
      by: ['api', 'edit', ...TABLES],
      inOtherWords: {
        table: /^A [\w.]+ le falta un rol: una caja la abren Dirección o Contabilidad \(rol 1 o 2\)\.$/,
      },
    },
    ...refusals(TABLES, {
      refuseUnknownHolder: {
        'with an unknown holder': [{ holder: 'nobody' }, texts.noHolder('Nadie')],
      },
    }),
    ...refusals('all', {
      refuseMissingFields: {
        'without a holder': [{ holder: 'none' }, texts.fundRequired, 'responsableId'],
        'without a source that fills it': [{ source: 'none' }, texts.fundRequired, 'origenderecursoId'],
        'with a limit of zero': [{ cap: '0.00' }, texts.notPositive, 'tope'],
        'that pays from the source that fills it': [{ paying: 'same' }, texts.sameSource],
      },
      refuseFutureOpening: {
        'with a future opening day': [{ date: '2026-11-21' }, texts.openedLater],
        'with a negative opening balance': [{ opening: '-1.00' }, texts.negativeOpening, 'apertura'],
      },
    }),
    'that an edit leaves unchanged': {
      rule: 'skipUnchanged',
      draft: {},
      given: async (fixture) => {
        const { db, by, fundId, name: nombre, sourceId: origenderecursoId } = fixture;
        await updateFund(db, by, fundId, { nombre, origenderecursoId });
      },
      by: ['edit'],
    },
    'in a closed period': {
      rule: 'refuseClosedPeriod',
      draft: { date: '2026-11-02' },
      given: ({ db }) => setClosingDate(db, '2026-11-02'),
      refused:
        'El lunes 2 de noviembre de 2026 es de un periodo cerrado (hasta el lunes 2 de noviembre de 2026). Solo un administrador puede cambiarlo, con un motivo.',
      code: 'closed_period',
      inOtherWords: { table: /es de un periodo cerrado.*No se importa: lo captura un administrador a mano/ },
    },
    ...refusals(BY_HAND, {
      refuseUnknownReferences: {
        'with a holder who does not exist': [{ holder: 'unknown' }, `No existe el usuario ${UNKNOWN}.`],
        'for an unknown obra': [{ job: 'unknown' }, `No existe la obra ${UNKNOWN}.`],
        'with an unknown source': [{ source: 'unknown' }, `No existe el origen de recurso ${UNKNOWN}.`],
      },
    }),
    'with a holder who may no longer sign in': {
      rule: 'refuseInactiveHolder',
      draft: { holder: 'gone' },
      given: async (fixture) => {
        fixture.holderId = (await addUser(fixture.db, { roles: [6], active: false })).id;
      },
      refused: texts.inactiveHolder,
      by: BY_HAND,
    },
    'with the name of another fund': {
      rule: 'refuseDuplicateName',
      draft: {},
      field: 'nombre',
      given: ({ db, name }) => addFund(db, { nombre: name.toUpperCase(), aperturaCents: 0 }),
      refused: ({ name }) => texts.nameTaken(name),
      code: 'fund_taken',
      by: BY_HAND,
    },
    'that pays from the source of another fund': {
      rule: 'refuseSharedSource',
      draft: { paying: 'own' },
      given: ({ db, payingId }) => addFund(db, { pagosOrigenId: payingId, aperturaCents: 0 }),
      refused: ({ paying }) => texts.sourceTaken(`«${paying}»`),
      code: 'fund_taken',
    },
    'opened after its movements': {
      rule: 'refuseLateOpening',
      draft: { date: '2026-11-05' },
      field: 'openedOn',
      given: async ({ db, fundId }) => {
        await allowSelfApproval(db);
        const put = { tipo: 'apertura', fecha: '2026-11-04', concepto: 'Más', importeCents: 1 } as const;
        await createMovement(db, await addActor(db), fundId, put);
      },
      refused: texts.opensAfterMovements('2026-11-04'),
      by: ['edit'],
    },
    'that has paid more than it ever contained': {
      rule: 'refuseUncoveredPayments',
      draft: { paying: 'own' },
      given: payOut,
      refused: ({ name }) => texts.paidMore(name, -500),
      code: 'fund_short',
    },
  },
});
