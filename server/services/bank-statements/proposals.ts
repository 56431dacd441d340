import { sql } from 'kysely';
import { bankAmountExpression } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import {
  type BankMovement,
  isOpenOutcome,
  MOVEMENT_CLASS_KEYWORDS,
  MOVEMENT_CLASS_LABELS,
  type MovementClass,
  type ResolutionProposal,
} from '../../../shared/bank-statements.ts';
import { joinFirst } from '../../../shared/counts.ts';
import { addDays, daysBetween, formatDate, type PlainDate } from '../../../shared/dates.ts';
import { invoiceNumberOrId } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { batchTexts } from '../../../shared/payment-batches.ts';
import type { Payment } from '../../../shared/payments.ts';
import { documentNumberKey, fold } from '../../../shared/text.ts';
import { type CommittedLine, readCommittedLines } from '../payments/committed-amounts.ts';
import { appendToMapEntry } from '../stored-rows.ts';
import { readSupplierIdsByAccount } from './expected-transfers.ts';
import { extractNumbers, listAccountIdentifiers } from './matching.ts';
import { findUniqueSum } from './unique-sum.ts';

const MAX_PROPOSALS = 5;

/** Days before and after the bank's movement within which payments are looked for. */
const [DAYS_BEFORE, DAYS_AFTER] = [180, 7];

/** Steps of the search for sums of invoices in one request; each movement gets an equal share. */
const MAX_SEARCH_STEPS_PER_REQUEST = 3_000_000;

const MOVEMENTS_PER_PAUSE = 50;

/** Proposes settlements for each open movement of one account. Candidates with equal scores are not proposed. */
export async function proposeSettlements(
  db: Db,
  movements: readonly BankMovement[],
): Promise<Map<number, ResolutionProposal[]>> {
  const open = movements.filter(({ outcome }) => isOpenOutcome(outcome));
  const proposals = new Map<number, ResolutionProposal[]>();
  const [first] = open;
  if (!first) return proposals;
  const days = open.map(({ fecha }) => fecha).sort();
  const facts = await readProposalFacts(db, first.origenderecursoId, [days[0]!, days.at(-1)!]);
  const budget = Math.max(1000, Math.floor(MAX_SEARCH_STEPS_PER_REQUEST / open.length));
  for (const [index, movement] of open.entries()) {
    if (index % MOVEMENTS_PER_PAUSE === MOVEMENTS_PER_PAUSE - 1) await new Promise(setImmediate);
    proposals.set(movement.id, proposeForMovement(movement, facts, budget));
  }
  return proposals;
}

/**
 * Lists the payments of the movement's account that no movement confirms. Those with the movement's amount come first,
 * then smaller ones, which may be a part of it. Each group starts with the nearest day.
 * @param chosen ids of payments that come before all others, whatever the search
 */
export async function listLinkablePayments(
  db: Db,
  { origenderecursoId, fecha, amountCents }: BankMovement,
  { searchText = '', chosenIds = [] }: { searchText?: string; chosenIds?: readonly number[] } = {},
): Promise<LinkablePayment[]> {
  const payments = await readLinkablePayments(db, origenderecursoId, [fecha, fecha]);
  const wanted = fold(searchText.trim());
  const matchesSearch = (one: LinkablePayment) =>
    wanted === '' || chosenIds.includes(one.id) || fold(describeLinkablePayment(one)).includes(wanted);
  const rankByAmount = ({ id, cents }: LinkablePayment) =>
    chosenIds.includes(id) ? 0 : cents === -amountCents ? 1 : cents < -amountCents ? 2 : 3;
  const daysFromMovement = ({ paymentdate }: LinkablePayment) => Math.abs(daysBetween(fecha, paymentdate));
  return payments
    .filter(matchesSearch)
    .sort(
      (one, other) =>
        rankByAmount(one) - rankByAmount(other) || daysFromMovement(one) - daysFromMovement(other),
    )
    .slice(0, MAX_LINKABLE_PAYMENTS + chosenIds.length);
}

export const describeLinkablePayment = ({
  id,
  cents,
  paymentdate,
  checknum,
  suppliername,
}: LinkablePayment) =>
  [formatMoney(cents), suppliername, formatDate(paymentdate), checknum, `pago ${id}`]
    .filter(Boolean)
    .join(' · ');

const MAX_LINKABLE_PAYMENTS = 30;

interface ScoredProposal extends ResolutionProposal {
  score: number;
}

function proposeForMovement(
  movement: BankMovement,
  facts: ProposalFacts,
  budget: number,
): ResolutionProposal[] {
  const said = parseMovementText(movement, facts);
  const money = [
    ...findPettyCashCandidates(movement, facts),
    ...(movement.amountCents < 0
      ? [
          ...findTransferCandidates(movement, said, facts),
          ...findPaymentCandidates(movement, said, facts),
          ...findInvoiceCandidates(movement, said, { facts, budget }),
        ]
      : []),
  ];
  const warning = money.length > 0 ? 'También hay pagos o facturas de este importe.' : undefined;
  const classes = findClassCandidates(movement, said, facts).map((one) => ({ ...one, warning }));
  const candidates = [...money, ...classes].sort((one, other) => other.score - one.score);
  const proposals: ResolutionProposal[] = [];
  for (const { score, ...proposal } of candidates) {
    // Candidates after a tie are worse than those in the tie, which are not proposed either.
    if (candidates.filter((one) => one.score === score).length > 1) break;
    proposals.push(proposal);
  }
  return proposals.slice(0, MAX_PROPOSALS);
}

/** Scores: a matching reference counts most, then a supplier, then a word for a class. Just the amount counts least. */
const [REFERENCE_SCORE, SUPPLIER_SCORE, WORD_SCORE] = [400, 300, 200];
const [TRANSFER_SCORE, PAYMENT_SCORE, CASH_SCORE, INVOICE_SCORE] = [40, 30, 20, 10];

const scoreDay = (fecha: PlainDate, day: PlainDate): number =>
  fecha === day ? 100 : Math.abs(daysBetween(fecha, day)) <= 3 ? 50 : 0;

interface MovementClues {
  numbers: ReadonlySet<string>;
  /** the words of the text, without punctuation: " spei a aceros del norte " */
  words: string;
  /** each word, and each two or three consecutive words joined: the invoice number A-1045 is two words */
  terms: ReadonlySet<string>;
  /** by supplier id, what in the text names the supplier: "la CLABE", "el RFC" or "el nombre" */
  suppliers: ReadonlyMap<number, string>;
}

function parseMovementText(
  movement: BankMovement,
  { holders, byRfc, byFirstWord }: ProposalFacts,
): MovementClues {
  const text = `${movement.referencia} ${movement.descripcion}`;
  const numbers = extractNumbers(movement);
  const list = wordsOf(text);
  const words = ` ${list.join(' ')} `;
  const terms = new Set(
    list.flatMap((_, at) => [1, 2, 3].map((length) => list.slice(at, at + length).join(''))),
  );
  const suppliers = new Map<number, string>();
  const recordNamedSuppliers = (ids: Iterable<number> = [], by: string) => {
    for (const id of ids) suppliers.set(id, by);
  };
  for (const digits of numbers) recordNamedSuppliers(holders.get(digits), 'la CLABE');
  for (const rfc of text.toUpperCase().match(/[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3}/g) ?? [])
    recordNamedSuppliers(byRfc.get(rfc), 'el RFC');
  if (suppliers.size === 0)
    for (const word of new Set(list))
      for (const { id, key } of byFirstWord.get(word) ?? [])
        if (words.includes(key)) recordNamedSuppliers([id], 'el nombre');
  return { numbers, words, terms, suppliers };
}

const scoreEvidence = (isReferred: boolean, { suppliers }: MovementClues, supplierId: number): number =>
  isReferred ? REFERENCE_SCORE : suppliers.has(supplierId) ? SUPPLIER_SCORE : 0;

const mayPaySupplier = ({ suppliers }: MovementClues, supplierId: number) =>
  suppliers.size === 0 || suppliers.has(supplierId);

const describeProposalReason = (score: number, { suppliers }: MovementClues, supplierId: number): string =>
  score === REFERENCE_SCORE
    ? 'Mismo importe y referencia'
    : score === SUPPLIER_SCORE
      ? `Mismo importe, y dice ${suppliers.get(supplierId)}`
      : 'Mismo importe';

function findPaymentCandidates(
  movement: BankMovement,
  said: MovementClues,
  { payments }: ProposalFacts,
): ScoredProposal[] {
  return (payments.get(-movement.amountCents) ?? []).flatMap((group) => {
    const [{ supplierId, suppliername, paymentdate }] = group;
    const isInTime =
      paymentdate >= addDays(movement.fecha, -DAYS_BEFORE) &&
      paymentdate <= addDays(movement.fecha, DAYS_AFTER);
    if (!isInTime || !mayPaySupplier(said, supplierId)) return [];
    const evidence = scoreEvidence(
      group.every(({ checkKey }) => mentionsNumber(said, checkKey)),
      said,
      supplierId,
    );
    const ids = group.map(({ id }) => id);
    const [what, linked] = ids.length === 1 ? ['pago', 'al pago'] : ['pagos', 'a los pagos'];
    return {
      score: evidence + scoreDay(movement.fecha, paymentdate) + PAYMENT_SCORE - Math.min(ids.length, 9),
      tipo: 'ligado' as const,
      draft: { paymentIds: ids },
      razon: `${describeProposalReason(evidence, said, supplierId)}: ${what} ${joinFirst(ids, 5)} a ${suppliername}`,
      step: `Ligar ${linked} ${joinFirst(ids, 5)} de ${suppliername}`,
    };
  });
}

/** Finds transfers of sent batches with the movement's amount, where the bank states another reference. */
function findTransferCandidates(
  { fecha, amountCents }: BankMovement,
  said: MovementClues,
  { transfers }: ProposalFacts,
): ScoredProposal[] {
  return (transfers.get(-amountCents) ?? []).flatMap((lines) => {
    const [{ supplierId, batchId, sentOn }] = lines as [BatchLineAtBank];
    if (!mayPaySupplier(said, supplierId) || (sentOn !== null && sentOn > fecha)) return [];
    const { score, razon, step, ...proposal } = proposeCapture(lines, said);
    const ofBatch = `la programación ${batchId}`;
    return {
      ...{ ...proposal, score: score + TRANSFER_SCORE + (sentOn ? scoreDay(fecha, sentOn) : 0) },
      razon: `${razon.replace(':', '; la referencia del banco es otra:')}, de ${ofBatch}`,
      step: step.replace('Capturar el pago de', `Pagar de ${ofBatch}`),
    };
  });
}

function findInvoiceCandidates(
  movement: BankMovement,
  said: MovementClues,
  { facts, budget }: { facts: ProposalFacts; budget: number },
): ScoredProposal[] {
  const { byPending, bySupplier } = facts;
  const target = -movement.amountCents;
  const single = (byPending.get(target) ?? []).filter(({ supplierId }) => mayPaySupplier(said, supplierId));
  const groups =
    said.suppliers.size === 0
      ? bySupplier.values()
      : [...said.suppliers.keys()].flatMap((id) => [bySupplier.get(id) ?? []]);
  const several = single.length > 0 ? undefined : findUniqueSum(groups, target, budget);
  return [...single.map((one) => [one]), ...(several ? [several] : [])].map((group) => {
    const { score, ...proposal } = proposeCapture(group, said);
    const warnings = group.flatMap(({ planned: [line], ...one }) =>
      line ? `${batchTexts.planned(invoiceNumberOrId(one.numfactura, one.id), line)}.` : [],
    );
    return { ...proposal, score: score + INVOICE_SCORE, warning: warnings.join(' ') || undefined };
  });
}

function proposeCapture(openInvoices: readonly OpenInvoice[], clues: MovementClues): ScoredProposal {
  const [{ supplierId, suppliername }] = openInvoices as [OpenInvoice];
  const evidence = scoreEvidence(
    openInvoices.every(({ numberKey: key }) => mentionsNumber(clues, key)),
    clues,
    supplierId,
  );
  const names = openInvoices.map(({ id, numfactura }) => invoiceNumberOrId(numfactura, id));
  const what = `${names.length === 1 ? 'factura' : 'facturas'} ${joinFirst(names, 5)} de ${suppliername}`;
  return {
    score: evidence - Math.min(names.length, 9),
    tipo: 'capturado',
    draft: { invoices: openInvoices.map(({ id, cents }) => ({ invoiceId: id, amountCents: cents })) },
    razon: `${describeProposalReason(evidence, clues, supplierId)}: ${what}`,
    step: `Capturar el pago de ${names.length === 1 ? 'la' : 'las'} ${what}`,
  };
}

function findPettyCashCandidates(
  { fecha, amountCents }: BankMovement,
  { cash }: ProposalFacts,
): ScoredProposal[] {
  return (cash.get(amountCents) ?? []).map(({ id, requestId, nombre, fecha: day }) => ({
    score: scoreDay(fecha, day) + CASH_SCORE,
    tipo: 'reposicion',
    draft: requestId === null ? { movimientocajaId: id } : { reposicionId: requestId },
    razon: `Mismo importe: ${requestId === null ? 'devolución' : 'dinero'} de la caja ${nombre}`,
    step: `Ligar ${requestId === null ? 'a la devolución' : 'al dinero'} de la caja ${nombre}`,
  }));
}

function findClassCandidates(
  { amountCents }: BankMovement,
  { words, numbers }: MovementClues,
  { ownAccounts }: ProposalFacts,
): ScoredProposal[] {
  const name = (clase: MovementClass, razon: string): ScoredProposal => ({
    ...{ score: WORD_SCORE, tipo: 'nombrado', draft: { clase } },
    razon: `${razon}: ${MOVEMENT_CLASS_LABELS[clase].toLowerCase()}`,
    step: `Clasificar como ${MOVEMENT_CLASS_LABELS[clase].toLowerCase()}`,
  });
  const said = Object.entries(MOVEMENT_CLASS_KEYWORDS).flatMap(([clase, list]) => {
    const word = list.find((one) => words.includes(` ${one} `));
    return word && (clase !== 'deposito' || amountCents > 0)
      ? name(clase as MovementClass, `Dice «${word}»`)
      : [];
  });
  const isOwn = [...numbers].some((digits) => ownAccounts.has(digits));
  if (!isOwn || said.some(({ draft }) => draft.clase === 'traspaso')) return said;
  return [...said, name('traspaso', 'Dice la cuenta de otro origen de recurso')];
}

/** A number of one or two digits occurs in nearly any text, so it proves nothing. */
const mentionsNumber = ({ numbers, terms }: MovementClues, key: string): boolean =>
  key.length > 2 && (numbers.has(key.replace(/^0+/, '')) || terms.has(key));

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\d]+/gu) ?? [];

const LEGAL_FORM_WORDS = new Set('sa s a de cv c v sapi sas rl r l srl sc ac p i en del la el y'.split(' '));

function nameKeyOf(suppliername: string): string | undefined {
  const words = wordsOf(suppliername);
  while (words.length > 0 && LEGAL_FORM_WORDS.has(words.at(-1)!)) words.pop();
  const key = words.join(' ');
  return key.length >= MIN_NAME_LENGTH ? key : undefined;
}

const MIN_NAME_LENGTH = 4;

interface OpenInvoice {
  id: number;
  supplierId: number;
  suppliername: string;
  numfactura: string;
  numberKey: string;
  cents: Cents;
  /** lines of open batches that plan to pay the invoice */
  planned: readonly CommittedLine[];
}

type BatchLineAtBank = OpenInvoice & Pick<CommittedLine, 'batchId' | 'sentOn'>;

type ProposalFacts = Awaited<ReturnType<typeof readProposalFacts>>;

async function readProposalFacts(
  db: Db,
  origenderecursoId: number,
  [from, to]: readonly [PlainDate, PlainDate],
) {
  const suppliers = await db.selectFrom('suppliers').select(['id', 'suppliername', 'rfc']).execute();
  const names = new Map(suppliers.map(({ id, suppliername }) => [id, suppliername]));
  const byRfc = new Map<string, number[]>();
  const byFirstWord = new Map<string, { id: number; key: string }[]>();
  for (const { id, suppliername, rfc } of suppliers) {
    if (rfc) appendToMapEntry(byRfc, rfc, id);
    const key = nameKeyOf(suppliername);
    if (key) appendToMapEntry(byFirstWord, key.split(' ', 1)[0]!, { id, key: ` ${key} ` });
  }
  const payments = await readLinkablePayments(db, origenderecursoId, [from, to]);
  const { rows: invoices } = await sql<Omit<OpenInvoice, 'suppliername' | 'numberKey' | 'planned'>>`
    select id, "supplierId", numfactura, "totalCents" - "paidCents" as cents from invoices
    where "paidCents" < "totalCents" and moneda is null order by cents, id`.execute(db);
  const planned = Map.groupBy(await readCommittedLines(db), ({ invoiceId }) => invoiceId);
  const { rows: cash } = await sql<{
    id: number;
    requestId: number | null;
    nombre: string;
    fecha: PlainDate;
    cents: Cents;
  }>`
    select c.id, case when c.tipo = 'reposicion' then c."replenishmentId" else r.id end as "requestId", f.nombre, c.fecha,
      case when c.tipo = 'devolucion' then c."importeCents" else -c."importeCents" end as cents
    from petty_cash_movements c join petty_cash_funds f on f.id = c."fundId"
    left join petty_cash_replenishments r on r."ownMovementId" = c.id
    where c."origenderecursoId" = ${origenderecursoId} and c.fecha >= ${addDays(from, -DAYS_BEFORE)}
      and (c.tipo in ('devolucion', 'reposicion') or r.id is not null)
      and not exists (select 1 from bank_movements m where m."cashMovementId" = c.id)`.execute(db);
  const accounts = await db
    .selectFrom('funding_sources')
    .select('clabe')
    .where('id', '<>', origenderecursoId)
    .where('clabe', 'is not', null)
    .execute();
  const paid = payments.map((one) => ({ ...one, checkKey: documentNumberKey(one.checknum) }));
  type PaidRecord = (typeof paid)[number];
  const byAmount = new Map<Cents, [PaidRecord, ...PaidRecord[]][]>();
  for (const one of paid) appendToMapEntry(byAmount, one.cents, [one]);
  for (const group of Map.groupBy(paid, (one) => `${one.supplierId} ${one.paymentdate}`).values())
    if (group.length > 1)
      appendToMapEntry(
        byAmount,
        group.reduce((sum, { cents }) => sum + cents, 0),
        group as [PaidRecord, ...PaidRecord[]],
      );
  const owed: OpenInvoice[] = invoices.map((one) => ({
    ...{ ...one, suppliername: names.get(one.supplierId)!, numberKey: documentNumberKey(one.numfactura) },
    planned: planned.get(one.id) ?? [],
  }));
  const isAtBank = ({ estado }: CommittedLine) => estado === 'enviada';
  const open = owed.filter((one) => !one.planned.some(isAtBank));
  const linesAtBank = owed.flatMap((one) =>
    one.planned
      .filter((line) => isAtBank(line) && line.origenderecursoId === origenderecursoId)
      .map(
        ({ batchId, sentOn, committedCents: cents }): BatchLineAtBank => ({ ...one, batchId, sentOn, cents }),
      ),
  );
  const bySent = Map.groupBy(linesAtBank, (one) => `${one.batchId} ${one.supplierId}`).values();
  const transfers = [...bySent].flatMap((lines) => [
    lines,
    ...(lines.length > 1 ? lines.map((one) => [one]) : []),
  ]);
  return {
    holders: await readSupplierIdsByAccount(db),
    byRfc,
    byFirstWord,
    transfers: Map.groupBy(transfers, (lines) => lines.reduce((sum, { cents }) => sum + cents, 0)),
    payments: byAmount,
    byPending: Map.groupBy(open, ({ cents }) => cents),
    bySupplier: Map.groupBy(open, ({ supplierId }) => supplierId),
    cash: Map.groupBy(cash, ({ cents }) => cents),
    ownAccounts: new Set(accounts.flatMap(({ clabe }) => [...listAccountIdentifiers(clabe!)])),
  };
}

export interface LinkablePayment extends Pick<Payment, 'id' | 'paymentdate' | 'checknum' | 'suppliername'> {
  cents: Cents;
  supplierId: number;
}

async function readLinkablePayments(
  db: Db,
  origenderecursoId: number,
  [from, to]: readonly [PlainDate, PlainDate],
) {
  // The subquery keeps PostgreSQL from reading all invoices in the order of their ids to join these few payments.
  const { rows } = await sql<LinkablePayment>`
    select paid.id, paid.cents, paid.paymentdate, paid.checknum, paid."supplierId", s.suppliername
    from (select p.id, ${bankAmountExpression('p')} as cents, p.paymentdate, p.checknum,
        (select "supplierId" from invoices where id = p."facturaproveedorId") as "supplierId"
      from payments p where p."origenderecursoId" = ${origenderecursoId} and p.kind = 'pago'
        and p.paymentdate >= ${addDays(from, -DAYS_BEFORE)} and p.paymentdate <= ${addDays(to, DAYS_AFTER)}
        and not exists (select 1 from bank_movement_payments t where t."paymentId" = p.id)
        and not exists (select 1 from payment_batch_lines l where l."paymentId" = p.id and l."movementId" is not null)
    ) paid join suppliers s on s.id = paid."supplierId"`.execute(db);
  return rows.sort((one, other) => one.id - other.id);
}
