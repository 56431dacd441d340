import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { ListEntry } from '../catalogs/entry-index.ts';
import type { InvoiceBook, InvoiceOnFile } from '../invoices/book.ts';
import type { InvoiceKeys } from '../invoices/book-reading.ts';
import { Refused } from './row-values.ts';

export interface NamedInvoice {
  keys: InvoiceKeys;
  numfactura: string;
  fechaemision: PlainDate | null;
  totalCents: Cents | null;
  supplier: ListEntry | undefined;
  job: ListEntry | undefined;
}

/** @throws RowRefusalError where there is no such invoice, or more than one */
export function findPaidInvoice(
  invoices: InvoiceBook<InvoiceOnFile>,
  { keys, numfactura, fechaemision: date, totalCents, supplier, job }: NamedInvoice,
): InvoiceOnFile {
  const { uuid, numfacturaKey: key } = keys;
  if (uuid) {
    const found = invoices.withUuid(uuid);
    if (found) return found;
    throw new Refused('uuid', `No existe una factura con el UUID ${uuid}.`);
  }
  const all = candidatesOf(invoices, key, supplier, totalCents);
  // Where several remain, each further value in the row narrows them down.
  const tests = [
    (one: InvoiceOnFile) => one.numfactura === numfactura,
    (one: InvoiceOnFile) => !one.uuid,
    (one: InvoiceOnFile) => !job || one.jobId === job.id,
    (one: InvoiceOnFile) => !date || one.fechaemision === date,
    (one: InvoiceOnFile) => totalCents === null || one.totalCents === totalCents,
  ];
  let left = all;
  for (const test of tests) {
    if (left.length <= 1) break;
    const fitting = left.filter(test);
    if (fitting.length > 0) left = fitting;
  }
  const [found, ...others] = left;
  const whose = supplier ? ` de «${supplier.name}»` : '';
  if (!found) throw new Refused('numfactura', `No existe la factura ${numfactura || 'sin número'}${whose}.`);
  if (others.length === 0) return found;
  const ids = left.map(({ id }) => id).slice(0, MOST_NAMED);
  throw new Refused(
    'numfactura',
    `Hay ${left.length} facturas ${numfactura || 'sin número'}${whose} (${ids.join(', ')}): indica su UUID, obra, emisión o total.`,
  );
}

/** Without a number, supplier and total are needed to find an invoice. */
function candidatesOf(
  invoices: InvoiceBook<InvoiceOnFile>,
  key: string,
  supplier: ListEntry | undefined,
  totalCents: Cents | null,
): readonly InvoiceOnFile[] {
  if (key) return supplier ? invoices.numbered(supplier.id, key) : invoices.withNumber(key);
  if (!supplier || totalCents === null)
    throw new Refused(
      'numfactura',
      'Falta el número de la factura que se paga (o su emisión, obra y total).',
    );
  return invoices.withTotal(supplier.id, totalCents).filter((one) => !one.numfacturaKey);
}

const MOST_NAMED = 5;
