import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { CatalogEntry } from '../catalogs/entry-index.ts';
import type { InvoiceBook, StoredInvoiceIdentity } from '../invoices/invoice-book.ts';
import type { InvoiceKeys } from '../invoices/read-invoice-book.ts';
import { RowRefusalError } from './row-values.ts';

export interface InvoiceSearch {
  keys: InvoiceKeys;
  numfactura: string;
  fechaemision: PlainDate | null;
  totalCents: Cents | null;
  supplier: CatalogEntry | undefined;
  job: CatalogEntry | undefined;
}

/** @throws RowRefusalError where there is no such invoice, or more than one */
export function getInvoiceOfPayment(
  invoices: InvoiceBook<StoredInvoiceIdentity>,
  { keys, numfactura, fechaemision: date, totalCents, supplier, job }: InvoiceSearch,
): StoredInvoiceIdentity {
  const { uuid, numfacturaKey: key } = keys;
  if (uuid) {
    const found = invoices.withUuid(uuid);
    if (found) return found;
    throw new RowRefusalError('uuid', `No existe una factura con el UUID ${uuid}.`);
  }
  const candidates = findCandidates(invoices, key, supplier, totalCents);
  // While several candidates remain, the next test narrows them down. A test that none of them passes is ignored.
  const tests = [
    (one: StoredInvoiceIdentity) => one.numfactura === numfactura,
    (one: StoredInvoiceIdentity) => !one.uuid,
    (one: StoredInvoiceIdentity) => !job || one.jobId === job.id,
    (one: StoredInvoiceIdentity) => !date || one.fechaemision === date,
    (one: StoredInvoiceIdentity) => totalCents === null || one.totalCents === totalCents,
  ];
  let remaining = candidates;
  for (const test of tests) {
    if (remaining.length <= 1) break;
    const fitting = remaining.filter(test);
    if (fitting.length > 0) remaining = fitting;
  }
  const [found, ...others] = remaining;
  const whose = supplier ? ` de «${supplier.name}»` : '';
  if (!found)
    throw new RowRefusalError('numfactura', `No existe la factura ${numfactura || 'sin número'}${whose}.`);
  if (others.length === 0) return found;
  const ids = remaining.map(({ id }) => id).slice(0, MAX_LISTED_CANDIDATES);
  throw new RowRefusalError(
    'numfactura',
    `Hay ${remaining.length} facturas ${numfactura || 'sin número'}${whose} (${ids.join(', ')}): indica su UUID, obra, emisión o total.`,
  );
}

/** Without a number, supplier and total are needed to find an invoice. */
function findCandidates(
  invoices: InvoiceBook<StoredInvoiceIdentity>,
  key: string,
  supplier: CatalogEntry | undefined,
  totalCents: Cents | null,
): readonly StoredInvoiceIdentity[] {
  if (key)
    return supplier
      ? invoices.withSupplierAndNumber(supplier.id, key)
      : invoices.withNumberOfAnySupplier(key);
  if (!supplier || totalCents === null)
    throw new RowRefusalError(
      'numfactura',
      'Falta el número de la factura que se paga (o su emisión, obra y total).',
    );
  return invoices.withTotal(supplier.id, totalCents).filter((one) => !one.numfacturaKey);
}

const MAX_LISTED_CANDIDATES = 5;
