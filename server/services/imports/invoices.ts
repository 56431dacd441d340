import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { INVOICE_DATES, INVOICE_NOTES } from '../../../shared/invoices.ts';
import { parseRate, type Rate } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { formatDecimal, parseDecimal } from '../../formats/cfdi/attribute-values.ts';
import type { ParsedRow, RowValues, TableImportResult } from '../../formats/tables/table.ts';
import type { InvoiceDraft, InvoiceInput } from '../invoices/draft.ts';
import { writeInvoices } from '../invoices/write.ts';
import { readSettings } from '../settings/settings.ts';
import { importDrafts, readEachRow } from './import-drafts.ts';
import type { TableImportRun } from './import-run.ts';
import { describeDefaultRate, readAmounts, statesNoTax } from './invoice-amounts.ts';
import type { References } from './references.ts';
import { centsOf, dateOf, RowRefusalError, readCurrencyAndRate, textOf } from './row-values.ts';

const CATALOGS_BY_MEMBER = { supplierId: suppliers, jobId: jobs, rubroId: rubros } as const;

/** A row matches a stored invoice by UUID, else by supplier and number, else by supplier, date, total and obra. */
export function importInvoices(run: TableImportRun): Promise<TableImportResult> {
  const { db, references, options } = run;
  return importDrafts<InvoiceInput, InvoiceDraft>(run, {
    entity: 'invoices',
    names: CATALOGS_BY_MEMBER,
    columns: { moneda: 'monedacfdi', tipocambio: 'tipocambiocfdi' },
    async readInputs() {
      const { tasa, moneda } = await readSettings(db);
      const defaultRate = parseRate(tasa);
      return readEachRow(run, (row, warnings) =>
        toInvoiceInput(row, references, { defaultRate, baseCurrency: moneda, warnings }),
      );
    },
    // The actor's roles are removed so that no row may exceed a budget, whoever imports it.
    write: (trx, actor, drafts, bulk) =>
      writeInvoices(trx, { ...actor, roles: [] }, drafts, {
        ...bulk,
        skipsExisting: true,
        allowDuplicate: options.allowDuplicates,
        nameOf: (field, id) => references.nameOf(CATALOGS_BY_MEMBER[field], id),
      }),
    storedValues: (draft) => ({
      subtotal: draft.subtotalCents,
      iva: draft.ivaCents,
      otrosimpuestos: draft.otrosimpuestosCents,
      retenciones: draft.retencionesCents,
      total: draft.totalCents,
    }),
  });
}

interface RowContext {
  defaultRate: Rate;
  baseCurrency: string;
  warnings: Remark[];
}

function toInvoiceInput(
  { values, line }: ParsedRow,
  references: References,
  context: RowContext,
): InvoiceInput {
  const { defaultRate, baseCurrency, warnings } = context;
  const rowWarnings: string[] = [];
  const supplier = references.findOrAddSupplier(values, rowWarnings);
  const job = references.findOrAddEntry(jobs, values);
  const rubro = references.findOrAddEntry(rubros, values);
  const uuid = textOf(values, 'uuid').toUpperCase() || null;
  const exchange = readCurrencyAndRate(values, baseCurrency);
  const amounts = readAmounts(values, { defaultRate, isDocument: uuid !== null });
  const originalTotal = centsOf(values, 'totaloriginal');
  if (exchange && originalTotal !== null && originalTotal !== amounts.totalCents)
    throw new RowRefusalError('totaloriginal', UNCLEAR_CONVERSION_MESSAGE);
  const hasStatedRate = textOf(values, 'tasa') !== '';
  if (exchange) rowWarnings.push(exchange.warning);
  if (!hasStatedRate && amounts.tasa === null) rowWarnings.push(UNKNOWN_RATE_WARNING);
  if (statesNoTax(values)) rowWarnings.push(describeDefaultRate(defaultRate));
  warnings.push(...rowWarnings);
  const draft: InvoiceInput = {
    line,
    supplierId: supplier?.id,
    jobId: job?.id,
    rubroId: rubro?.id,
    numfactura: textOf(values, 'numfactura'),
    ...amounts,
    hasStatedRate,
    uuid,
    metodopago: textOf(values, 'metodopago'),
    ...(exchange
      ? { currencyAndRate: exchange, tipocambio: formatDecimal(exchange.rate) }
      : readOriginalCurrency(values)),
  };
  for (const name of INVOICE_DATES) draft[name] = dateOf(values, name);
  for (const name of INVOICE_NOTES) draft[name] = textOf(values, name);
  return draft;
}

const UNCLEAR_CONVERSION_MESSAGE =
  'Es otro importe que el total: no se sabe si el renglón ya está en pesos. Si lo está, no uses la columna de la moneda.';
const UNKNOWN_RATE_WARNING = 'Su IVA no es ni 0 ni 8 ni 16 % del subtotal: la tasa queda como Mixta.';

/** For rows whose amounts are in pesos already, as in files that Saldo exports. @throws RowRefusalError */
function readOriginalCurrency(values: RowValues): Pick<InvoiceInput, 'moneda' | 'tipocambio'> {
  const moneda = textOf(values, 'monedacfdi').toUpperCase();
  const text = textOf(values, 'tipocambiocfdi');
  if (!moneda && !text) return {};
  if (!/^[A-Z]{3}$/.test(moneda))
    throw new RowRefusalError(
      'monedacfdi',
      'Con el tipo de cambio del CFDI va su moneda, de tres letras (USD, EUR).',
    );
  const rate = parseDecimal(text);
  if (rate === undefined || rate <= 0n)
    throw new RowRefusalError(
      'tipocambiocfdi',
      `El tipo de cambio de ${moneda} debe ser un número mayor que cero, como 17.1234.`,
    );
  return { moneda, tipocambio: formatDecimal(rate) };
}
