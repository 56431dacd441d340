import { normalizeRfc } from '../../../shared/rfc.ts';
import type { CfdiCandidate, CfdiNote, CfdiReceipt } from '../../formats/cfdi/candidates.ts';
import type { Settlement } from '../payments/settlement.ts';
import type { Issued, KnownInvoice, KnownSupplier } from './known-invoices.ts';
import type { KnownLine, KnownNote, PlannedPayment } from './known-settlements.ts';
import type { CostPlace } from './outcomes.ts';

/** Where an import puts what it decided to store; ids are those of new rows, none in a dry run. */
export interface CfdiStore {
  addSupplier(issued: Issued): Promise<KnownSupplier>;
  addInvoice(
    candidate: CfdiCandidate,
    supplier: KnownSupplier,
    place: CostPlace,
  ): Promise<number | undefined>;
  /** Makes the document that of an invoice which has another one, or none. */
  changeInvoice(candidate: CfdiCandidate, invoice: KnownInvoice): Promise<void>;
  addNote(note: CfdiNote, supplier: KnownSupplier): Promise<number | undefined>;
  applyNote(note: KnownNote, invoice: KnownInvoice, settles: Settlement): Promise<void>;
  /** the receipt's id, and those of its lines in their order */
  addReceipt(
    receipt: CfdiReceipt,
    supplierId: number,
  ): Promise<{ id: number | undefined; lineIds: (number | undefined)[] }>;
  placeLine(line: KnownLine, invoice: KnownInvoice, paymentId: number | null): Promise<void>;
  /** Corrects what a payment settles, and what left the bank for it. */
  changePayment(paymentId: number, settles: Settlement): Promise<void>;
  addPayment(planned: PlannedPayment, fundingSourceId: number): Promise<number | undefined>;
}

/** A dry run's: nothing is stored, new suppliers are told apart by numbers that no row has. */
export class DryStore implements CfdiStore {
  #last = 0;

  async addSupplier({ suppliername, detail }: Issued): Promise<KnownSupplier> {
    this.#last -= 1;
    return { id: this.#last, suppliername, rfc: normalizeRfc(detail.emisor.rfc), diascredito: 0 };
  }

  get suppliersCreated(): number {
    return -this.#last;
  }

  async addInvoice(): Promise<undefined> {
    return undefined;
  }

  async changeInvoice(): Promise<void> {}

  async addNote(): Promise<undefined> {
    return undefined;
  }

  async applyNote(): Promise<void> {}

  async addReceipt({ lines }: CfdiReceipt): Promise<{ id: undefined; lineIds: undefined[] }> {
    return { id: undefined, lineIds: lines.map(() => undefined) };
  }

  async placeLine(): Promise<void> {}

  async changePayment(): Promise<void> {}

  async addPayment(): Promise<undefined> {
    return undefined;
  }
}
