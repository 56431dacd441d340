import type { Db } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { paymentTexts, takenBy, warnOfBank, withTaken } from '../../../shared/payments.ts';
import { remark, rowId } from '../../../shared/remarks.ts';
import { fold } from '../../../shared/text.ts';
import type { ParsedRow } from '../../formats/tables/table.ts';
import { InvoiceBook } from '../invoices/book.ts';
import { readBook } from '../invoices/book-reading.ts';
import { closing, settlementOf } from '../payments/settlement.ts';
import { readSettings } from '../settings/settings.ts';
import { creditOf, requireLeft } from './credit-notes-rows.ts';
import { labelOf } from './invoices-rows.ts';
import {
  alikeAsLine,
  conflictText,
  type JudgeOptions,
  judgeSafely,
  Refused,
  refused,
  sameAsLine,
  type Verdict,
} from './judging.ts';
import type { ListEntry } from './known-catalogs.ts';
import { type KnownCredit, KnownCredits, readCredits } from './known-credit-notes.ts';
import { type KnownInvoice, knownInvoices } from './known-invoices.ts';
import { type KnownPayment, KnownPayments, readPayments } from './known-payments.ts';
import { findPaidInvoice } from './paid-invoices.ts';
import { type PaymentDraft, PaymentDrafter } from './payments-drafts.ts';
import { References } from './references.ts';

interface PaymentJudgeOptions extends JudgeOptions {
  /** the day of a payment that says none */
  today: PlainDate;
}

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
export class PaymentJudge {
  readonly references: References;
  readonly #options: PaymentJudgeOptions;
  readonly #invoices = new InvoiceBook<KnownInvoice>();
  readonly #payments = new KnownPayments();
  /** the line that each of those without check number and date was taken for */
  readonly #taken = new Map<KnownPayment, number>();
  readonly #credits = new KnownCredits();
  /** by the row's place in the file; each is let go once it is judged */
  #drafts: (Verdict<PaymentDraft> | undefined)[] = [];
  #added = 0;

  constructor(options: PaymentJudgeOptions) {
    this.#options = options;
    this.references = new References(options.createMissing, options.set);
  }

  async read(db: Db, rows: readonly ParsedRow[], pause: () => Promise<void>): Promise<void> {
    const { references } = this;
    // Only sources are ever added: a payment to an unknown supplier pays nothing.
    await references.read(db, [fundingSources]);
    await references.readOnly(db, [suppliers, jobs]);
    const { moneda } = await readSettings(db);
    const drafter = new PaymentDrafter(references, moneda);
    for (const row of rows) {
      const isRead = row.problems.length === 0;
      this.#drafts.push(isRead ? judgeSafely(row, (one) => drafter.draft(one)) : undefined);
      if (this.#drafts.length % DRAFTS_BETWEEN_PAUSES === 0) await pause();
    }
    const drafts = this.#drafts.flatMap((verdict) =>
      verdict && 'accepted' in verdict ? [verdict.accepted] : [],
    );
    const keys = drafts.map((draft) => draft.keys);
    await readBook(db, this.#invoices, knownInvoices, keys, { hold: true, pause });
    const credits = drafts.flatMap(({ credit }) => credit ?? []);
    if (credits.length > 0)
      await readCredits(db, this.#credits, {
        uuids: credits.flatMap(({ uuid }) => uuid ?? []),
        supplierIds: this.#invoices.supplierIds,
      });
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
    const known = this.#payments.find(invoice.id, { ...draft, amountCents, creditNoteId: note?.id ?? null });
    if (known[0] && !this.#options.allowDuplicates)
      return this.#compare(draft, this.#meant(draft, known, row.line), invoice);
    const { checknum, checkFold, comments, source } = draft;
    const takenCents = takenBy(amounts);
    if (amountCents > pending) {
      const left = remark`Quedan pendientes ${formatMoney(pending)} de la factura ${labelOf(invoice)}.`;
      return refused('paymentamount', remark`${paymentTexts.beyondTotal} ${left}`);
    }
    const warnings = [...draft.warnings];
    if (note) requireLeft(note, takenCents);
    if (note && credit.isNew) {
      this.#credits.addNew(note);
      warnings.push(
        `Se da de alta la nota de crédito ${note.numero || 'sin número'} por ${formatMoney(note.totalCents)}.`,
      );
    }
    const supplier = this.references.list(suppliers).nameOf(invoice.supplierId);
    this.#added += 1;
    const payment: KnownPayment = {
      id: -this.#added,
      line: row.line,
      facturaproveedorId: invoice.id,
      supplierId: invoice.supplierId,
      suppliername: supplier,
      paymentdate: note?.fecha ?? draft.paymentdate ?? this.#options.today,
      ...amounts,
      checknum,
      checkFold,
      origenderecursoId: source?.id ?? null,
      creditNoteId: note?.id ?? null,
      comments,
    };
    warnings.push(...this.#warnOfCheck(payment));
    if (!note) warnings.push(...warnOfBank({ ...amounts, ...invoice }));
    invoice.paidCents += amountCents;
    if (note) note.appliedCents += takenCents;
    this.#payments.add(payment);
    return { accepted: { payment, source, note }, warnings };
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
    const free = known.find((one) => one.line === undefined && !this.#taken.has(one));
    if (!free) throw new Refused('paymentdate', alikeAsLine(first!.line ?? this.#taken.get(first!)!));
    this.#taken.set(free, line);
    return free;
  }

  #compare(draft: PaymentDraft, known: KnownPayment, invoice: KnownInvoice): Verdict<NewPayment> {
    const where = known.line === undefined ? rowId(known.id) : ` (renglón ${known.line})`;
    const what = remark`${known.creditNoteId === null ? 'El pago' : 'El crédito'} de ${formatMoney(known.amountCents)} del ${formatDate(known.paymentdate)} a la factura ${labelOf(invoice)}${where}`;
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
    const other = this.#payments.sameCheck(payment);
    if (!other) return [];
    const { checknum } = payment;
    return [
      `El cheque ${checknum} ya se usó para ${other.suppliername} (${formatMoney(other.amountCents)}).`,
    ];
  }
}

const DRAFTS_BETWEEN_PAUSES = 1000;
