import type { Db, Trx } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { INVOICE_DATES, INVOICE_NOTES } from '../../../shared/invoices.ts';
import { parseRate, type Rate, rateText } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { decimalText, parseDecimal } from '../../formats/cfdi/values.ts';
import type { ParsedRow, RowValues, TableImport } from '../../formats/tables/table.ts';
import { readList } from '../catalogs/known.ts';
import type { Asked, InvoiceToWrite } from '../invoices/asked.ts';
import { writeInvoices } from '../invoices/write.ts';
import { readSettings } from '../settings/settings.ts';
import type { UnreadDraft } from '../writing.ts';
import { exchangeOf } from './currency.ts';
import { draftEach, importDrafts } from './drafts.ts';
import { readAmounts } from './invoice-amounts.ts';
import { References } from './references.ts';
import { dateOf, Refused, textOf } from './row-values.ts';
import type { Run, StoreOnce } from './run.ts';

const NAMED = { supplierId: suppliers, jobId: jobs, rubroId: rubros } as const;

/**
 * Invoices of a table: known by their UUID, else by supplier and number, else by supplier, date, total and obra;
 * known and equal is no change, known and different a conflict.
 */
export function importInvoices(db: Db, run: Run, storeOnce: StoreOnce): Promise<TableImport> {
  const { createMissing = false, set, allowDuplicates } = run.options;
  const references = new References(createMissing, set);
  return importDrafts<InvoiceToWrite, Asked>(db, run, storeOnce, {
    table: 'invoices',
    entity: 'invoices',
    columns: {
      ...Object.fromEntries(Object.entries(NAMED).map(([name, { nameField }]) => [name, nameField])),
      moneda: 'monedacfdi',
      tipocambio: 'tipocambiocfdi',
    },
    async draftRows() {
      await references.read(db, Object.values(NAMED));
      const { tasa, moneda } = await readSettings(db);
      const usual = parseRate(tasa);
      return draftEach(run, (row, warnings) => draftOf(row, references, { usual, base: moneda, warnings }));
    },
    async write(trx, actor, drafts, options) {
      await findAdded(trx, references, drafts);
      // No row of a table goes beyond a budget, whoever asks.
      return writeInvoices(trx, { ...actor, roles: [] }, drafts, {
        ...options,
        isKnownOnce: true,
        allowDuplicate: allowDuplicates,
        nameOf: (field, id) => references.list(NAMED[field]).nameOf(id),
      });
    },
    references,
    asStored,
  });
}

interface Drafting {
  /** the rate, and the currency, of a row that says none */
  usual: Rate;
  base: string;
  warnings: Remark[];
}

function draftOf({ values, line }: ParsedRow, references: References, drafting: Drafting): InvoiceToWrite {
  const { usual, base, warnings } = drafting;
  const said: string[] = [];
  const supplier = references.supplier(values, said);
  const job = references.named(jobs, values, 'jobtitle');
  const rubro = references.named(rubros, values, 'nombrerubro');
  const uuid = readUuid(values);
  const exchange = exchangeOf(values, base);
  const amounts = readAmounts(values, { usual, isDocument: uuid !== null });
  const saysRate = textOf(values, 'tasa') !== '';
  if (exchange) said.push(exchange.warning);
  if (!saysRate && amounts.tasa === null) said.push(UNKNOWN_RATE);
  if (!saysRate && !textOf(values, 'iva') && !textOf(values, 'total'))
    said.push(`No dice IVA, tasa ni total: se toma la tasa de ${rateText(usual)} %.`);
  warnings.push(...said);
  const draft: InvoiceToWrite = {
    line,
    supplierId: supplier?.id,
    jobId: job?.id,
    rubroId: rubro?.id,
    numfactura: textOf(values, 'numfactura'),
    ...amounts,
    saysRate,
    uuid,
    metodopago: textOf(values, 'metodopago'),
    ...(exchange ? { exchange, tipocambio: decimalText(exchange.rate) } : readConverted(values)),
  };
  for (const name of INVOICE_DATES) draft[name] = dateOf(values, name);
  for (const name of INVOICE_NOTES) draft[name] = textOf(values, name);
  return draft;
}

const UNKNOWN_RATE = 'Su IVA no es ni 0 ni 8 ni 16 % del subtotal: la tasa queda como Mixta.';

function readUuid(values: RowValues): string | null {
  const uuid = textOf(values, 'uuid').toUpperCase();
  if (!uuid) return null;
  if (/^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/.test(uuid)) return uuid;
  throw new Refused(
    'uuid',
    'El UUID no es válido: lleva 32 cifras y letras de la A a la F, en cinco grupos.',
  );
}

/**
 * What a row says of the currency that its amounts were converted from: they are converted already, as the list's
 * own files have them.
 * @throws Refused where only one of both is said, or one cannot be
 */
function readConverted(values: RowValues): Pick<InvoiceToWrite, 'moneda' | 'tipocambio'> {
  const moneda = textOf(values, 'monedacfdi').toUpperCase();
  const text = textOf(values, 'tipocambiocfdi');
  if (!moneda && !text) return {};
  if (!/^[A-Z]{3}$/.test(moneda))
    throw new Refused(
      'monedacfdi',
      'Con el tipo de cambio del CFDI va su moneda, de tres letras (USD, EUR).',
    );
  const rate = parseDecimal(text);
  if (rate === undefined || rate <= 0n)
    throw new Refused(
      'tipocambiocfdi',
      `El tipo de cambio de ${moneda} debe ser un número mayor que cero, como 17.1234.`,
    );
  return { moneda, tipocambio: decimalText(rate) };
}

/** Drafts learn the ids of what somebody has added since it was looked for: their invoices may be on file by now. */
async function findAdded(
  trx: Trx,
  references: References,
  drafts: readonly (InvoiceToWrite | UnreadDraft)[],
): Promise<void> {
  for (const [field, catalog] of Object.entries(NAMED) as [keyof typeof NAMED, Catalog][]) {
    const missing = drafts.flatMap((one) => ('refused' in one || (one[field] ?? 0) >= 0 ? [] : one));
    if (missing.length === 0) continue;
    const list = await readList(trx, catalog, { lock: true });
    const ids = new Map<number, number>();
    for (const id of new Set(missing.map((draft) => draft[field]!)))
      ids.set(id, list.addedSince(references.list(catalog).withId(id)!)?.id ?? id);
    for (const draft of missing) draft[field] = ids.get(draft[field]!)!;
  }
}

/** A row in another currency as it is stored: in the base one. */
function asStored(row: ParsedRow, asked: Asked): ParsedRow {
  const { line, raw, values, problems, warnings } = row;
  if (!values.moneda) return row;
  const amounts = {
    subtotal: asked.subtotalCents,
    iva: asked.ivaCents,
    otrosimpuestos: asked.otrosimpuestosCents,
    retenciones: asked.retencionesCents,
    total: asked.totalCents,
  };
  return { line, raw, values: { ...values, ...amounts }, problems, warnings };
}
