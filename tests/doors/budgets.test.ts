import type { Db } from '../../db/schema.ts';
import { rules, saveBudgetOfJob } from '../../server/services/budgets/write.ts';
import { budgetTexts } from '../../shared/budgets.ts';
import { NO_RUBRO } from '../../shared/invoices.ts';
import { pages } from '../../shared/urls.ts';
import { addJob, addRubro } from '../support/rows.ts';
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
  amount?: string;
  rubro?: 'none' | 'unknown';
  job?: 'unknown' | 'none';
  motivo?: string;
  seen?: number;
  isTwice?: true;
}

interface Fixture extends Clients {
  jobId: number;
  jobtitle: string;
  rubroId: number;
}

let count = 0;

async function open(db: Db): Promise<Fixture> {
  const jobtitle = `Torre ${++count}`;
  return {
    ...(await signIn(db)),
    jobId: await addJob(db, { jobtitle }),
    jobtitle,
    rubroId: await addRubro(db, { nombrerubro: `Acero ${count}` }),
  };
}

const rubroOf = ({ rubroId }: Fixture, { rubro }: Typed) =>
  ({ none: null, unknown: UNKNOWN, own: rubroId })[rubro ?? 'own'];

const set = (fixture: Fixture, presupuestoCents: number, motivo = 'Contrato') =>
  saveBudgetOfJob(fixture.db, fixture.by, fixture.jobId, {
    motivo,
    partidas: [{ rubroId: fixture.rubroId, presupuestoCents }],
  });

const form: Door<Fixture, Typed> = {
  hasNoCodes: true,
  unsupported: ['seen', 'isTwice'],
  send: (fixture, { amount, motivo = 'Contrato', ...draft }) => {
    const cell = `p.${draft.job ? UNKNOWN : fixture.jobId}.${rubroOf(fixture, draft) ?? NO_RUBRO}`;
    return responseOfForm(
      fixture.browser,
      fixture.browser.form(`${pages.budgets}?jobId=${fixture.jobId}`, { [cell]: amount, motivo, visto: '' }),
    );
  },
};

const api: Door<Fixture, Typed> = {
  send: (fixture, { amount, motivo = 'Contrato', seen: version, isTwice, ...draft }) => {
    const line = { rubroId: rubroOf(fixture, draft), presupuesto: amount, version };
    const partidas = isTwice ? [line, line] : [line];
    return responseOfApi(
      fixture.script.put(`/api/presupuestos/${draft.job ? UNKNOWN : fixture.jobId}`, { motivo, partidas }),
    );
  },
};

const edit: Door<Fixture, Typed> = {
  ...api,
  arrange: (fixture) => set(fixture, 1),
};

const { table, preview } = tableDoors<Fixture, Typed>(
  'budgets',
  (fixture, draft) => {
    const { amount = '', motivo = 'Contrato', isTwice } = draft;
    const job = { own: fixture.jobtitle, unknown: 'Nadie', none: '' }[draft.job ?? 'own'];
    const rubro = { own: `Acero ${count}`, none: 'Sin rubro', unknown: 'Nada' }[draft.rubro ?? 'own'];
    const line = [job, rubro, amount, motivo];
    const first = job === '' || amount === '' ? [[fixture.jobtitle, 'Sin rubro', '7.00', 'Contrato']] : [];
    return tableLines('Obra,Rubro,Presupuesto,Motivo', ...first, line, ...(isTwice ? [line] : []));
  },
  { unsupported: ['seen'] },
);

drive<Fixture, Typed>('budgets', {
  rules: rules.map(({ name }) => name),
  open,
  doors: { form, api, edit, table, preview },
  read: ({ db, jobId }) =>
    db
      .selectFrom('budget_changes')
      .innerJoin('budgets', 'budgets.id', 'budgetId')
      .where('jobId', '=', jobId)
      .select(['rubroId', 'budgets.amountCents', 'budget_changes.amountCents as setCents', 'motivo'])
      .select('budget_changes.userId')
      .orderBy('budget_changes.id')
      .execute(),
  defaults: ({ rubroId, by: { userId } }) => ({
    rubroId,
    amountCents: 50_000_050,
    setCents: 50_000_050,
    motivo: 'Contrato',
    userId,
  }),
  cases: {
    'for a rubro': { draft: { amount: '500,000.50' } },
    'for the whole obra, without a rubro': {
      draft: { amount: '500,000.50', rubro: 'none' },
      stored: { rubroId: null },
    },
    ...refusals(['form', 'api', 'edit'], {
      refuseMissingReason: {
        'without a reason': [{ amount: '1.00', motivo: ' ' }, budgetTexts.noReason],
      },
    }),
    'without a reason in its table': {
      draft: { amount: '500,000.50', motivo: '' },
      stored: { motivo: 'Importado de una tabla' },
      by: TABLES,
    },
    ...refusals('all', {
      refuseInvalidTexts: {
        'with a reason that is too long': [
          { amount: '1.00', motivo: 'x'.repeat(501) },
          'Motivo: máximo 500 caracteres.',
        ],
      },
      refuseNegativeAmount: {
        'with a negative amount': [{ amount: '-1.00' }, budgetTexts.negative],
      },
    }),
    ...refusals(TABLES, {
      refuseMissingAmount: {
        'without an amount': [{}, budgetTexts.noAmount],
      },
      refuseUnknownJob: {
        'without an obra': [{ amount: '1.00', job: 'none' }, budgetTexts.noJob],
      },
    }),
    'with a fraction of a cent': {
      draft: { amount: '1.0055' },
      refused: 'Presupuesto: máximo dos decimales.',
    },
    ...refusals(['api', 'edit'], {
      refuseRepeated: {
        'twice in one request': [{ amount: '1.00', isTwice: true }, budgetTexts.twice],
      },
    }),
    'for an unknown obra': {
      rule: 'refuseUnknownJob',
      draft: { amount: '1.00', job: 'unknown' },
      refused: `No existe la obra ${UNKNOWN}.`,
      code: 'not_found',
      notBy: { edit: 'it is of its obra' },
      inOtherWords: { table: /No existe la obra «Nadie»/ },
    },
    'for an unknown rubro': {
      rule: 'refuseUnknownRubro',
      draft: { amount: '1.00', rubro: 'unknown' },
      refused: `No existe el rubro ${UNKNOWN}.`,
      inOtherWords: { table: /No existe el rubro «Nada»/ },
    },
    'that is on file with another amount': {
      rule: 'skipOrRefuseStored',
      draft: { amount: '1.00' },
      given: (fixture) => set(fixture, 200),
      refused: ({ jobtitle }) =>
        `El presupuesto de «${jobtitle}» en Acero ${count} ya está con otros datos: es un conflicto (presupuesto: «$2.00»; en este archivo «$1.00»).`,
      by: TABLES,
    },
    'that is on file with the same amount': {
      draft: { amount: '500,000.50' },
      given: (fixture) => set(fixture, 50_000_050),
      by: TABLES,
    },
    'that an edit leaves unchanged': {
      rule: 'skipUnchanged',
      draft: { amount: '0.01', motivo: 'Nada' },
      stored: { amountCents: 1, setCents: 1 },
      by: ['edit'],
    },
    'that somebody else has changed meanwhile': {
      rule: 'refuseStaleVersion',
      draft: { amount: '1.00', seen: 1 },
      given: (fixture) => set(fixture, 200, 'Convenio'),
      refused: budgetTexts.stale,
      code: 'stale',
      by: ['edit'],
    },
  },
});
