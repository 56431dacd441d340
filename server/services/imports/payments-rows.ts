import type { Db } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { sayDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { batchTexts } from '../../../shared/payment-batches.ts';
import { paymentTexts, takenBy, warnOfBank, warnOfEarly, withTaken } from '../../../shared/payments.ts';
import { remark, rowId } from '../../../shared/remarks.ts';
import { fold } from '../../../shared/text.ts';
import type { ParsedRow } from '../../formats/tables/table.ts';
import { type ClosingDate, holdClosing, isClosed } from '../closing/closing.ts';
import { InvoiceBook } from '../invoices/book.ts';
import { readBook } from '../invoices/book-reading.ts';
import { numberOrId } from '../invoices/rules.ts';
import { besideBatches, type Committed, readInOpenBatches } from '../payment-batches/committed.ts';
import { closing, settlementOf } from '../payments/settlement.ts';
import { readSettings } from '../settings/settings.ts';
import { AcceptedPayments } from './accepted-payments.ts';
import { creditOf, requireLeft } from './credit-notes-rows.ts';
import { labelOf } from './invoices-rows.ts';
import {
  type AuditEntry,
  alikeAsLine,
  conflictText,
  type Judge,
  type JudgeOptions,
  judgeSafely,
  Refused,
  refused,
  refusedAsClosed,
  sameAsLine,
  type Verdict,
  valuesOf,
} from './judging.ts';
import type { ListEntry } from './known-catalogs.ts';
import { type KnownCredit, KnownCredits, readCredits } from './known-credit-notes.ts';
import { type KnownInvoice, knownInvoices } from './known-invoices.ts';
import { type KnownPayment, KnownPayments, readPayments, type SoughtPayment } from './known-payments.ts';
import type { MakingContext } from './new-rows.ts';
import { findPaidInvoice } from './paid-invoices.ts';
import { type PaymentDraft, PaymentDrafter } from './payments-drafts.ts';
import { References } from './references.ts';
import { makeCredits, makePayments } from './writing.ts';

/** A payment to be stored; its source may be new itself. */
export interface NewPayment {
  payment: KnownPayment;
  source: ListEntry | undefined;
  /** the credit note that it is a part of; may be new itself */
  note: KnownCredit | undefined;
}

/**
 * Judges payments in the order of the file, each against what the ones before it have left pending. One is known
 * by its invoice, date, amount and check number; a part of a credit note by its invoice, its note and amount.
 */
export class PaymentJudge implements Judge<NewPayment> {
  readonly references: References;
  readonly #options: JudgeOptions;
  #drafter!: PaymentDrafter;
  #closing!: ClosingDate;
  /** on file, that the rows which are judged now name, and the payments that they may be */
  #invoices = new InvoiceBook<KnownInvoice>();
  #payments = new KnownPayments();
  /** what open batches are to pay of those invoices */
  #committed = new Map<number, Committed[]>();
  readonly #accepted = new AcceptedPayments();
  /** the line that each of those without check number and date was taken for, by their ids */
  readonly #taken = new Map<number, number>();
  readonly #credits = new KnownCredits();
  /** of the rows that are judged now */
  #drafts: (Verdict<PaymentDraft> | undefined)[] = [];

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.references = new References(options.createMissing, options.set);
  }

  async begin(db: Db): Promise<void> {
    const { references } = this;
    // Only sources are ever added: a payment to an unknown supplier pays nothing.
    await references.read(db, [fundingSources]);
    await references.readOnly(db, [suppliers, jobs]);
    const { moneda } = await readSettings(db);
    this.#drafter = new PaymentDrafter(references, moneda);
    this.#closing = await holdClosing(db);
  }

  async read(db: Db, rows: readonly ParsedRow[], { pause }: { pause: () => Promise<void> }): Promise<void> {
    this.#drafts = [];
    for (const row of rows) {
      const isRead = row.problems.length === 0;
      this.#drafts.push(isRead ? judgeSafely(row, (one) => this.#drafter.draft(one)) : undefined);
      if (this.#drafts.length % DRAFTS_BETWEEN_PAUSES === 0) await pause();
    }
    const drafts = this.#drafts.flatMap((verdict) =>
      verdict && 'accepted' in verdict ? [verdict.accepted] : [],
    );
    const keys = drafts.map((draft) => draft.keys);
    this.#invoices = new InvoiceBook();
    await readBook(db, this.#invoices, knownInvoices, keys, { hold: true, pause });
    for (const invoice of this.#invoices) invoice.paidCents += this.#accepted.paidOf(invoice.id);
    const committed = await readInOpenBatches(db, this.#invoices.ids);
    this.#committed = Map.groupBy(committed, ({ invoiceId }) => invoiceId);
    const credits = drafts.flatMap(({ credit }) => credit ?? []);
    if (credits.length > 0)
      await readCredits(db, this.#credits, {
        uuids: credits.flatMap(({ uuid }) => uuid ?? []),
        supplierIds: this.#invoices.supplierIds,
      });
    this.#payments = new KnownPayments();
    await readPayments(db, this.#payments, {
      invoiceIds: this.#invoices.ids,
      checks: drafts.flatMap(({ checkFold, source }) =>
        checkFold && source && source.id > 0 ? { c: checkFold, o: source.id } : [],
      ),
      pause,
    });
  }

  judge(row: ParsedRow, index: number): Verdict<NewPayment> {
    const drafted = this.#drafts[index];
    this.#drafts[index] = undefined;
    if (!drafted) throw new Error(`line ${row.line} was not read`);
    if (!('accepted' in drafted)) return drafted;
    const draft = drafted.accepted;
    const invoice = findPaidInvoice(this.#invoices, draft, row.values);
    const credit = draft.credit && creditOf(this.#credits, draft.credit, invoice);
    const note = credit?.note;
    const pending = invoice.totalCents - invoice.paidCents;
    const amounts = draft.foreign
      ? closing(settlementOf(draft.foreign, invoice), pending, invoice)
      : withTaken(draft.amountCents, draft.importebancoCents);
    const { amountCents } = amounts;
    const known = this.#find(invoice.id, { ...draft, amountCents, creditNoteId: note?.id ?? null });
    if (known[0] && !this.#options.allowDuplicates)
      return this.#compare(draft, this.#meant(draft, known, row.line), invoice);
    const paymentdate = note?.fecha ?? draft.paymentdate ?? this.#options.today;
    if (isClosed(paymentdate, this.#closing))
      return refusedAsClosed('paymentdate', paymentdate, this.#closing);
    const { checknum, checkFold, comments, source } = draft;
    const takenCents = takenBy(amounts);
    if (amountCents > pending) {
      const left = remark`Quedan pendientes ${formatMoney(pending)} de la factura ${labelOf(invoice)}.`;
      return refused('paymentamount', remark`${paymentTexts.beyondTotal} ${left}`);
    }
    const warnings = [...draft.warnings];
    const committed = (note ? undefined : this.#committed.get(invoice.id)) ?? [];
    const ofBatches = besideBatches(committed, pending - amountCents, invoice);
    if (ofBatches.sent)
      return refused(
        'paymentamount',
        batchTexts.inOpenBatch(numberOrId(invoice.numfactura, invoice.id), ofBatches.sent),
      );
    if (note) requireLeft(note, takenCents);
    if (note && credit.isNew) {
      this.#credits.addNew(note);
      warnings.push(
        `Se da de alta la nota de crédito ${note.numero || 'sin número'} por ${formatMoney(note.totalCents)}.`,
      );
    }
    const supplier = this.references.list(suppliers).nameOf(invoice.supplierId);
    const payment: KnownPayment = {
      id: -1 - this.#accepted.length,
      line: row.line,
      facturaproveedorId: invoice.id,
      supplierId: invoice.supplierId,
      suppliername: supplier,
      paymentdate,
      ...amounts,
      checknum,
      checkFold,
      origenderecursoId: source?.id ?? null,
      creditNoteId: note?.id ?? null,
      comments,
    };
    warnings.push(...this.#warnOfCheck(payment));
    if (!note)
      warnings.push(
        ...known
          .filter((one) => one.paymentdate === paymentdate)
          .slice(0, 1)
          .map(sayTwin),
        ...warnOfEarly(paymentdate, invoice.fechaemision),
        ...ofBatches.warnings,
        ...warnOfBank({ ...amounts, ...invoice }),
      );
    invoice.paidCents += amountCents;
    if (note) note.appliedCents += takenCents;
    this.#accepted.add(payment);
    return { accepted: { payment, source, note }, warnings };
  }

  async make(context: MakingContext) {
    const notes = await makeCredits(context, this.#credits.added);
    const noteId = (id: number) => this.#credits.added[-1 - id]!.id;
    return [notes, await makePayments(context, this.#accepted, { references: this.references, noteId })];
  }

  /** What else is paid of the same invoices, or of a credit note, leaves less of them. */
  touches({ entity, entityId, action, after }: AuditEntry): boolean {
    const { areOfNotes } = this.#accepted;
    const isAhead = (invoiceId: unknown) => this.#accepted.pays(Number(invoiceId));
    if (entity === 'credit-notes') return areOfNotes || action !== 'create';
    if (entity === 'invoices') return action !== 'create' && (entityId === null || isAhead(entityId));
    if (entity === 'payment-batches') return action === 'update' && linesOf(after).some(isAhead);
    if (entity !== 'payments' || action === 'delete') return false;
    const { facturaproveedorId, creditNoteId } = valuesOf(after);
    if (action === 'import' || facturaproveedorId === undefined) return true;
    return isAhead(facturaproveedorId) || (areOfNotes && creditNoteId !== null);
  }

  /** Those on file, and those of the rows before. */
  #find(invoiceId: number, sought: SoughtPayment): readonly KnownPayment[] {
    const onFile = this.#payments.find(invoiceId, sought);
    if (onFile[0] && sought.paymentdate) return onFile;
    return [...onFile, ...this.#accepted.find(invoiceId, sought)];
  }

  /**
   * Without check number and date as many rows as are on file are those; of one more, only a person knows whether it
   * is another.
   * @throws Refused
   */
  #meant(
    { credit, checkFold, paymentdate }: PaymentDraft,
    known: readonly KnownPayment[],
    line: number,
  ): KnownPayment {
    const [first] = known;
    if (credit || checkFold || paymentdate) return first!;
    const free = known.find((one) => one.line === undefined && !this.#taken.has(one.id));
    if (!free) throw new Refused('paymentdate', alikeAsLine(first!.line ?? this.#taken.get(first!.id)!));
    this.#taken.set(free.id, line);
    return free;
  }

  #compare(draft: PaymentDraft, known: KnownPayment, invoice: KnownInvoice): Verdict<NewPayment> {
    const where = known.line === undefined ? rowId(known.id) : ` (renglón ${known.line})`;
    const what = remark`${known.creditNoteId === null ? 'El pago' : 'El crédito'} de ${formatMoney(known.amountCents)} del ${sayDate(known.paymentdate)} a la factura ${labelOf(invoice)}${where}`;
    const { source, comments, importebancoCents: taken } = draft;
    if (taken !== null && taken !== takenBy(known)) {
      const [field, label] =
        known.creditNoteId === null
          ? ['importebanco', 'importe del banco']
          : ['creditaplicado', 'aplicado de la nota'];
      return refused(field, conflictText(what, label, formatMoney(takenBy(known)), formatMoney(taken)));
    }
    const list = this.references.list(fundingSources);
    if (source && source.id !== known.origenderecursoId) {
      const stored = known.origenderecursoId === null ? '' : list.nameOf(known.origenderecursoId);
      return refused('origenderecursonombre', conflictText(what, 'origen de recurso', stored, source.name));
    }
    if (comments && fold(comments) !== fold(known.comments))
      return refused('comments', conflictText(what, 'observaciones', known.comments, comments));
    if (known.line === undefined) return { unchanged: true, warnings: draft.warnings };
    return { unchanged: true, warnings: [...draft.warnings, sameAsLine(known.line)] };
  }

  #warnOfCheck(payment: KnownPayment): string[] {
    const { checknum, origenderecursoId } = payment;
    if (!checknum || origenderecursoId === null) return [];
    const other = this.#payments.sameCheck(payment) ?? this.#accepted.sameCheck(payment);
    if (!other) return [];
    return [
      `El cheque ${checknum} ya se usó para ${other.suppliername} (${formatMoney(other.amountCents)}).`,
    ];
  }
}

/** The invoices of a batch, as the audit trail has it. */
const linesOf = (after: AuditEntry['after']): unknown[] => {
  const { lines } = valuesOf(after) as { lines?: { invoiceId: number }[] };
  return (lines ?? []).map(({ invoiceId }) => invoiceId);
};

const sayTwin = ({ id, line }: KnownPayment): string =>
  paymentTexts.twin(line === undefined ? id : `del renglón ${line}`);

const DRAFTS_BETWEEN_PAUSES = 1000;
