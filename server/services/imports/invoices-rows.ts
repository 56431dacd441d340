import type { Db, Trx } from '../../../db/schema.ts';
import { sayExceeded } from '../../../shared/budgets.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { INVOICE_DATES, INVOICE_NOTES } from '../../../shared/invoices.ts';
import { MIXED_RATE } from '../../../shared/invoices-typing.ts';
import { formatMoney, parseRate, type Rate, rateText } from '../../../shared/money.ts';
import {
  alikeAsLine,
  conflictText,
  type Remark,
  remark,
  rowId,
  sameAsLine,
} from '../../../shared/remarks.ts';
import { fold, numberKey } from '../../../shared/text.ts';
import { fieldNamed } from '../../formats/tables/fields.ts';
import type { ParsedRow, RowWarning } from '../../formats/tables/table.ts';
import { BudgetBook, costOf } from '../budgets/budget-book.ts';
import { type ClosingDate, holdClosing, isClosed } from '../closing/closing.ts';
import { InvoiceBook, MOST_LOOKALIKES } from '../invoices/book.ts';
import { readBook } from '../invoices/book-reading.ts';
import { holdAllNumbers, holdNumbers } from '../invoices/number-locks.ts';
import { lookalikeWarning } from '../invoices/rules.ts';
import { sayTaken, uuidsOfPettyCash } from '../petty-cash/uuids.ts';
import { readSettings } from '../settings/settings.ts';
import { AcceptedInvoices } from './accepted-invoices.ts';
import { CONVERTED } from './invoices-currency.ts';
import { type InvoiceDraft, InvoiceDrafter, type NewInvoice } from './invoices-drafts.ts';
import {
  type AuditEntry,
  type Judge,
  type JudgeOptions,
  judgeSafely,
  refused,
  refusedAsClosed,
  type Verdict,
  valuesOf,
} from './judging.ts';
import { type KnownInvoice, knownInvoices } from './known-invoices.ts';
import type { MakingContext } from './new-rows.ts';
import { References } from './references.ts';
import { makeInvoices } from './writing.ts';

/**
 * Judges invoices. One is known by its UUID, else by supplier and number, else by supplier, date, total and obra;
 * known and equal is no change, known and different a conflict.
 */
export class InvoiceJudge implements Judge<NewInvoice> {
  readonly references: References;
  readonly #options: JudgeOptions;
  #drafter!: InvoiceDrafter;
  #budgets!: BudgetBook;
  #closing!: ClosingDate;
  /** on file, that the rows which are judged now may be */
  #known = new InvoiceBook<KnownInvoice>();
  /** the same of expenses of petty cash, by UUID */
  #expenses: Awaited<ReturnType<typeof uuidsOfPettyCash>> = new Map();
  readonly #accepted = new AcceptedInvoices();
  /** the line that each of those that another one may be just like was taken for, by their ids */
  readonly #taken = new Map<number, number>();
  /** of the rows that are judged now */
  #drafts: (Verdict<InvoiceDraft> | undefined)[] = [];
  #isHeld = false;

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.references = new References(options.createMissing, options.set);
  }

  async begin(db: Db): Promise<void> {
    await this.references.read(db, [suppliers, jobs, rubros]);
    const { tasa, moneda: base } = await readSettings(db);
    this.#drafter = new InvoiceDrafter(this.references, { usual: parseRate(tasa), base });
    this.#budgets = await BudgetBook.open(db);
    this.#closing = await holdClosing(db);
  }

  async read(
    db: Db,
    rows: readonly ParsedRow[],
    { all, pause }: { all: number; pause: () => Promise<void> },
  ): Promise<void> {
    this.#drafts = [];
    for (const row of rows) {
      const isRead = row.problems.length === 0;
      this.#drafts.push(isRead ? judgeSafely(row, (one) => this.#drafter.draft(one)) : undefined);
      if (this.#drafts.length % DRAFTS_BETWEEN_PAUSES === 0) await pause();
    }
    const drafts = this.#drafts.flatMap((verdict) =>
      verdict && 'accepted' in verdict ? [verdict.accepted.invoice] : [],
    );
    if (db.isTransaction && !this.#isHeld) {
      // Of a file that is not judged in one go, all: in parts, two might wait for each other.
      this.#isHeld = all > rows.length;
      await (this.#isHeld ? holdAllNumbers(db as Trx) : holdNumbers(db as Trx, drafts));
    }
    await this.#budgets.read(drafts.map(({ jobId }) => jobId));
    this.#known = new InvoiceBook();
    await readBook(db, this.#known, knownInvoices, drafts, { pause });
    this.#expenses = await uuidsOfPettyCash(
      db,
      drafts.flatMap(({ uuid }) => uuid ?? []),
    );
  }

  judge(row: ParsedRow, index: number): Verdict<NewInvoice> {
    const drafted = this.#drafts[index];
    this.#drafts[index] = undefined;
    if (!drafted) throw new Error(`line ${row.line} was not read`);
    if (!('accepted' in drafted)) return drafted;
    const draft = drafted.accepted;
    const { invoice } = draft;
    const { uuid } = invoice;
    const twin = uuid ? (this.#known.withUuid(uuid) ?? this.#accepted.withUuid(uuid)) : undefined;
    if (twin) return this.#compare(draft, twin, 'La factura con ese UUID');
    const expense = uuid ? this.#expenses.get(uuid) : undefined;
    if (expense) return refused('uuid', sayTaken(expense));
    const other = this.#ofUuid(draft, row.line);
    if (other) return other;
    const first = this.#first(invoice);
    if (!uuid && !this.#options.allowDuplicates && first) {
      const isEqual = (one: KnownInvoice) => !this.#difference(draft, one);
      const onFile = this.#known.same(invoice).filter(isEqual);
      const equal = onFile[0] ?? this.#accepted.same(invoice).slice(0, MOST_COMPARED).find(isEqual);
      if (equal && !invoice.numfacturaKey && !invoice.fechaemision)
        return this.#tellApart(draft, { onFile, equal }, row.line);
      return this.#compare(draft, equal ?? first, 'La factura');
    }
    const day = invoice.fechaemision ?? this.#options.today;
    if (isClosed(day, this.#closing)) return refusedAsClosed('fechaemision', day, this.#closing);
    const spending = costOf(invoice);
    const excess = this.#budgets.judge(spending);
    if (excess && this.#budgets.refuses) return refused('subtotal', sayExceeded(excess));
    this.#budgets.take(spending);
    const warnings = [...draft.warnings, ...this.#warnOfOthers(invoice, first)];
    if (excess) this.#budgets.exceed(row.line, spending, excess);
    this.#accepted.add(invoice);
    return { accepted: draft, warnings };
  }

  end = (): RowWarning[] =>
    this.#budgets.tellExceeded().map(({ at: row, text: reason }) => ({ row, reason }));

  make = async (context: MakingContext) => [await makeInvoices(context, this.#accepted, this.references)];

  /**
   * Others of the same supplier may be the same invoice or look like it, and so may any with the same UUID; another
   * credit of the supplier is another due day.
   */
  touches(entry: AuditEntry): boolean {
    const { entity, entityId, action, before, after } = entry;
    if (this.#budgets.isTouched(entry, valuesOf(after).jobId)) return true;
    if (entity === 'suppliers')
      return (
        action === 'update' &&
        this.#accepted.supplierIds.has(Number(entityId)) &&
        valuesOf(before).diascredito !== valuesOf(after).diascredito
      );
    if (entity !== 'invoices' || action === 'delete') return false;
    const { supplierId, numfactura, totalCents, uuid, formerUuid } = valuesOf(after);
    if (action === 'import' || supplierId === undefined || numfactura === undefined) return true;
    const uuids = [uuid, formerUuid].filter(Boolean).map(String);
    const numfacturaKey = numberKey(String(numfactura));
    const changed = {
      supplierId: Number(supplierId),
      totalCents: Number(totalCents),
      numfacturaKey,
      uuids,
    };
    return this.#accepted.isTouched(changed);
  }

  #first = (invoice: KnownInvoice): KnownInvoice | undefined =>
    this.#known.same(invoice)[0] ?? this.#accepted.same(invoice)[0];

  /** As many as are on file are those; of one more, only a person knows whether it is another. */
  #tellApart(
    draft: InvoiceDraft,
    { onFile, equal }: { onFile: readonly KnownInvoice[]; equal: KnownInvoice },
    line: number,
  ): Verdict<NewInvoice> {
    const free = onFile.find((one) => !this.#taken.has(one.id));
    if (!free) return refused('numfactura', alikeAsLine(equal.line ?? this.#taken.get(equal.id)!));
    this.#taken.set(free.id, line);
    return { unchanged: true, warnings: draft.warnings };
  }

  #compare(draft: InvoiceDraft, known: KnownInvoice, what: string): Verdict<NewInvoice> {
    const difference = this.#difference(draft, known);
    if (difference) {
      const { field, label, stored, here } = difference;
      return refused(field, conflictText(remark`${what} ${labelOf(known)}`, label, stored, here), here);
    }
    if (known.line === undefined) return { unchanged: true, warnings: draft.warnings };
    return { unchanged: true, warnings: [...draft.warnings, sameAsLine(known.line)] };
  }

  /** The first thing in which the row says something else; what it leaves empty says nothing. */
  #difference({ invoice, saysRate }: InvoiceDraft, known: KnownInvoice) {
    if (invoice.supplierId !== known.supplierId)
      return this.#named('suppliername', 'proveedor', suppliers, known.supplierId, invoice.supplierId);
    for (const [field, name, label] of AMOUNTS) {
      if (invoice[name] === known[name]) continue;
      return { field, label, stored: formatMoney(known[name]), here: formatMoney(invoice[name]) };
    }
    if (saysRate && invoice.tasa !== known.tasa)
      return { field: 'tasa', label: 'tasa', stored: showRate(known.tasa), here: showRate(invoice.tasa) };
    if (invoice.jobId !== known.jobId)
      return this.#named('jobtitle', 'obra', jobs, known.jobId, invoice.jobId);
    if (invoice.rubroId !== null && invoice.rubroId !== known.rubroId)
      return this.#named('nombrerubro', 'rubro', rubros, known.rubroId, invoice.rubroId);
    for (const [field, name, label] of CONVERTED) {
      const here = invoice[name];
      if (here && here !== known[name]) return { field, label, stored: known[name] ?? '', here };
    }
    for (const name of TEXTS) {
      const here = invoice[name];
      const stored = known[name] ?? '';
      if (!here || here === stored || fold(here) === fold(stored)) continue;
      return { field: name, label: fieldNamed('invoices', name).label.toLowerCase(), stored, here };
    }
    return undefined;
  }

  #named(field: string, label: string, catalog: Catalog, stored: number | null, here: number) {
    const list = this.references.list(catalog);
    return { field, label, stored: stored === null ? '' : list.nameOf(stored), here: list.nameOf(here) };
  }

  /**
   * A UUID that no invoice has: that of one which was unlinked from it, or of one that is on file without any and
   * says the same. A number alone decides nothing against it.
   */
  #ofUuid(draft: InvoiceDraft, line: number): Verdict<NewInvoice> | undefined {
    const { invoice } = draft;
    if (!invoice.uuid) return undefined;
    const unlinked = this.#known.formerly(invoice.uuid);
    if (unlinked) {
      const whose = remark`Es el CFDI del que se desligó la factura ${labelOf(unlinked)}`;
      return refused('uuid', remark`${whose}: se retiene para no duplicarla.`);
    }
    if (this.#options.allowDuplicates) return undefined;
    const isFree = (one: KnownInvoice) =>
      !one.uuid && !this.#taken.has(one.id) && !this.#difference(draft, one);
    const same =
      this.#known.same(invoice).find(isFree) ?? this.#accepted.sameWithoutUuid(invoice).find(isFree);
    if (!same) return undefined;
    this.#taken.set(same.id, line);
    const said = remark`Ya está la factura ${labelOf(same)}, sin UUID: carga su XML para ligarla.`;
    return { unchanged: true, warnings: [...draft.warnings, said] };
  }

  #warnOfOthers(invoice: KnownInvoice, numbered: KnownInvoice | undefined): Remark[] {
    const alike = [
      ...this.#known.lookalikes(invoice, numbered),
      ...this.#accepted.lookalikes(invoice, numbered),
    ].slice(0, MOST_LOOKALIKES);
    const warnings = alike.map((one) => lookalikeWarning({ ...one, id: one.id > 0 ? one.id : undefined }));
    return numbered
      ? [remark`El proveedor ya tiene la factura ${labelOf(numbered)}.`, ...warnings]
      : warnings;
  }
}

const DRAFTS_BETWEEN_PAUSES = 1000;

/**
 * So many of a file with one number and UUIDs of their own are compared with a row without any; beyond them it is in
 * conflict with the first.
 */
const MOST_COMPARED = 50;

/** The amounts of a row, what holds them in an invoice, and what they are called. */
export const AMOUNTS = [
  ['total', 'totalCents', 'total'],
  ['subtotal', 'subtotalCents', 'subtotal'],
  ['iva', 'ivaCents', 'IVA'],
  ['otrosimpuestos', 'otrosimpuestosCents', 'otros impuestos'],
  ['retenciones', 'retencionesCents', 'retenciones'],
] as const;

const TEXTS = [...INVOICE_DATES, 'metodopago', ...INVOICE_NOTES] as const;

const showRate = (rate: Rate | null): string => (rate === null ? MIXED_RATE : `${rateText(rate)} %`);

/** "A-12", with its id beside it; "A-12 (renglón 9)". */
export const labelOf = ({ id, line, numfactura }: KnownInvoice): Remark =>
  remark`${numfactura || 'sin número'}${line === undefined ? rowId(id) : ` (renglón ${line})`}`;
