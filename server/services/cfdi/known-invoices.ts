import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { isGenericRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { fold, numberKey } from '../../../shared/text.ts';
import type { CfdiDetail } from '../../formats/cfdi/candidates.ts';
import type { CfdiParty } from '../../formats/cfdi/document.ts';

export interface KnownInvoice {
  /** undefined: a dry run would store it */
  id: number | undefined;
  supplierId: number;
  jobId: number;
  numfactura: string;
  fechaemision: PlainDate | null;
  subtotalCents: Cents;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
  paidCents: Cents;
  uuid: string | null;
  /** of the CFDI that it was unlinked from, or that its own replaced */
  formerUuid: string | null;
  /** of its CFDI, where it has one */
  moneda: string | null;
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
  readonly #ids = new Set<number>();
  readonly #byUuid = new Map<string, KnownInvoice>();
  readonly #byFormerUuid = new Map<string, KnownInvoice>();
  readonly #byNumber = new Map<string, KnownInvoice[]>();
  readonly #byTotal = new Map<string, KnownInvoice[]>();
  readonly #byRfc = new Map<string, KnownSupplier>();
  readonly #byName = new Map<string, KnownSupplier[]>();

  addInvoice(invoice: KnownInvoice): void {
    if (invoice.id !== undefined) {
      if (this.#ids.has(invoice.id)) return;
      this.#ids.add(invoice.id);
    }
    this.#addUuids(invoice);
    const key = numberKey(invoice.numfactura);
    if (key) append(this.#byNumber, `${invoice.supplierId}:${key}`, invoice);
    append(this.#byTotal, `${invoice.supplierId}:${invoice.totalCents}`, invoice);
  }

  /** The invoice is now of this document: linked to it, or its own was replaced by it. */
  changeInvoice(invoice: KnownInvoice, change: Partial<KnownInvoice>): void {
    if (invoice.uuid) this.#byUuid.delete(invoice.uuid);
    const total = invoice.totalCents;
    const before = this.#byTotal.get(`${invoice.supplierId}:${total}`);
    Object.assign(invoice, change);
    this.#addUuids(invoice);
    const key = numberKey(invoice.numfactura);
    const numbered = `${invoice.supplierId}:${key}`;
    if (key && !this.#byNumber.get(numbered)?.includes(invoice)) append(this.#byNumber, numbered, invoice);
    if (invoice.totalCents === total) return;
    before?.splice(before.indexOf(invoice), 1);
    append(this.#byTotal, `${invoice.supplierId}:${invoice.totalCents}`, invoice);
  }

  #addUuids(invoice: KnownInvoice): void {
    if (invoice.uuid) this.#byUuid.set(invoice.uuid, invoice);
    const { replaces = [], formerUuids = [] } = invoice.detail ?? {};
    for (const uuid of [invoice.formerUuid, ...replaces, ...formerUuids])
      if (uuid) this.#byFormerUuid.set(uuid, invoice);
  }

  addSupplier(supplier: KnownSupplier): void {
    if (supplier.rfc && !isGenericRfc(supplier.rfc)) {
      if (this.#byRfc.has(supplier.rfc)) return;
      this.#byRfc.set(supplier.rfc, supplier);
    }
    const name = fold(supplier.suppliername);
    if (!this.#byName.get(name)?.some(({ id }) => id === supplier.id)) append(this.#byName, name, supplier);
  }

  invoiceOf = (uuid: string): KnownInvoice | undefined => this.#byUuid.get(uuid);

  /** The invoice that this document was once linked to, or that was of it before another replaced it. */
  formerOf = (uuid: string): KnownInvoice | undefined => this.#byFormerUuid.get(uuid);

  numbered = (supplierId: number, numfactura: string): readonly KnownInvoice[] =>
    (this.#byNumber.get(`${supplierId}:${numberKey(numfactura)}`) ?? []).filter(
      (one) => numberKey(one.numfactura) === numberKey(numfactura),
    );

  withTotal = (supplierId: number, totalCents: Cents): readonly KnownInvoice[] =>
    this.#byTotal.get(`${supplierId}:${totalCents}`) ?? [];

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

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
