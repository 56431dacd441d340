import { insertRows, reserveIds } from '../../../db/bulk.ts';
import { isViolation } from '../../../db/errors.ts';
import { forUpdate, isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { checkFund, FUND_FIELDS, type FundDraft, type PettyCashFund } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { type BrokenRule, errorOf, refusal } from '../../../shared/refusal.ts';
import { conflictText, remark, sameAsLine, withRemedy } from '../../../shared/remarks.ts';
import { lacksPrivileges, mayEnter } from '../../../shared/roles.ts';
import { fold } from '../../../shared/text.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { type ClosingDate, holdClosing, refuseClosed, requireOpen } from '../closing/closing.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { distinct, readIds } from '../stored-rows.ts';
import { CLI_USERNAME } from '../users/reading.ts';
import {
  type BulkOptions,
  oneWritten,
  type RuleResult,
  type StoredDraft,
  type UnreadDraft,
  type Written,
  write,
} from '../writing.ts';
import { cleaned } from './asked.ts';
import { readCash } from './cash.ts';
import { getFund, getFundRow, lockFund, readFunds } from './reading.ts';
import { askFor, listReplenishments, needsAnother } from './requests.ts';
import { moveAuthorized } from './write.ts';

export const FUNDS = 'petty-cash-funds';

/**
 * Opens a fund, and asks for what it begins with: where one person is enough, that is in it at once.
 * @throws DomainError, of the rule that has something against it (funds.ts)
 */
export const createFund = async (
  db: Db,
  actor: Actor,
  draft: FundDraft,
  aperturaCents?: Cents,
): Promise<PettyCashFund> => oneWritten(await writeFunds(db, actor, [{ ...draft, aperturaCents }])).row;

/**
 * Changes what the draft names. What leaves the fund by payments to suppliers may change its balance; a fixed amount
 * that is raised asks for the difference, and is raised once that is in the fund.
 * @throws DomainError not-found, stale (with the stored fund), conflict fund_closed; of the rule that has something
 *   against it (funds.ts)
 */
export const updateFund = async (
  db: Db,
  actor: Actor,
  id: number,
  draft: FundDraft,
  version?: number,
): Promise<PettyCashFund> => oneWritten(await writeFunds(db, actor, [{ ...draft, id, version }])).row;

/**
 * Closes a fund in which there is nothing, and of which nothing is awaited: what it was stays, and nothing is added.
 * @throws DomainError forbidden, not-found, stale, conflict (fund_not_settled, fund_closed)
 */
export async function closeFund(db: Db, actor: Actor, id: number, version?: number): Promise<PettyCashFund> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockFund(trx, id, version);
    const { porComprobarCents, porAutorizarCents } = await getFundRow(trx, id, actor.today);
    const cash = await readCash(trx, before);
    const open = [
      cash !== 0 && texts.stillInIt(cash),
      porComprobarCents > 0 && texts.stillAwaited(porComprobarCents),
      porAutorizarCents > 0 && texts.stillAsked(porAutorizarCents),
    ].filter((one) => typeof one === 'string');
    if (open.length > 0)
      throw new DomainError('conflict', texts.notSettled(before.nombre, open), { code: 'fund_not_settled' });
    await trx
      .updateTable('petty_cash_funds')
      .set({ closedOn: actor.today, updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', id)
      .execute();
    const fund = await getFund(trx, id);
    audit(trx, actor, { action: 'update', entity: FUNDS, entityId: id, before, after: fund });
    return fund;
  });
}

/** @throws DomainError forbidden, not-found, stale, conflict (in_use where the fund has movements, closed_period) */
export async function deleteFund(db: Db, actor: Actor, id: number, version?: number): Promise<PettyCashFund> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockFund(trx, id, version);
    const count = await countOf(trx, 'petty_cash_movements', id);
    if (count > 0) throw inUse(before, count === 1 ? 'un movimiento' : `${count} movimientos`);
    if ((await countOf(trx, 'petty_cash_counts', id)) > 0) throw inUse(before, 'arqueos');
    if ((await countOf(trx, 'petty_cash_replenishments', id)) > 0)
      throw inUse(before, 'dinero pedido: retira antes la solicitud');
    await requireOpen(trx, actor, [before.openedOn]);
    await trx.deleteFrom('petty_cash_funds').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: FUNDS, entityId: id, before });
    return before;
  });
}

async function countOf(
  trx: Trx,
  table: 'petty_cash_movements' | 'petty_cash_counts' | 'petty_cash_replenishments',
  fundId: number,
) {
  const { count } = await trx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('fundId', '=', fundId)
    .executeTakeFirstOrThrow();
  return count;
}

const inUse = ({ nombre }: PettyCashFund, what: string) =>
  new DomainError('conflict', `No se puede eliminar la caja chica «${nombre}»: tiene ${what}.`, {
    code: 'in_use',
  });

/** What a row calls what it names. */
interface Named {
  responsable: string;
  origin: string;
  obra: string;
  paying: string;
}

/** A fund that somebody wants opened or changed, by whatever door. */
export interface FundToWrite extends FundDraft {
  /** of the fund that is changed; what the draft does not name stays as it is */
  id?: number;
  version?: number;
  /** with what a new one begins */
  aperturaCents?: Cents;
  /** of a row: it is known by its name, and compared by what it says */
  said?: Named & { line: number };
  /** of a row: why nobody of that name holds it */
  unheld?: BrokenRule;
}

type Columns = Pick<PettyCashFund, (typeof COLUMNS)[number]>;

const COLUMNS = [
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

/** The same, complete. */
export interface AskedFund extends Columns, Pick<FundToWrite, 'said' | 'unheld'> {
  /** text that cannot be stored */
  unfit?: BrokenRule;
  aperturaCents: Cents;
  former?: PettyCashFund;
  /** what it would have, and what it had, where what leaves it by payments changes */
  cash?: { after: Cents; before: Cents };
  /** of one that is changed: the first day on which something was moved in it */
  firstMoved?: PlainDate;
}

interface FundFacts {
  actor: Actor;
  closing: ClosingDate;
  /** all that there are, and those of the same file */
  funds: (Columns & Named & { id?: number; line?: number })[];
  users: ReadonlySet<number>;
  /** those of them who may hold a fund */
  holders: ReadonlySet<number>;
  sources: ReadonlySet<number>;
  jobs: ReadonlySet<number>;
}

/** Opens and changes funds, one or many, by the one list of rules that there is for them. */
export const writeFunds = (
  db: Db,
  actor: Actor,
  drafts: readonly (FundToWrite | UnreadDraft)[],
  options: BulkOptions<AskedFund> = {},
): Promise<Written<AskedFund, PettyCashFund>[]> =>
  write(
    db,
    drafts,
    {
      read: (trx, read) => readFacts(trx, actor, read),
      rules: fundRules,
      warn: () => [],
      accept: (asked, { funds }) => void (asked.said && funds.push({ ...asked, ...asked.said })),
      former: ({ former }) => former,
      idOf: ({ former }) => former?.id,
      store: (trx, stored) => store(trx, actor, stored, options),
    },
    options,
  );

/** The rules of funds, whatever the door, in their order: the first that has something against one says so. */
export const fundRules: readonly ((asked: AskedFund, facts: FundFacts) => RuleResult)[] = [
  hasFittingTexts,
  isNotOnFile,
  isOpenedByWhoMay,
  isHeldBySomebody,
  hasWhatItNeeds,
  isChanged,
  isOpenedByNow,
  isInOpenPeriod,
  namesWhatThereIs,
  isHeldByWhoSignsIn,
  hasItsOwnName,
  hasItsOwnSource,
  isOpenedBeforeItsMovements,
  hasWhatWasPaidOutOfIt,
];

function hasFittingTexts({ unfit }: AskedFund): RuleResult {
  return unfit;
}

/** What a row says is compared with the fund of its name; what it leaves open is not. */
function isNotOnFile({ said, ...asked }: AskedFund, { funds }: FundFacts): RuleResult {
  const known = said && funds.find(({ nombre }) => fold(nombre) === fold(asked.nombre));
  if (!known) return undefined;
  const differ: [field: string, label: string, stored: string, here: string][] = [
    ['responsableId', 'responsable', known.responsable, said.responsable],
    ['origenderecursoId', 'origen de recurso', known.origin, said.origin],
    ['jobId', 'obra', known.obra, said.obra],
    ['openedOn', 'apertura', formatDate(known.openedOn), formatDate(asked.openedOn || null)],
    ['montofijo', 'monto fijo', amountText(known.montofijoCents), amountText(asked.montofijoCents)],
    ['tope', 'tope', amountText(known.topeCents), amountText(asked.topeCents)],
    ['pagosOrigenId', 'pagos desde la caja', known.paying, said.paying],
    ['comments', 'observaciones', known.comments, asked.comments],
  ];
  const other = differ.find(([, , stored, here]) => here !== '' && fold(here) !== fold(stored));
  if (!other) return { unchanged: true, warnings: known.line ? [{ says: sameAsLine(known.line) }] : [] };
  const [field, label, stored, here] = other;
  const where = known.line ? ` (renglón ${known.line})` : '';
  return refusal(conflictText(remark`La caja chica «${known.nombre}»${where}`, label, stored, here), field);
}

const amountText = (cents: Cents | null): string => (cents === null ? '' : formatMoney(cents));

function isOpenedByWhoMay({ said }: AskedFund, { actor: { roles, username } }: FundFacts): RuleResult {
  if (mayEnter('approval', roles)) return undefined;
  const message = said ? withRemedy(texts.approverOpens, 'act-as') : lacksPrivileges(username);
  return { kind: 'forbidden', message, field: 'nombre' };
}

function isHeldBySomebody({ unheld }: AskedFund): RuleResult {
  return unheld;
}

function hasWhatItNeeds(asked: AskedFund): RuleResult {
  return checkFund(asked);
}

function isChanged(asked: AskedFund): RuleResult {
  const { former } = asked;
  return former && !isOther(asked, former) ? { unchanged: true, warnings: [] } : undefined;
}

const isOther = (one: Columns, other: Columns): boolean => COLUMNS.some((name) => one[name] !== other[name]);

function isOpenedByNow({ openedOn, aperturaCents }: AskedFund, { actor }: FundFacts): RuleResult {
  if (openedOn > actor.today) return refusal(texts.openedLater, 'openedOn');
  return aperturaCents < 0 ? refusal(texts.negativeOpening, 'apertura') : undefined;
}

/** Who answers for a fund is no figure of the day on which it was opened. */
function isInOpenPeriod(asked: AskedFund, { actor, closing }: FundFacts): RuleResult {
  const { former, openedOn } = asked;
  if (!isMoved(asked)) return undefined;
  const broken =
    (former && refuseClosed(actor, former.openedOn, closing)) ?? refuseClosed(actor, openedOn, closing);
  return broken && { ...broken, field: 'openedOn' };
}

const isMoved = ({ former, openedOn, pagosOrigenId }: AskedFund): boolean =>
  openedOn !== former?.openedOn || pagosOrigenId !== former.pagosOrigenId;

function namesWhatThereIs(asked: AskedFund, { users, sources, jobs }: FundFacts): RuleResult {
  for (const [field, there, what] of [
    ['responsableId', users, 'el usuario'],
    ['origenderecursoId', sources, 'el origen de recurso'],
    ['pagosOrigenId', sources, 'el origen de recurso'],
    ['jobId', jobs, 'la obra'],
  ] as const) {
    const id = asked[field];
    // Those below zero come with the file.
    if (id !== null && id > 0 && !there.has(id)) return refusal(`No existe ${what} ${id}.`, field);
  }
  return undefined;
}

function isHeldByWhoSignsIn({ former, responsableId }: AskedFund, { holders }: FundFacts): RuleResult {
  if (responsableId === former?.responsableId || holders.has(responsableId)) return undefined;
  return refusal(texts.inactiveHolder, 'responsableId');
}

function hasItsOwnName({ former, nombre }: AskedFund, { funds }: FundFacts): RuleResult {
  const namesake = funds.find((one) => one.id !== former?.id && fold(one.nombre) === fold(nombre));
  return namesake && taken(texts.nameTaken(nombre), 'nombre', namesake.id);
}

function hasItsOwnSource({ former, pagosOrigenId }: AskedFund, { funds }: FundFacts): RuleResult {
  if (pagosOrigenId === null) return undefined;
  const other = funds.find((one) => one.id !== former?.id && one.pagosOrigenId === pagosOrigenId);
  return other && taken(texts.sourceTaken(`«${other.paying}»`), 'pagosOrigenId', other.id);
}

const taken = (message: string, field: string, existingId?: number): BrokenRule => ({
  ...refusal(message, field),
  kind: 'conflict',
  code: 'fund_taken',
  extra: existingId === undefined ? undefined : { existingId },
});

/** A movement from before the fund was opened would stand outside of it. */
function isOpenedBeforeItsMovements({ openedOn, firstMoved }: AskedFund): RuleResult {
  if (!firstMoved || firstMoved >= openedOn) return undefined;
  return refusal(texts.opensAfterMovements(firstMoved), 'openedOn');
}

/** What has left it by payments since it was opened must have been in it. */
function hasWhatWasPaidOutOfIt({ nombre, cash }: AskedFund): RuleResult {
  if (!cash || cash.after >= Math.min(0, cash.before)) return undefined;
  return { ...refusal(texts.paidMore(nombre, cash.after), 'pagosOrigenId'), code: 'fund_short' };
}

/** All funds there are, of which a firm has few, and what drafts name; only one by one are funds changed. */
async function readFacts(
  trx: Trx,
  actor: Actor,
  drafts: readonly FundToWrite[],
): Promise<{ facts: FundFacts; asked: AskedFund[] }> {
  const asked: AskedFund[] = [];
  for (const { id, version, ...draft } of drafts)
    asked.push(complete(draft, id === undefined ? undefined : await lockFund(trx, id, version), actor));
  const closing = await holdClosing(trx);
  for (const one of asked) await readOwn(trx, one);
  // Whoever takes away from a holder that they may sign in waits, and is told of the fund.
  const users = await trx
    .selectFrom('users')
    .select(['id', 'active', 'username'])
    .where(isOneOf(trx, 'id', distinct(asked.map(({ responsableId }) => responsableId))))
    .orderBy('id')
    .modifyEnd(forUpdate(trx))
    .execute();
  const holders = users.filter(({ active, username }) => active && username !== CLI_USERNAME);
  const sources = asked.flatMap((one) => [one.origenderecursoId, one.pagosOrigenId]);
  const funds = (await readFunds(trx)).map((fund) => ({
    ...fund,
    origin: fund.origenderecursonombre ?? '',
    obra: fund.jobtitle ?? '',
    paying: fund.pagosOrigen ?? '',
  }));
  const facts: FundFacts = {
    actor,
    closing,
    funds,
    users: new Set(users.map(({ id }) => id)),
    holders: new Set(holders.map(({ id }) => id)),
    sources: await readIds(trx, 'funding_sources', distinct(sources)),
    jobs: await readIds(trx, 'jobs', distinct(asked.map(({ jobId }) => jobId))),
  };
  return { facts, asked };
}

function complete(draft: FundToWrite, former: PettyCashFund | undefined, actor: Actor): AskedFund {
  const named = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  const whole: Partial<PettyCashFund> & FundToWrite = { ...former, ...named };
  return {
    ...draft,
    former,
    ...cleaned(FUND_FIELDS, ['nombre', 'comments'], whole),
    responsableId: whole.responsableId ?? 0,
    jobId: whole.jobId ?? null,
    montofijoCents: whole.montofijoCents ?? null,
    topeCents: whole.topeCents ?? null,
    origenderecursoId: whole.origenderecursoId ?? null,
    pagosOrigenId: whole.pagosOrigenId ?? null,
    openedOn: whole.openedOn ?? (former || draft.said ? '' : actor.today),
    aperturaCents: draft.aperturaCents ?? 0,
  };
}

/** What a fund would have after all that has left it by payments, and when something was first moved in it. */
async function readOwn(trx: Trx, asked: AskedFund): Promise<void> {
  const { former, pagosOrigenId, openedOn, aperturaCents } = asked;
  if (!isMoved(asked) || openedOn === '') return;
  const paid = await readCash(trx, { id: former?.id ?? 0, pagosOrigenId, openedOn });
  const putIn = aperturaCents > 0 && !(await needsAnother(trx)) ? aperturaCents : 0;
  asked.cash = { after: paid + putIn, before: former ? await readCash(trx, former) : 0 };
  if (!former) return;
  const moved = trx.selectFrom('petty_cash_movements').where('fundId', '=', former.id);
  asked.firstMoved = (
    await moved.select(({ fn }) => fn.min('fecha').as('day')).executeTakeFirstOrThrow()
  ).day;
}

async function store(
  trx: Trx,
  actor: Actor,
  stored: readonly StoredDraft<AskedFund, PettyCashFund>[],
  { bring }: BulkOptions<AskedFund>,
): Promise<void> {
  const importId = bring
    ? await bring(
        trx,
        stored.map(({ asked }) => asked),
      )
    : null;
  const added = stored.filter(({ asked: { former } }) => !former);
  const ids = await reserveIds(trx, 'petty_cash_funds', added.length);
  const stamp = { importId, createdAt: actor.at, updatedAt: actor.at };
  for (const [index, one] of added.entries()) one.id = ids[index]!;
  const rows = added.map(({ id, asked }) => ({ id, ...columnsOf(asked), ...stamp }));
  await insertRows(trx, 'petty_cash_funds', rows).catch(bring ? undefined : fasterOne);
  if (bring) return;
  for (const one of stored) {
    const { id, asked } = one;
    if (asked.former) one.row = await change(trx, actor, asked, asked.former);
    else one.row = await begin(trx, actor, id, asked);
  }
}

const columnsOf = (asked: Columns) => {
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, asked[name]])) as unknown as Columns;
  return { ...columns, nombreFold: fold(asked.nombre) };
};

/** Asks for what a new fund begins with: where one person is enough, that is in it at once. */
async function begin(trx: Trx, actor: Actor, id: number, asked: AskedFund): Promise<PettyCashFund> {
  const fund = await getFund(trx, id);
  audit(trx, actor, { action: 'create', entity: FUNDS, entityId: id, after: fund });
  const { openedOn: fecha, aperturaCents: importeCents } = asked;
  if (importeCents === 0) return fund;
  const opening = { tipo: 'apertura', fecha, concepto: texts.opening, importeCents } as const;
  if (await needsAnother(trx)) await askFor(trx, actor, fund, opening);
  else await moveAuthorized(trx, actor, { ...opening, fundId: id });
  return fund;
}

/** A fixed amount that is raised asks for the difference, and is raised once that is in the fund. */
async function change(
  trx: Trx,
  actor: Actor,
  asked: AskedFund,
  before: PettyCashFund,
): Promise<PettyCashFund> {
  const { montofijoCents } = before;
  const raisedCents = montofijoCents === null ? 0 : (asked.montofijoCents ?? 0) - montofijoCents;
  const after = raisedCents > 0 ? { ...asked, montofijoCents } : asked;
  let fund = before;
  if (isOther(after, before)) {
    await trx
      .updateTable('petty_cash_funds')
      .set({ ...columnsOf(after), updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', before.id)
      .execute()
      .catch(fasterOne);
    fund = await getFund(trx, before.id);
    audit(trx, actor, { action: 'update', entity: FUNDS, entityId: before.id, before, after: fund });
  }
  // What waits for somebody else raises it already: whoever asks once more for the same amount asks for nothing.
  const importeCents = raisedCents - ((await needsAnother(trx)) ? await sumWidening(trx, before.id) : 0);
  if (importeCents <= 0) return fund;
  const widening = { tipo: 'apertura', fecha: actor.today, concepto: texts.widening, amplia: 1 } as const;
  await askFor(trx, actor, fund, { ...widening, importeCents });
  return getFund(trx, before.id);
}

/** By how much the fixed amount will be raised once what was asked for is authorised. */
async function sumWidening(trx: Trx, fundId: number): Promise<Cents> {
  const waiting = (await listReplenishments(trx, fundId)).filter(
    ({ amplia, estado }) => amplia === 1 && estado === 'solicitada',
  );
  return waiting.reduce((sum, { importeCents }) => sum + importeCents, 0);
}

/** Another one was faster by a moment. */
function fasterOne(error: unknown): never {
  throw isViolation(error, 'unique') ? errorOf(taken(texts.justTaken, 'nombre')) : error;
}
