import type { Invoice } from '../../../shared/invoices.ts';
import { isGenericRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { fold } from '../../../shared/text.ts';
import type { CfdiDetail } from '../../formats/cfdi/candidates.ts';
import type { CfdiParty } from '../../formats/cfdi/document.ts';
import { InvoiceBook, type InvoiceIdentity } from '../invoices/book.ts';
import type { Amounts } from '../invoices/rows.ts';
import type { UuidOwner } from '../petty-cash/uuids.ts';

export interface KnownInvoice
  extends InvoiceIdentity,
    Pick<Invoice, 'rubroId' | 'paidCents' | 'moneda' | 'tipocambio' | keyof Amounts> {
  /** undefined: a dry run would store it */
  id: number | undefined;
  /** of its CFDI, where it has one: the base currency too */
  documentMoneda: string | null;
  detail: CfdiDetail | null;
}

export interface KnownSupplier {
  id: number;
  suppliername: string;
  rfc: string | null;
  diascredito: number;
}

/** Who issued a document, whatever its type. */
export interface Issued {
  suppliername: string;
  detail: { emisor: CfdiParty };
}

/** What candidates are judged by: what is on file, and what the import itself has added since. */
export class KnownOnFile {
  readonly invoices = new InvoiceBook<KnownInvoice>(formersOf);
  /** UUIDs that are receipts of petty cash */
  readonly expenses = new Map<string, UuidOwner>();
  readonly #byRfc = new Map<string, KnownSupplier>();
  readonly #byName = new Map<string, KnownSupplier[]>();

  addSupplier(supplier: KnownSupplier): void {
    if (supplier.rfc && !isGenericRfc(supplier.rfc)) {
      if (this.#byRfc.has(supplier.rfc)) return;
      this.#byRfc.set(supplier.rfc, supplier);
    }
    const name = fold(supplier.suppliername);
    const namesakes = this.#byName.get(name) ?? [];
    if (!namesakes.some(({ id }) => id === supplier.id)) this.#byName.set(name, [...namesakes, supplier]);
  }

  /** A generic RFC identifies nobody: there the name has to be the same too, and several may have it. */
  suppliersOf(candidate: Issued): readonly KnownSupplier[] {
    const rfc = normalizeRfc(candidate.detail.emisor.rfc);
    if (isGenericRfc(rfc)) return this.namesakes(candidate).filter((one) => one.rfc === rfc);
    const found = this.#byRfc.get(rfc);
    return found ? [found] : [];
  }

  namesakes = ({ suppliername }: Issued): readonly KnownSupplier[] =>
    this.#byName.get(fold(suppliername)) ?? [];
}

/** What its document replaced may be several, which only it names. */
const formersOf = ({ detail }: KnownInvoice): readonly string[] => [
  ...(detail?.replaces ?? []),
  ...(detail?.formerUuids ?? []),
];
