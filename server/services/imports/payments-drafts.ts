import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { type Cents, moneyText } from '../../../shared/money.ts';
import { paymentTexts } from '../../../shared/payments.ts';
import { cleanText, fold, numberKey } from '../../../shared/text.ts';
import type { ParsedRow, RowValues } from '../../formats/tables/table.ts';
import type { PaidLine } from '../payments/settlement.ts';
import { type CreditDraft, draftCredit } from './credit-notes-rows.ts';
import { converted, exchangeOf } from './currency.ts';
import { centsOf, dateOf, Refused, textOf, type Verdict } from './judging.ts';
import type { ListEntry } from './known-catalogs.ts';
import type { NamedInvoice } from './paid-invoices.ts';
import type { References } from './references.ts';

/** A row as a payment, before its invoice is looked for. */
export interface PaymentDraft extends NamedInvoice {
  source: ListEntry | undefined;
  /** of kind `credito` */
  credit: CreditDraft | undefined;
  amountCents: Cents;
  /** what left the bank, or the credit note; null: none said, the same */
  importebancoCents: Cents | null;
  /** of a row in another currency: what it is in that, and what left the bank */
  foreign: PaidLine | undefined;
  /** null: none said */
  paymentdate: PlainDate | null;
  checknum: string;
  checkFold: string;
  comments: string;
  warnings: string[];
}

/** Makes payments of rows: which invoice they name, amounts, source, what a row says by itself. */
export class PaymentDrafter {
  readonly #references: References;
  readonly #base: string;

  /** @param base the currency of a row that says none */
  constructor(references: References, base: string) {
    this.#references = references;
    this.#base = base;
  }

  draft({ values }: ParsedRow): Verdict<PaymentDraft> {
    const own = centsOf(values, 'paymentamount');
    if (own === null) throw new Refused('paymentamount', 'Falta la cantidad pagada.');
    const exchange = exchangeOf(values, this.#base);
    const amountCents = exchange ? converted(own, exchange) : own;
    if (amountCents <= 0) throw new Refused('paymentamount', 'El pago debe ser mayor que cero.');
    const credit = textOf(values, 'kind') === 'credito' ? draftCredit(values) : undefined;
    const taken = credit ? 'creditaplicado' : 'importebanco';
    const importebancoCents = centsOf(values, taken);
    if (importebancoCents !== null && importebancoCents <= 0)
      throw new Refused(taken, paymentTexts.bankAboveZero);
    const warnings: string[] = exchange ? [exchange.warning] : [];
    const uuid = textOf(values, 'uuid').toUpperCase() || null;
    const supplier = uuid ? this.#supplierIfKnown(values) : this.#references.supplier(values, warnings);
    const numfactura = textOf(values, 'numfactura');
    if (!uuid && !numfactura && !supplier) throw new Refused('numfactura', 'Falta la factura que se paga.');
    // What the invoice came to was converted at another rate than the payment.
    const totalCents = exchange ? null : centsOf(values, 'total');
    const checknum = cleanText(textOf(values, 'checknum'), 'Número de cheque', 'checknum', 60);
    const numfacturaKey = numberKey(numfactura);
    const draft: PaymentDraft = {
      // Only what the invoice is looked for by: a search by total takes longer than one by number.
      keys: uuid
        ? { uuid, supplierId: undefined, numfacturaKey: '' }
        : {
            uuid,
            supplierId: supplier?.id,
            numfacturaKey,
            totalCents: numfacturaKey ? null : totalCents,
          },
      numfactura,
      totalCents,
      supplier,
      job: uuid || !textOf(values, 'jobtitle') ? undefined : this.#references.named(jobs, values, 'jobtitle'),
      source: this.#references.named(fundingSources, values, 'origenderecursonombre'),
      credit,
      amountCents,
      importebancoCents,
      foreign: exchange && {
        moneda: exchange.moneda,
        pagado: moneyText(own),
        amountCents: importebancoCents ?? amountCents,
      },
      paymentdate: dateOf(values, 'paymentdate'),
      checknum,
      checkFold: fold(checknum),
      comments: cleanText(textOf(values, 'comments'), 'Observaciones', 'comments', 4000),
      warnings,
    };
    return { accepted: draft, warnings: [] };
  }

  /** A UUID says which invoice it is; then an odd name of the supplier does no harm. */
  #supplierIfKnown(values: RowValues): ListEntry | undefined {
    try {
      return this.#references.supplier(values, []);
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }
}
