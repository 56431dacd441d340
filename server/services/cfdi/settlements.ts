import type { Trx } from '../../../db/schema.ts';
import type { CfdiNote, CfdiReceipt } from '../../formats/cfdi/candidates.ts';
import type { Actor, Stamp } from '../audit/audit.ts';
import { creditNoteRow } from '../credit-notes.ts';
import { keepFile } from '../files.ts';
import type { PaymentToWrite } from '../payments/asked.ts';
import type { Settlement } from '../payments/settlement.ts';
import { writePayments } from '../payments/write.ts';
import { allWritten } from '../writing.ts';
import type { KnownInvoice, KnownSupplier } from './known-invoices.ts';
import type { KnownLine, KnownNote, PlannedPayment } from './known-settlements.ts';

/** Writes what settles invoices: credit notes, receipts, and the payments that come of them. */
export class CfdiSettlements {
  readonly #trx: Trx;
  readonly #actor: Actor;
  readonly #importId: () => Promise<number>;
  readonly #noteIds: number[] = [];
  readonly #receiptIds: number[] = [];
  readonly #paymentIds: number[] = [];

  constructor(trx: Trx, actor: Actor, importId: () => Promise<number>) {
    this.#trx = trx;
    this.#actor = actor;
    this.#importId = importId;
  }

  /** The rows created, by list. */
  ids(): [entity: string, ids: number[]][] {
    return [
      ['credit-notes', this.#noteIds],
      ['payment-receipts', this.#receiptIds],
      ['payments', this.#paymentIds],
    ];
  }

  async addNote(
    { draft, detail, moneda, tipoCambio, xml }: CfdiNote,
    supplier: KnownSupplier,
  ): Promise<number> {
    const stored = {
      ...draft,
      supplierId: supplier.id,
      numero: draft.numfactura,
      fecha: draft.fechaemision,
      moneda,
      tipocambio: tipoCambio || null,
      detail: JSON.stringify(detail),
      sha256: await this.#keep(xml),
    };
    const { id } = await this.#trx
      .insertInto('credit_notes')
      .values(creditNoteRow(stored, await this.#stamp()))
      .returning('id')
      .executeTakeFirstOrThrow();
    this.#noteIds.push(id);
    return id;
  }

  applyNote = (note: KnownNote, invoice: KnownInvoice, settles: Settlement): Promise<number> =>
    this.#write({ facturaproveedorId: invoice.id!, creditNoteId: note.id!, ...settles });

  async addReceipt(receipt: CfdiReceipt, supplierId: number): Promise<{ id: number; lineIds: number[] }> {
    const { numero, uuid, fecha, detail, xml, lines } = receipt;
    const { at, userId } = this.#actor;
    const { id } = await this.#trx
      .insertInto('payment_receipts')
      .values({
        supplierId,
        numero,
        uuid,
        fecha,
        detail: JSON.stringify(detail),
        sha256: await this.#keep(xml),
        importId: await this.#importId(),
        userId,
        createdAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    this.#receiptIds.push(id);
    const lineIds: number[] = [];
    for (const line of lines) {
      const stored = await this.#trx
        .insertInto('payment_receipt_lines')
        .values({ ...line, receiptId: id, invoiceId: null, paymentId: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      lineIds.push(stored.id);
    }
    return { id, lineIds };
  }

  async placeLine(line: KnownLine, invoice: KnownInvoice, paymentId: number | null): Promise<void> {
    await this.#trx
      .updateTable('payment_receipt_lines')
      .set({ invoiceId: invoice.id!, paymentId })
      .where('id', '=', line.id!)
      .execute();
  }

  addPayment = ({ line, invoice, settles }: PlannedPayment, fundingSourceId: number): Promise<number> =>
    this.#write({
      facturaproveedorId: invoice.id!,
      origenderecursoId: fundingSourceId,
      paymentdate: line.paidOn,
      ...settles,
      comments: `Recibo de pago ${line.numero}`.trim(),
    });

  async #write(draft: PaymentToWrite): Promise<number> {
    const options = { bring: this.#importId, ofReceipt: true };
    const [written] = allWritten(await writePayments(this.#trx, this.#actor, [draft], options));
    this.#paymentIds.push(written!.id);
    return written!.id;
  }

  async #stamp(): Promise<Stamp> {
    const { at, userId } = this.#actor;
    return { at, userId, importId: await this.#importId() };
  }

  async #keep(xml: { bytes: Uint8Array } | undefined): Promise<string | null> {
    return xml ? keepFile(this.#trx, xml.bytes, this.#actor.at) : null;
  }
}
