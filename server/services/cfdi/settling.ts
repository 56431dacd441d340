import type { Db } from '../../../db/schema.ts';
import { formatDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { numberKey } from '../../../shared/text.ts';
import { matchLines } from '../payment-receipts.ts';
import type { CfdiNote, CfdiReading, CfdiReceipt } from './candidates.ts';
import type { CfdiOutcome } from './import.ts';
import { judgeSupplier, label, warnOfNewSupplier } from './judging.ts';
import type { Issued, KnownInvoice, KnownOnFile, KnownSupplier } from './known.ts';
import type { FreePayment, KnownLine, KnownNote, KnownPapers, KnownReceipt } from './papers.ts';
import type { CfdiStore } from './writing.ts';

/** What a part of an import is decided by, and where it goes. */
export interface CfdiGround {
  db: Db;
  known: KnownOnFile;
  papers: KnownPapers;
  store: CfdiStore;
  createSuppliers: boolean;
  /** where the payments come from that only receipts tell of; null: those are not captured */
  fundingSourceId: number | null;
}

type Outcome = Omit<CfdiOutcome, 'file' | 'uuid'>;
type Reading<K extends string> = Extract<CfdiReading, Record<K, unknown>>;

/** A credit note is stored once, and applied to the invoices that it names as far as they are owed. */
export async function settleNote(
  ground: CfdiGround,
  { note, uuid }: Reading<'note'>,
  replaced: ReadonlyMap<string, string>,
): Promise<Outcome> {
  const { known, papers, store } = ground;
  const suppliers = known.suppliersOf(note);
  const twin = uuid
    ? papers.noteOf(uuid)
    : suppliers[0] && papers.noteNumbered(suppliers[0].id, note.draft.numfactura);
  if (twin) {
    const same = isSameNote(note, twin);
    return same ? { outcome: 'unchanged', creditNoteId: twin.id } : refused(otherNote(note, twin));
  }
  if (note.mismatch) return refused(note.mismatch);
  const former = note.replaces.map(papers.noteOf).find(Boolean);
  if (former) return refused(`Sustituye (relación 04) a ${noteLabel(former)}, que ya está: se retiene.`);
  const successor = uuid && replaced.get(uuid);
  if (successor) return refused(`La sustituye (relación 04) el CFDI de «${successor}»: se retiene.`);
  const found = await supplierOf(ground, note, suppliers);
  if ('problem' in found) return refused(found.problem);
  const { draft, detail, moneda } = note;
  const stored: KnownNote = {
    id: await store.addNote(note, found.supplier),
    supplierId: found.supplier.id,
    numero: draft.numfactura,
    uuid: draft.uuid,
    fecha: draft.fechaemision,
    totalCents: draft.totalCents,
    appliedCents: 0,
    moneda,
    detail,
  };
  papers.addNote(stored);
  const warnings = [...note.warnings, ...found.warnings, ...(await applyToNamed(ground, note, stored))];
  return { ...told(warnings), creditNoteId: stored.id };
}

/** A receipt is stored once, and each of its lines finds its invoice, and the payment that it tells of. */
export async function settleReceipt(ground: CfdiGround, { receipt }: Reading<'receipt'>): Promise<Outcome> {
  const { known, papers, store } = ground;
  const twin = papers.receiptOf(receipt.uuid);
  if (twin) {
    if (!isSameReceipt(receipt, twin))
      return refused(
        `El mismo UUID ya está en el recibo de pago ${twin.numero} con otros datos: es un conflicto.`,
      );
    return completeReceipt(ground, twin);
  }
  const found = await supplierOf(ground, receipt, issuersOf(receipt, known));
  if ('problem' in found) return refused(found.problem);
  const supplierId = found.supplier.id;
  const lines: KnownLine[] = receipt.lines.map(({ invoiceUuid, paidOn, amountCents }) => ({
    id: undefined,
    supplierId,
    numero: receipt.numero,
    invoiceUuid,
    paidOn,
    amountCents,
    isPlaced: false,
    isPaid: false,
  }));
  const plan = await planLines(ground, lines);
  if (plan.beyond[0]) return refused(plan.beyond[0]);
  const { id, lineIds } = await store.addReceipt(receipt, supplierId);
  for (const [index, line] of lines.entries()) line.id = lineIds[index];
  papers.addReceipt({ id, supplierId, uuid: receipt.uuid, numero: receipt.numero, lines });
  const missing = await placeLines(ground, plan);
  return { ...told([...receipt.warnings, ...found.warnings, ...plan.unknown, ...missing]), receiptId: id };
}

/** An invoice that has come: what waited for it finds it. @returns what its reader should know */
export async function settleArrival(ground: CfdiGround, invoice: KnownInvoice): Promise<string[]> {
  if (!invoice.uuid) return [];
  const said: string[] = [];
  for (const note of ground.papers.notesFor(invoice.supplierId, invoice.uuid)) {
    const applied = await applyNote(ground, note, invoice);
    if (applied > 0) said.push(`Se le aplicaron ${formatMoney(applied)} de ${noteLabel(note)}.`);
  }
  const waiting = ground.papers.waitingFor(invoice.uuid);
  if (waiting.length === 0) return said;
  const plan = await planLines(ground, waiting);
  return [...said, ...(await placeLines(ground, plan))];
}

/** A receipt that is on file already: with a funding source, what was not captured then is now. */
async function completeReceipt(ground: CfdiGround, receipt: KnownReceipt): Promise<Outcome> {
  const unchanged: Outcome = { outcome: 'unchanged', receiptId: receipt.id };
  const open = receipt.lines.filter(({ isPaid }) => !isPaid);
  if (ground.fundingSourceId === null || open.length === 0) return unchanged;
  const plan = await planLines(ground, open);
  const paid = plan.lines.filter(({ payment, isCreated }) => payment || isCreated);
  if (paid.length === 0) return unchanged;
  const missing = await placeLines(ground, plan);
  const amount = formatMoney(paid.reduce((sum, { line }) => sum + line.amountCents, 0));
  const warnings = [`El recibo ya estaba; faltaban pagos por ${amount} y se registraron.`, ...missing];
  return { outcome: 'warned', warnings, linked: true, receiptId: receipt.id };
}

async function supplierOf(
  { known, store, createSuppliers }: CfdiGround,
  issued: Issued,
  suppliers: readonly KnownSupplier[],
): Promise<{ supplier: KnownSupplier; warnings: string[] } | { problem: string }> {
  const problem = judgeSupplier(issued, suppliers, createSuppliers);
  if (problem) return { problem };
  if (suppliers[0]) return { supplier: suppliers[0], warnings: [] };
  const warnings = warnOfNewSupplier(issued, known);
  const supplier = await store.addSupplier(issued);
  known.addSupplier(supplier);
  return { supplier, warnings };
}

/** Real receipts come without the issuer's RFC; then it is who issued the invoices that they name. */
function issuersOf(receipt: CfdiReceipt, known: KnownOnFile): readonly KnownSupplier[] {
  if (receipt.detail.emisor.rfc !== '') return known.suppliersOf(receipt);
  const ids = new Set(
    receipt.lines.flatMap(({ invoiceUuid }) => invoiceNamed(known, invoiceUuid)?.supplierId ?? []),
  );
  const [id] = ids;
  return id === undefined || ids.size > 1
    ? []
    : [{ id, suppliername: receipt.suppliername, rfc: null, diascredito: 0 }];
}

/** By its UUID, or one that it had before. */
const invoiceNamed = (known: KnownOnFile, uuid: string): KnownInvoice | undefined =>
  known.invoiceOf(uuid) ?? known.formerOf(uuid);

async function applyToNamed(ground: CfdiGround, { credits }: CfdiNote, stored: KnownNote): Promise<string[]> {
  const warnings: string[] = [];
  if (credits.length === 0) warnings.push('No dice de qué factura es.');
  for (const uuid of credits) {
    const invoice = invoiceNamed(ground.known, uuid);
    if (!invoice) warnings.push(`La factura ${uuid.slice(0, 60)}, a la que corresponde, no está registrada.`);
    else if (invoice.supplierId !== stored.supplierId)
      warnings.push(`Nombra ${label(invoice)}, que es de otro proveedor: no se le aplica.`);
    else await applyNote(ground, stored, invoice);
  }
  const left = stored.totalCents - stored.appliedCents;
  if (left > 0) warnings.push(`Quedan ${formatMoney(left)} como saldo a favor.`);
  return warnings;
}

/** As much as is left and owed. */
async function applyNote({ store }: CfdiGround, note: KnownNote, invoice: KnownInvoice): Promise<Cents> {
  const amount = Math.min(note.totalCents - note.appliedCents, invoice.totalCents - invoice.paidCents);
  if (amount <= 0) return 0;
  await store.applyNote(note, invoice, amount);
  note.appliedCents += amount;
  invoice.paidCents += amount;
  return amount;
}

interface LinePlan {
  lines: { line: KnownLine; invoice: KnownInvoice; payment?: FreePayment; isCreated: boolean }[];
  /** what is said of invoices that a line cannot go to */
  unknown: string[];
  /** of payments that no longer fit into what is owed */
  beyond: string[];
}

/** Decides all before anything is stored, so that a receipt is taken as a whole. */
async function planLines(ground: CfdiGround, lines: readonly KnownLine[]): Promise<LinePlan> {
  const plan: LinePlan = { lines: [], unknown: [], beyond: [] };
  const byInvoice = new Map<KnownInvoice, KnownLine[]>();
  for (const line of lines) {
    const invoice = invoiceNamed(ground.known, line.invoiceUuid);
    if (!invoice) plan.unknown.push(`La factura ${line.invoiceUuid} no está registrada.`);
    else if (invoice.supplierId !== line.supplierId)
      plan.unknown.push(`Nombra ${label(invoice)}, que es de otro proveedor.`);
    else byInvoice.set(invoice, [...(byInvoice.get(invoice) ?? []), line]);
  }
  await ground.papers.readPayments(
    ground.db,
    [...byInvoice.keys()].flatMap(({ id }) => id ?? []),
  );
  for (const [invoice, own] of byInvoice) {
    const free = invoice.id === undefined ? [] : ground.papers.freePayments(invoice.id);
    const matched = matchLines(own, free);
    let room = invoice.totalCents - invoice.paidCents;
    for (const line of own) {
      const payment = matched.get(line);
      const isWanted = !payment && ground.fundingSourceId !== null && line.amountCents > 0;
      const isCreated = isWanted && line.amountCents <= room;
      if (isCreated) room -= line.amountCents;
      else if (isWanted) plan.beyond.push(sayBeyond(line, invoice, room));
      plan.lines.push({ line, invoice, payment, isCreated });
    }
  }
  plan.unknown = [...new Set(plan.unknown)];
  return plan;
}

const sayBeyond = ({ paidOn, amountCents }: KnownLine, invoice: KnownInvoice, room: Cents): string =>
  `El pago de ${formatMoney(amountCents)} del ${formatDate(paidOn)} no cabe en lo que se debe de ${label(invoice)}, ${formatMoney(room)}.`;

/** @returns what is said of payments that nobody has captured */
async function placeLines({ store, papers, fundingSourceId }: CfdiGround, plan: LinePlan): Promise<string[]> {
  const missing: string[] = [];
  for (const { line, invoice, payment, isCreated } of plan.lines) {
    let paymentId = payment?.id ?? null;
    if (payment) papers.takePayment(payment);
    if (isCreated) {
      paymentId = (await store.addPayment(line, invoice, fundingSourceId!)) ?? null;
      invoice.paidCents += line.amountCents;
    } else if (!payment && line.amountCents > 0) {
      missing.push(
        `Falta capturar el pago de ${formatMoney(line.amountCents)} del ${formatDate(line.paidOn)} a ${label(invoice)}.`,
      );
    }
    await store.placeLine(line, invoice, paymentId);
    line.isPlaced = true;
    line.isPaid = Boolean(payment) || isCreated;
  }
  return missing;
}

const AMOUNTS = [
  'subtotalCents',
  'ivaCents',
  'otrosimpuestosCents',
  'retencionesCents',
  'totalCents',
] as const;

function isSameNote(note: CfdiNote, stored: KnownNote): boolean {
  const { draft, moneda, detail } = note;
  if (numberKey(draft.numfactura) !== numberKey(stored.numero)) return false;
  if (!stored.detail) return draft.totalCents === stored.totalCents && draft.fechaemision === stored.fecha;
  return (
    moneda === stored.moneda &&
    AMOUNTS.every((name) => detail[name] === stored.detail?.[name]) &&
    detail.emisor.rfc === stored.detail.emisor.rfc &&
    detail.fecha === stored.detail.fecha
  );
}

const otherNote = ({ draft }: CfdiNote, stored: KnownNote): string =>
  `${draft.uuid ? 'El mismo UUID' : 'El mismo número de este proveedor'} ya está en ${noteLabel(stored)} con otros datos (total ${formatMoney(stored.totalCents)}; en este archivo ${formatMoney(draft.totalCents)}): es un conflicto.`;

const isSameReceipt = (receipt: CfdiReceipt, stored: KnownReceipt): boolean =>
  receipt.lines.length === stored.lines.length &&
  receipt.lines.every((line, index) => {
    const other = stored.lines[index]!;
    return (
      line.invoiceUuid === other.invoiceUuid &&
      line.paidOn === other.paidOn &&
      line.amountCents === other.amountCents
    );
  });

/** "la nota de crédito NC-12 (id 3)". */
const noteLabel = ({ numero, id }: KnownNote): string =>
  `la nota de crédito ${numero || 'sin número'} (${id === undefined ? 'de esta importación' : `id ${id}`})`;

const refused = (reason: string): Outcome => ({ outcome: 'refused', reason });

const told = (warnings: string[]): Outcome =>
  warnings.length > 0 ? { outcome: 'warned', warnings } : { outcome: 'created' };
