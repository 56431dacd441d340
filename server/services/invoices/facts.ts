import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { parseRate } from '../../../shared/money.ts';
import type { Actor } from '../audit/audit.ts';
import { BudgetBook } from '../budgets/budget-book.ts';
import { type ClosingDate, holdClosing } from '../closing/closing.ts';
import { uuidsOfPettyCash } from '../petty-cash/uuids.ts';
import { readSettings } from '../settings/settings.ts';
import { byId, distinct, lockRow, readIds } from '../stored-rows.ts';
import { type Asked, complete, type InvoiceToWrite, isRenamed, looksNew } from './asked.ts';
import { daysAbout, InvoiceBook, type InvoiceIdentity } from './book.ts';
import { type BookRows, holdNumbers, IDENTITY, ofInvoices, readBook } from './book-reading.ts';
import { holdSuppliers } from './due-day.ts';
import { invoicesOf } from './reading.ts';
import { STORED } from './rows.ts';

/** An invoice on file, or an earlier one of the same run, with all that a draft may say of it. */
export interface KnownInvoice extends InvoiceIdentity, Pick<Invoice, (typeof STORED)[number]> {
  /** none: of the same run */
  id: number | undefined;
  /** the line of its file that it comes from */
  line?: number;
  /** the line that it was taken for, where nothing but their number tells it from others */
  takenFor?: number;
}

const knownInvoices: BookRows<KnownInvoice, KnownInvoice> = {
  columns: ofInvoices([...new Set([...IDENTITY, ...STORED])]),
  toKnown: (row) => row,
};

/** What is asked of a run of drafts as a whole. */
export interface InvoiceOptions {
  /** the author has seen that a number is taken */
  allowDuplicate?: boolean;
  /** of a table: what is on file already and equal is not stored again */
  isKnownOnce?: boolean;
  /** what a supplier, an obra or a rubro is called in what is said of a table */
  nameOf?: (field: 'supplierId' | 'jobId' | 'rubroId', id: number) => string;
  /** lets others have their turn */
  pause?: () => Promise<void>;
}

/** What the rules of invoices ask about, read for all drafts at once; it moves with each that is accepted. */
export interface InvoiceFacts {
  actor: Actor;
  options: InvoiceOptions;
  closing: ClosingDate;
  suppliers: ReadonlyMap<number, { suppliername: string; diascredito: number }>;
  jobs: ReadonlySet<number>;
  rubros: ReadonlySet<number>;
  /** those that drafts may be or look like */
  book: InvoiceBook<KnownInvoice>;
  /** UUIDs that are receipts of petty cash */
  expenses: Awaited<ReturnType<typeof uuidsOfPettyCash>>;
  budgets: BudgetBook | undefined;
  /** ids of changed ones to which their supplier's credit notes are applied */
  credited: ReadonlySet<number>;
  /** ids of invoices that there are, of those that come back */
  present: ReadonlySet<number>;
}

/** As many statements whatever the number of drafts, but that long lists are cut into parts. */
export async function readFacts(
  trx: Trx,
  actor: Actor,
  drafts: readonly InvoiceToWrite[],
  options: InvoiceOptions,
): Promise<{ facts: InvoiceFacts; asked: Asked[] }> {
  const { pause = async () => {} } = options;
  const changed = distinct(drafts.map(({ id }) => id));
  for (const id of changed) await lockRow(trx, 'invoices', id);
  const formers = byId(await found(changed, (ids) => invoicesOf(trx, ids)));
  const closing = await holdClosing(trx);
  const isNew = ({ id, deleted }: InvoiceToWrite) => id === undefined && !deleted;
  const asksRate = drafts.some((draft) => isNew(draft) && typeof draft.tasa !== 'number');
  const rate = asksRate ? parseRate((await readSettings(trx)).tasa) : 0;
  const asked: Asked[] = [];
  for (const draft of drafts) {
    asked.push(complete(draft, formers.get(draft.id ?? 0), { today: actor.today, usual: () => rate }));
    if (asked.length % COMPLETED_BETWEEN_PAUSES === 0) await pause();
  }
  const [supplierIds, jobIds, rubroIds] = (['supplierId', 'jobId', 'rubroId'] as const).map((name) =>
    distinct(asked.map((one) => one[name])),
  ) as [number[], number[], number[]];
  // Rows without a number, and those that come back, are looked for too.
  const asksNumber = ({ numfacturaKey, deleted }: Asked) => numfacturaKey || deleted || options.isKnownOnce;
  if (asked.some((one) => isRenamed(one) && asksNumber(one))) await holdNumbers(trx);
  const suppliers = await holdSuppliers(trx, supplierIds);
  const moved = asked.filter(({ former, supplierId }) => former && former.supplierId !== supplierId);
  const coming = asked.flatMap(({ id, deleted }) => (deleted ? id! : []));
  return {
    asked,
    facts: {
      actor,
      options,
      closing,
      suppliers,
      jobs: await readIds(trx, 'jobs', jobIds),
      rubros: await readIds(trx, 'rubros', rubroIds),
      book: await readKnown(trx, asked, options),
      expenses: await uuidsOfPettyCash(
        trx,
        asked.flatMap(({ uuid, former }) => (former ? [] : (uuid ?? []))),
      ),
      budgets: await BudgetBook.of(trx, jobIds),
      credited: new Set(
        await found(
          moved.map(({ former }) => former!.id),
          (ids) => readCredited(trx, ids),
        ),
      ),
      present: await readIds(trx, 'invoices', coming),
    },
  };
}

const COMPLETED_BETWEEN_PAUSES = 1000;

/** Nothing is asked about no ids. */
const found = async <Row>(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> => (ids.length > 0 ? read(ids) : []);

/** A supplier's saldo a favor pays that supplier's invoices alone. */
async function readCredited(trx: Trx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct "facturaproveedorId" as id from payments
    where ${isOneOf(trx, 'facturaproveedorId', ids)} and "creditNoteId" is not null`.execute(trx);
  return rows.map(({ id }) => id);
}

/** By number and UUID; by total where a draft may look like another, or has no number to be known by. */
async function readKnown(
  trx: Trx,
  asked: readonly Asked[],
  { isKnownOnce = false, allowDuplicate = false, pause }: InvoiceOptions,
): Promise<InvoiceBook<KnownInvoice>> {
  const book = new InvoiceBook<KnownInvoice>();
  const keys = asked.map((one) => {
    const { uuid, supplierId, numfacturaKey, fechaemision, totalCents } = one;
    const asksNumber = isKnownOnce || (isRenamed(one) && !allowDuplicate);
    const asksTotal = fechaemision === null ? isKnownOnce && !numfacturaKey : looksNew(one);
    return {
      uuid: one.former ? null : uuid,
      supplierId: supplierId ?? 0,
      numfacturaKey: asksNumber ? numfacturaKey : '',
      totalCents: asksTotal ? totalCents : null,
    };
  });
  const days = asked.flatMap(({ fechaemision }) => fechaemision ?? []);
  const issued = days.length > 0 ? daysAbout(days) : undefined;
  await readBook(trx, book, knownInvoices, keys, { issued, pause });
  return book;
}
