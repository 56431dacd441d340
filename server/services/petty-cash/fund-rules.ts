import { forUpdate, isOneOf } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import {
  checkFund,
  FUND_FIELDS,
  type FundFieldValues,
  type PettyCashFund,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { type BrokenRule, createRefusal } from '../../../shared/refusal.ts';
import { conflictRemark, createRemark, withRemedyCode } from '../../../shared/remarks.ts';
import { describeMissingPrivileges, mayEnter } from '../../../shared/roles.ts';
import { fold } from '../../../shared/text.ts';
import { CLI_USERNAME } from '../../../shared/users.ts';
import type { Actor } from '../audit/audit.ts';
import { closedPeriodRefusal, type LastClosedDay, lockAndReadClosing } from '../closing/closing.ts';
import { distinctIds, readExistingIds } from '../stored-rows.ts';
import { type RuleResult, unchangedResult } from '../write-drafts.ts';
import { cleanTextFields } from './draft.ts';
import { readCash } from './fund-cash.ts';
import { lockAndReadFund, readFunds } from './reading.ts';
import { needsSecondPerson } from './requests.ts';

interface ReferenceNames {
  responsable: string;
  origin: string;
  obra: string;
  paying: string;
}

export interface FundInput extends FundFieldValues {
  /** the fund to change; fields that the input omits keep their values */
  id?: number;
  version?: number;
  aperturaCents?: Cents;
  /** for a row of a file: the names of what it refers to, as the file states them */
  statedNames?: ReferenceNames & { line: number };
  holderProblem?: BrokenRule;
}

export type FundColumns = Pick<PettyCashFund, (typeof STORED_FUND_COLUMNS)[number]>;

export const STORED_FUND_COLUMNS = [
  'nombre',
  'responsableId',
  'jobId',
  'montofijoCents',
  'topeCents',
  'origenderecursoId',
  'pagosOrigenId',
  'openedOn',
  'comments',
] as const satisfies readonly (keyof PettyCashFund)[];

export interface CompletedFund extends FundColumns, Pick<FundInput, 'statedNames' | 'holderProblem'> {
  brokenRule?: BrokenRule;
  aperturaCents: Cents;
  previous?: PettyCashFund;
  /** set if the change moves payments into or out of the fund: the fund's cash after and before */
  cashBeforeAndAfter?: { after: Cents; before: Cents };
  firstMovementDay?: PlainDate;
}

interface FundRuleFacts {
  actor: Actor;
  closing: LastClosedDay;
  /** funds in the database, and accepted ones of the same file */
  funds: (FundColumns & ReferenceNames & { id?: number; line?: number })[];
  users: ReadonlySet<number>;
  holders: ReadonlySet<number>;
  sources: ReadonlySet<number>;
  jobs: ReadonlySet<number>;
}

/** Only the first broken rule is reported, so the order counts. */
const RULES: Record<string, (draft: CompletedFund, facts: FundRuleFacts) => RuleResult> = {
  refuseInvalidTexts: ({ brokenRule }) => brokenRule,

  skipOrRefuseStored({ statedNames, ...draft }, { funds }) {
    const existing = statedNames && funds.find(({ nombre }) => fold(nombre) === fold(draft.nombre));
    if (!existing) return undefined;
    const differences: [field: string, label: string, stored: string, stated: string][] = [
      ['responsableId', 'responsable', existing.responsable, statedNames.responsable],
      ['origenderecursoId', 'origen de recurso', existing.origin, statedNames.origin],
      ['jobId', 'obra', existing.obra, statedNames.obra],
      ['openedOn', 'apertura', formatDate(existing.openedOn), formatDate(draft.openedOn || null)],
      ['montofijo', 'monto fijo', amountText(existing.montofijoCents), amountText(draft.montofijoCents)],
      ['tope', 'tope', amountText(existing.topeCents), amountText(draft.topeCents)],
      ['pagosOrigenId', 'pagos desde la caja', existing.paying, statedNames.paying],
      ['comments', 'observaciones', existing.comments, draft.comments],
    ];
    const other = differences.find(([, , stored, stated]) => stated !== '' && fold(stated) !== fold(stored));
    if (!other) return unchangedResult(existing.line);
    const [field, label, stored, stated] = other;
    const where = existing.line ? ` (renglón ${existing.line})` : '';
    return createRefusal(
      conflictRemark(createRemark`La caja chica «${existing.nombre}»${where}`, label, stored, stated),
      field,
    );
  },

  refuseUnauthorizedOpening({ statedNames }, { actor: { roles, username } }) {
    if (mayEnter('approval', roles)) return undefined;
    const message = statedNames
      ? withRemedyCode(texts.approverOpens(username), 'act-as')
      : describeMissingPrivileges(username);
    return { kind: 'forbidden', message, field: 'nombre' };
  },

  refuseUnknownHolder: ({ holderProblem }) => holderProblem,

  refuseMissingFields: (draft) => checkFund(draft),

  skipUnchanged: (draft) =>
    draft.previous && !hasDifferentColumns(draft, draft.previous)
      ? { unchanged: true, warnings: [] }
      : undefined,

  refuseFutureOpening({ openedOn, aperturaCents }, { actor }) {
    if (openedOn > actor.today) return createRefusal(texts.openedLater, 'openedOn');
    return aperturaCents < 0 ? createRefusal(texts.negativeOpening, 'apertura') : undefined;
  },

  refuseClosedPeriod(draft, { actor, closing }) {
    const { previous, openedOn } = draft;
    if (!changesPaymentSource(draft)) return undefined;
    const broken =
      (previous && closedPeriodRefusal(actor, previous.openedOn, closing)) ??
      closedPeriodRefusal(actor, openedOn, closing);
    return broken && { ...broken, field: 'openedOn' };
  },

  refuseUnknownReferences(draft, { users, sources, jobs }) {
    for (const [field, existing, noun] of [
      ['responsableId', users, 'el usuario'],
      ['origenderecursoId', sources, 'el origen de recurso'],
      ['pagosOrigenId', sources, 'el origen de recurso'],
      ['jobId', jobs, 'la obra'],
    ] as const) {
      const id = draft[field];
      // Ids below zero belong to rows that the same file creates.
      if (id !== null && id > 0 && !existing.has(id)) return createRefusal(`No existe ${noun} ${id}.`, field);
    }
    return undefined;
  },

  refuseInactiveHolder: ({ previous, responsableId }, { holders }) =>
    responsableId === previous?.responsableId || holders.has(responsableId)
      ? undefined
      : createRefusal(texts.inactiveHolder, 'responsableId'),

  refuseDuplicateName({ previous, nombre }, { funds }) {
    const namesake = funds.find((one) => one.id !== previous?.id && fold(one.nombre) === fold(nombre));
    return namesake && takenByFundRefusal(texts.nameTaken(nombre), 'nombre', namesake.id);
  },

  refuseSharedSource({ previous, pagosOrigenId }, { funds }) {
    if (pagosOrigenId === null) return undefined;
    const other = funds.find((one) => one.id !== previous?.id && one.pagosOrigenId === pagosOrigenId);
    return other && takenByFundRefusal(texts.sourceTaken(`«${other.paying}»`), 'pagosOrigenId', other.id);
  },

  refuseLateOpening: ({ openedOn, firstMovementDay }) =>
    firstMovementDay && firstMovementDay < openedOn
      ? createRefusal(texts.opensAfterMovements(firstMovementDay), 'openedOn')
      : undefined,

  refuseUncoveredPayments: ({ nombre, cashBeforeAndAfter }) =>
    cashBeforeAndAfter && cashBeforeAndAfter.after < Math.min(0, cashBeforeAndAfter.before)
      ? {
          ...createRefusal(texts.paidMore(nombre, cashBeforeAndAfter.after), 'pagosOrigenId'),
          code: 'fund_short',
        }
      : undefined,
};

export const fundRules = Object.values(RULES);

const amountText = (cents: Cents | null): string => (cents === null ? '' : formatMoney(cents));

export const hasDifferentColumns = (one: FundColumns, other: FundColumns): boolean =>
  STORED_FUND_COLUMNS.some((name) => one[name] !== other[name]);

const changesPaymentSource = ({ previous, openedOn, pagosOrigenId }: CompletedFund): boolean =>
  openedOn !== previous?.openedOn || pagosOrigenId !== previous.pagosOrigenId;

export const takenByFundRefusal = (message: string, field: string, existingId?: number): BrokenRule => ({
  ...createRefusal(message, field),
  kind: 'conflict',
  code: 'fund_taken',
  extra: existingId === undefined ? undefined : { existingId },
});

/** All funds are read, since a firm has few; changed ones are locked one by one. */
export async function readFundDraftsAndFacts(
  trx: Trx,
  actor: Actor,
  inputs: readonly FundInput[],
): Promise<{ facts: FundRuleFacts; drafts: CompletedFund[] }> {
  const drafts: CompletedFund[] = [];
  for (const { id, version, ...input } of inputs)
    drafts.push(
      completeFund(input, id === undefined ? undefined : await lockAndReadFund(trx, id, version), actor),
    );
  const closing = await lockAndReadClosing(trx);
  for (const one of drafts) await addCashAndFirstMovementDay(trx, one);
  // The holders are locked: deactivating one of them waits, and then finds the fund.
  const users = await trx
    .selectFrom('users')
    .select(['id', 'active', 'username'])
    .where(isOneOf(trx, 'id', distinctIds(drafts.map(({ responsableId }) => responsableId))))
    .orderBy('id')
    .modifyEnd(forUpdate(trx))
    .execute();
  const holders = users.filter(({ active, username }) => active && username !== CLI_USERNAME);
  const sources = drafts.flatMap((one) => [one.origenderecursoId, one.pagosOrigenId]);
  const funds = (await readFunds(trx)).map((fund) => ({
    ...fund,
    origin: fund.origenderecursonombre ?? '',
    obra: fund.jobtitle ?? '',
    paying: fund.pagosOrigen ?? '',
  }));
  const facts: FundRuleFacts = {
    actor,
    closing,
    funds,
    users: new Set(users.map(({ id }) => id)),
    holders: new Set(holders.map(({ id }) => id)),
    sources: await readExistingIds(trx, 'funding_sources', distinctIds(sources)),
    jobs: await readExistingIds(trx, 'jobs', distinctIds(drafts.map(({ jobId }) => jobId))),
  };
  return { facts, drafts };
}

function completeFund(input: FundInput, previous: PettyCashFund | undefined, actor: Actor): CompletedFund {
  const named = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const merged: Partial<PettyCashFund> & FundInput = { ...previous, ...named };
  return {
    ...input,
    previous,
    ...cleanTextFields(FUND_FIELDS, ['nombre', 'comments'], merged),
    responsableId: merged.responsableId ?? 0,
    jobId: merged.jobId ?? null,
    montofijoCents: merged.montofijoCents ?? null,
    topeCents: merged.topeCents ?? null,
    origenderecursoId: merged.origenderecursoId ?? null,
    pagosOrigenId: merged.pagosOrigenId ?? null,
    openedOn: merged.openedOn ?? (previous || input.statedNames ? '' : actor.today),
    aperturaCents: input.aperturaCents ?? 0,
  };
}

async function addCashAndFirstMovementDay(trx: Trx, draft: CompletedFund): Promise<void> {
  const { previous, pagosOrigenId, openedOn, aperturaCents } = draft;
  if (!changesPaymentSource(draft) || openedOn === '') return;
  const paid = await readCash(trx, { id: previous?.id ?? 0, pagosOrigenId, openedOn });
  const openingCents = aperturaCents > 0 && !(await needsSecondPerson(trx)) ? aperturaCents : 0;
  draft.cashBeforeAndAfter = {
    after: paid + openingCents,
    before: previous ? await readCash(trx, previous) : 0,
  };
  if (!previous) return;
  const moved = trx.selectFrom('petty_cash_movements').where('fundId', '=', previous.id);
  draft.firstMovementDay = (
    await moved.select(({ fn }) => fn.min('fecha').as('day')).executeTakeFirstOrThrow()
  ).day;
}
