import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { INVOICE_DATES, INVOICE_NOTES, type PlainFields } from '../../../shared/invoices.ts';
import { type Rate, rateText } from '../../../shared/money.ts';
import { cleanText, numberKey } from '../../../shared/text.ts';
import { decimalText } from '../../formats/cfdi/values.ts';
import { fieldNamed } from '../../formats/tables/fields.ts';
import type { ParsedRow, RowValues } from '../../formats/tables/table.ts';
import type { ListEntry } from '../catalogs/known.ts';
import { NOTHING_SAID } from '../invoices/rows.ts';
import { convertRow, exchangeOf } from './currency.ts';
import { checkRange, readAmounts } from './invoices-amounts.ts';
import { readConverted } from './invoices-currency.ts';
import { dateOf, Refused, textOf, type Verdict } from './judging.ts';
import type { KnownInvoice } from './known-invoices.ts';
import type { References } from './references.ts';

/** An invoice to be stored; what it refers to may be new itself. */
export interface NewInvoice {
  invoice: KnownInvoice;
  supplier: ListEntry;
  job: ListEntry;
  rubro: ListEntry | undefined;
}

/** A row as an invoice, before it is compared with others; the fields that it leaves out are not compared. */
export interface InvoiceDraft extends NewInvoice {
  warnings: string[];
  /** the rate is the row's own */
  saysRate: boolean;
}

/** Makes invoices of rows: supplier, job, rubro and amounts, what a row says by itself. */
export class InvoiceDrafter {
  readonly #references: References;
  readonly #usual: Rate;
  readonly #base: string;
  #drafted = 0;

  /** @param usual the rate, and `base` the currency, of a row that says none */
  constructor(references: References, { usual, base }: { usual: Rate; base: string }) {
    this.#references = references;
    this.#usual = usual;
    this.#base = base;
  }

  draft({ values, line }: ParsedRow): Verdict<InvoiceDraft> {
    const warnings: string[] = [];
    const supplier = this.#references.supplier(values, warnings);
    if (!supplier) throw new Refused('suppliername', 'Falta el proveedor.');
    const job = this.#references.named(jobs, values, 'jobtitle');
    if (!job) throw new Refused('jobtitle', 'Falta la obra.');
    const rubro = this.#references.named(rubros, values, 'nombrerubro');
    const uuid = readUuid(values);
    const cfdi = uuid !== null;
    const exchange = exchangeOf(values, this.#base);
    const own = readAmounts(values, { usual: this.#usual, cfdi });
    const amounts = exchange ? convertRow(own, exchange) : own;
    if (exchange) {
      checkRange(amounts, cfdi);
      warnings.push(exchange.warning);
    }
    this.#drafted += 1;
    const numfactura = cleanText(textOf(values, 'numfactura'), 'Número de factura', 'numfactura', 100);
    const invoice: KnownInvoice = {
      id: -this.#drafted,
      line,
      supplierId: supplier.id,
      jobId: job.id,
      rubroId: rubro?.id ?? null,
      numfactura,
      numfacturaKey: numberKey(numfactura),
      ...plainFields(values),
      ...amounts,
      paidCents: 0,
      uuid,
      formerUuid: null,
      ...(exchange
        ? { moneda: exchange.moneda, tipocambio: decimalText(exchange.rate) }
        : readConverted(values)),
      metodopago: cleanText(textOf(values, 'metodopago'), 'Método de pago', 'metodopago', 20) || null,
    };
    const saysRate = textOf(values, 'tasa') !== '';
    if (!saysRate && amounts.tasa === null) warnings.push(UNKNOWN_RATE);
    if (!saysRate && !textOf(values, 'iva') && !textOf(values, 'total'))
      warnings.push(`No dice IVA, tasa ni total: se toma la tasa de ${rateText(this.#usual)} %.`);
    return { accepted: { invoice, supplier, job, rubro, warnings, saysRate }, warnings: [] };
  }
}

const UNKNOWN_RATE = 'Su IVA no es ni 0 ni 8 ni 16 % del subtotal: la tasa queda como Mixta.';

function plainFields(values: RowValues): PlainFields {
  const fields = { ...NOTHING_SAID };
  for (const name of INVOICE_DATES) fields[name] = dateOf(values, name);
  for (const { name, label, max } of NOTES) fields[name] = cleanText(textOf(values, name), label, name, max);
  return fields;
}

const NOTES = INVOICE_NOTES.map((name) => ({ ...fieldNamed('invoices', name), name }));

function readUuid(values: RowValues): string | null {
  const uuid = textOf(values, 'uuid').toUpperCase();
  if (!uuid) return null;
  if (/^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/.test(uuid)) return uuid;
  throw new Refused(
    'uuid',
    'El UUID no es válido: lleva 32 cifras y letras de la A a la F, en cinco grupos.',
  );
}
