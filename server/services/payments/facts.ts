import { sql } from 'kysely';
import { encodeRows, valuesTable } from '../../../db/bulk.ts';
import { compileQueryOnce } from '../../../db/compile-once.ts';
import { encodeIdList, forNoKeyUpdate, isInIdList, isOneOf } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { ForeignPaymentSums } from '../../../shared/foreign-amounts.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import type { Actor } from '../audit/audit.ts';
import { type PaymentLinks, readPaymentLinks } from '../bank-matches.ts';
import { lockAndReadClosing } from '../closing/closing.ts';
import { type LockedFund, lockPayingFunds } from '../petty-cash/fund-cash.ts';
import {
  appendToMapEntry,
  distinctIds,
  lockRow,
  mapById,
  readExistingIds,
  splitIntoChunks,
} from '../stored-rows.ts';
import { type CommittedLine, lockSentBatchesOfInvoices, readCommittedLines } from './committed-amounts.ts';
import { completeDraft, type PaymentDraft, type PaymentInput } from './draft.ts';
import { readForeignPaymentSums } from './foreign-currency.ts';
import { readPayments } from './reading.ts';

const INVOICE_COLUMNS = [
  'numfactura',
  'supplierId',
  'fechaemision',
  'totalCents',
  'paidCents',
  'moneda',
  'tipocambio',
] as const;

/** A locked invoice; `paidCents`, and for a foreign one `paid`, grow with accepted payments. */
export type InvoiceToPay = Pick<Invoice, 'id' | (typeof INVOICE_COLUMNS)[number]> &
  Partial<Pick<Invoice, 'suppliername'>> & { paid?: ForeignPaymentSums };

/**
 * A credit note that the payments use: stored and locked, or new and stored together with them. `appliedCents` grows
 * with each accepted payment.
 */
export interface ApplicableCreditNote {
  id: number;
  supplierId: number;
  fecha: PlainDate;
  totalCents: Cents;
  appliedCents: Cents;
  moneda: string;
  /** the note's total in its own currency; null where its document is not stored */
  detail: { totalCents: Cents } | null;
}

export interface ComparablePayment
  extends Pick<
    Payment,
    | 'facturaproveedorId'
    | 'paymentdate'
    | 'amountCents'
    | 'importebancoCents'
    | 'importemonedaCents'
    | 'origenderecursoId'
    | 'creditNoteId'
    | 'comments'
  > {
  /** absent for a new payment of the same run */
  id?: number;
  line?: number;
  checkFold: string;
}

interface ChequeUse extends Pick<Payment, 'checknum' | 'suppliername' | 'amountCents'> {
  id?: number;
  supplierId: number;
}

export interface PaymentOptions {
  /** allows a payment of an invoice in a batch at the bank, if the actor gives a reason */
  allowProgrammed?: boolean;
  /** the payments come from a bank statement: each pays the line at the bank that has its account and amount, if any */
  isFromBank?: boolean;
  /** the payments belong to a batch, which has already checked whether other batches pay its invoices */
  isForBatch?: boolean;
  /** `new`: each earlier use of a number gets a warning; `none`: the numbers are those of transfers */
  chequeNumbers?: 'new' | 'none';
  /** the caller has computed all the amounts */
  hasComputedAmounts?: boolean;
  /** allows an amount in pesos to differ by rounding from what the amount in the invoice's currency settles */
  acceptsRounding?: boolean;
  skipsExisting?: boolean;
  sourceName?: (id: number) => string;
  /** credit notes that come with the payments, by ids below zero */
  newNotesById?: ReadonlyMap<number, ApplicableCreditNote>;
  pause?: () => Promise<void>;
}

export type PaymentFacts = Awaited<ReturnType<typeof readDraftsAndFacts>>['facts'];

/** Runs a fixed number of queries for any number of drafts, except that long lists are split into chunks. */
export async function readDraftsAndFacts(
  trx: Trx,
  actor: Actor,
  inputs: readonly PaymentInput[],
  options: PaymentOptions,
) {
  const { pause = async () => {}, newNotesById = new Map() } = options;
  const changed = distinctIds(inputs.map(({ id }) => id));
  if (options.allowProgrammed) {
    const paid = [...(await readPayments(trx, changed)), ...inputs, ...inputs.map(({ deleted }) => deleted)];
    await lockSentBatchesOfInvoices(trx, distinctIds(paid.map((one) => one?.facturaproveedorId)));
  }
  for (const id of changed) await lockRow(trx, 'payments', id);
  const previousById = mapById(changed.length > 0 ? await readPayments(trx, changed) : []);
  const closing = await lockAndReadClosing(trx);
  const drafts = inputs.map((input) => completeDraft(input, previousById.get(input.id ?? 0), actor));
  const invoiceIds = distinctIds(
    drafts.flatMap(({ facturaproveedorId, previous }) => [facturaproveedorId, previous?.facturaproveedorId]),
  );
  const invoices = new Map<number, InvoiceToPay>();
  const committed: CommittedLine[] = [];
  for (const ids of splitIntoChunks(invoiceIds)) {
    const locked = await lockAndReadInvoices(trx, ids);
    const paid = await readForeignPaymentSums(trx, locked);
    for (const invoice of locked) invoices.set(invoice.id, { ...invoice, paid: paid.get(invoice.id) });
    await pause();
    if (!options.isForBatch) committed.push(...(await readCommittedLines(trx, ids)));
  }
  const noteIds = distinctIds(drafts.map(({ creditNoteId }) => creditNoteId));
  const notes = new Map<number, ApplicableCreditNote>([
    ...newNotesById,
    ...(noteIds.length > 0 ? await lockAndReadCreditNotes(trx, noteIds) : []),
  ]);
  const sourceIds = distinctIds(drafts.map(({ origenderecursoId }) => origenderecursoId));
  const paymentIndex = new PaymentIndex();
  for (const chunk of splitIntoChunks(drafts)) {
    for (const payment of await readComparablePayments(trx, chunk, invoices)) paymentIndex.add(payment);
    await pause();
  }
  const cheques = new Map<string, ChequeUse[]>();
  for (const chunk of options.chequeNumbers === 'none' ? [] : splitIntoChunks(drafts)) {
    await readChequeUses(trx, chunk, { invoices, options, cheques });
    await pause();
  }
  const restoredIds = drafts.flatMap(({ id, deleted }) => (deleted ? id! : []));
  const committedByInvoice: Map<number, readonly CommittedLine[]> = Map.groupBy(
    committed,
    ({ invoiceId }) => invoiceId,
  );
  const funds = sourceIds.length > 0 ? await lockPayingFunds(trx, sourceIds) : new Map<number, LockedFund>();
  const changedIds = [...restoredIds, ...changed];
  return {
    drafts,
    facts: {
      actor,
      options,
      closing,
      invoices,
      sources: new Set(await readExistingIds(trx, 'funding_sources', sourceIds)),
      notes,
      committed: committedByInvoice,
      /** the funds, by the funding source whose payments are made out of them */
      funds,
      paymentIndex,
      cheques,
      ties: changedIds.length > 0 ? await readPaymentLinks(trx, changedIds) : new Map<number, PaymentLinks>(),
      existingIds: await readExistingIds(trx, 'payments', restoredIds),
    },
  };
}

export class PaymentIndex {
  readonly #byKey = new Map<string, ComparablePayment[]>();
  readonly #ids = new Set<number>();
  readonly #base: PaymentIndex | undefined;

  /** @param base an index that is searched too, and not changed */
  constructor(base?: PaymentIndex) {
    this.#base = base;
  }

  add(payment: ComparablePayment): void {
    if (payment.id !== undefined) {
      if (this.#ids.has(payment.id)) return;
      this.#ids.add(payment.id);
    }
    for (const key of listPaymentKeys(payment)) appendToMapEntry(this.#byKey, key, payment);
  }

  findOnDay(payment: PaymentKey & Pick<ComparablePayment, 'paymentdate'>): ComparablePayment | undefined {
    return this.findAll(payment).find(({ paymentdate }) => paymentdate === payment.paymentdate);
  }

  findAll(payment: PaymentKey): readonly ComparablePayment[] {
    const indexed = [...new Set(listPaymentKeys(payment).flatMap((key) => this.#byKey.get(key) ?? []))];
    return this.#base ? [...this.#base.findAll(payment), ...indexed] : indexed;
  }
}

type PaymentKey = Pick<
  ComparablePayment,
  'amountCents' | 'importemonedaCents' | 'checkFold' | 'creditNoteId'
> & {
  facturaproveedorId: number | null;
};

/** An amount in the invoice's currency has a key too, since a last payment's pesos depend on the other payments. */
function listPaymentKeys({ amountCents, importemonedaCents, ...payment }: PaymentKey): string[] {
  const { facturaproveedorId, creditNoteId, checkFold } = payment;
  const amounts = [String(amountCents), ...(importemonedaCents === null ? [] : [`en ${importemonedaCents}`])];
  // Unlike a template, join() makes one flat string, which takes a fifth of the memory in an index of 100,000.
  return amounts.map((amount) => [facturaproveedorId, creditNoteId, amount, checkFold].join('|'));
}

export const chequeKey = ({
  checkFold,
  origenderecursoId,
}: Pick<PaymentDraft, 'checkFold' | 'origenderecursoId'>) => `${origenderecursoId}|${checkFold}`;

const lockAndReadInvoices = (trx: Trx, ids: readonly number[]): Promise<InvoiceToPay[]> =>
  lockInvoicesInList(trx, encodeIdList(trx, ids));

const lockInvoicesInList = compileQueryOnce((db, ids: string) =>
  db
    .selectFrom('invoices')
    .innerJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .select(['invoices.id', 'suppliername', ...INVOICE_COLUMNS])
    .where(isInIdList(db, 'invoices.id', ids))
    .orderBy('invoices.id')
    .modifyEnd(forNoKeyUpdate(db, 'invoices')),
);

/** Locks notes after their invoices, as everywhere, so that no two transactions wait for each other. */
async function lockAndReadCreditNotes(
  trx: Trx,
  ids: readonly number[],
): Promise<[number, ApplicableCreditNote][]> {
  const rows = await trx
    .selectFrom('credit_notes')
    .select(['id', 'supplierId', 'fecha', 'totalCents', 'appliedCents', 'moneda', 'detail'])
    .where(isOneOf(trx, 'id', ids))
    .orderBy('id')
    .modifyEnd(forNoKeyUpdate(trx, 'credit_notes'))
    .execute();
  return rows.map((row) => {
    const { totalCents } = JSON.parse(row.detail) as { totalCents?: Cents };
    return [row.id, { ...row, detail: totalCents === undefined ? null : { totalCents } }];
  });
}

/**
 * Compares a payment in another currency with payments of any amount, because its own is not computed yet.
 * Concatenating '' keeps the query off the index of cheque numbers, where all payments without a number are together.
 */
async function readComparablePayments(
  trx: Trx,
  drafts: readonly PaymentDraft[],
  invoices: ReadonlyMap<number, InvoiceToPay>,
): Promise<ComparablePayment[]> {
  const keys = new Map<string, { i: number; c: string; a: number | null }>();
  for (const { facturaproveedorId: i, checkFold: c, amountCents, paid, importemonedaCents } of drafts) {
    if (i === null || !invoices.has(i)) continue;
    const a = paid || importemonedaCents !== null ? null : amountCents;
    keys.set(`${i}|${c}|${a}`, { i, c, a });
  }
  if (keys.size === 0) return [];
  return comparePayments(trx, encodeRows(trx, Object.keys(COMPARED_COLUMN_TYPES), [...keys.values()]));
}

const COMPARED_COLUMN_TYPES = { i: 'bigint', c: 'text', a: 'bigint' } as const;

const comparePayments = compileQueryOnce(
  (db, compared: string) => sql<ComparablePayment>`
    select p.id, p."facturaproveedorId", p.paymentdate, p."amountCents", p."importebancoCents",
      p."importemonedaCents", p."checknumFold" as "checkFold", p."origenderecursoId", p."creditNoteId", p.comments
    from ${valuesTable(db, COMPARED_COLUMN_TYPES, compared)} as w
    cross join payments p where p."facturaproveedorId" = w.i and p."checknumFold" || '' = w.c
      and (w.a is null or p."amountCents" = w.a)
    order by p.id`,
);

interface ChequeContext {
  invoices: ReadonlyMap<number, InvoiceToPay>;
  options: PaymentOptions;
  cheques: Map<string, ChequeUse[]>;
}

/**
 * Reads one use of each cheque, which is enough for a warning. Adding 0 makes the databases find the uses of the number
 * first; otherwise they would go through all payments of a source, or all payments from the latest on.
 */
async function readChequeUses(
  trx: Trx,
  drafts: readonly PaymentDraft[],
  { invoices, options, cheques }: ChequeContext,
): Promise<void> {
  const usesToFind = new Map<string, { c: string; o: number; s: number; own: number }>();
  for (const { checkFold: c, origenderecursoId: o, facturaproveedorId, id: ownId = 0 } of drafts) {
    const s = options.chequeNumbers === 'new' ? 0 : invoices.get(facturaproveedorId ?? 0)?.supplierId;
    if (c && o !== null && o > 0 && s !== undefined)
      usesToFind.set(`${c}|${o}|${s}|${ownId}`, { c, o, s, own: ownId });
  }
  if (usesToFind.size === 0) return;
  const wanted = encodeRows(trx, Object.keys(CHEQUE_COLUMNS), [...usesToFind.values()]);
  for (const { c, o, ...used } of await findChequeUses(trx, wanted))
    addChequeUse(cheques, chequeKey({ checkFold: c, origenderecursoId: o }), used);
}

const CHEQUE_COLUMNS = { c: 'text', o: 'bigint', s: 'bigint', own: 'bigint' } as const;

const findChequeUses = compileQueryOnce(
  (db, wanted: string) => sql<ChequeUse & { c: string; o: number }>`
    select w.c, w.o, p.id, p.checknum, p."amountCents", i."supplierId", s.suppliername
    from ${valuesTable(db, CHEQUE_COLUMNS, wanted)} as w
    join payments p on p.id = (select used.id from payments used
      join invoices paid on paid.id = used."facturaproveedorId"
      where used.id in (select same.id from payments same where same."checknumFold" = w.c)
        and used."origenderecursoId" + 0 = w.o and paid."supplierId" <> w.s and used.id <> w.own
      order by used.id + 0 desc limit 1)
    join invoices i on i.id = p."facturaproveedorId" join suppliers s on s.id = i."supplierId"`,
);

/** Keeps one use each of two suppliers: at least one of them is not the draft's, which is enough for a warning. */
export function addChequeUse(cheques: Map<string, ChequeUse[]>, key: string, use: ChequeUse): void {
  const used = cheques.get(key) ?? [];
  if (used.length < 2 && used.every(({ supplierId }) => supplierId !== use.supplierId))
    appendToMapEntry(cheques, key, use);
}
