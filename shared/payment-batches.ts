import { formatCount } from './counts.ts';
import { formatLongDate, type Instant, type PlainDate, plainDateIn } from './dates.ts';
import { formatForeign } from './foreign-amounts.ts';
import { invoiceNumberOrId } from './invoices.ts';
import { type Cents, formatMoney } from './money.ts';
import { type FieldValuesOf, keysOf, type RecordField } from './record-fields.ts';
import { type Refusal, toFieldsRefusal } from './refusal.ts';
import { fold } from './text.ts';

export const BATCH_STATE_LABELS = {
  borrador: 'Borrador',
  autorizada: 'Autorizada',
  enviada: 'Enviada',
  pagada: 'Pagada',
} as const;
export type BatchState = keyof typeof BATCH_STATE_LABELS;
export const BATCH_STATES = keysOf(BATCH_STATE_LABELS);

export const CHECKED_STEPS = ['elegir', 'autorizar', 'enviar', 'pagar'] as const;
export type CheckedStep = (typeof CHECKED_STEPS)[number];

export const CHECK_LEVELS = ['ignorar', 'avisar', 'impedir'] as const;
export type CheckLevel = (typeof CHECK_LEVELS)[number];

export interface Finding {
  code: string;
  level: Exclude<CheckLevel, 'ignorar'>;
  reason: string;
  source: string;
  date: PlainDate | null;
  remedy: string;
}

export const CHECK_NAMES: Readonly<Record<string, string>> = {
  cancelado: 'CFDI cancelado',
  sin_verificar: 'CFDI sin verificar',
  duplicada: 'factura parecida',
  moneda: 'se debe en otra moneda',
  presupuesto_excedido: 'presupuesto excedido',
  rep_pendiente: 'REP vencidos',
  clabe_no_confiable: 'cuenta sin confirmar o nueva',
  rfc_mal_formado: 'RFC mal formado',
  beneficiario_cambiado: 'otro nombre o RFC del proveedor',
  xml_faltante: 'falta el XML',
  retencion: 'retenciones que no corresponden',
  sello: 'sello que no corresponde',
  lista69b: 'en la lista 69-B',
  lista69b_presunto: 'Presunto en la lista 69-B',
};

export interface Verdict {
  step: CheckedStep;
  at: Instant;
  findings: readonly Finding[];
  /** the supplier's name and RFC as the first signer saw them; the current ones while nobody has signed */
  payee?: Payee;
}

export type Payee = Record<'suppliername' | 'rfc', string>;

export interface FindingsPermit {
  userId: number;
  username: string;
  at: Instant;
  codes: readonly string[];
  reason: string;
}

export interface BatchLine {
  invoiceId: number;
  supplierId: number;
  suppliername: string;
  rfc: string | null;
  numfactura: string;
  jobtitle: string;
  vence: PlainDate;
  totalCents: Cents;
  pendingCents: Cents;
  amountCents: Cents;
  /** the amounts of a line of a foreign invoice, in its currency and at the bank; null: the line is in pesos */
  foreign: ForeignLineAmounts | null;
  /** the payment that was made from the line; null: unpaid */
  paymentId: number | null;
  checknum: string;
  /** the bank movement that paid the line or confirmed its payment; null: none, or the payment was returned */
  movementId: number | null;
  /** when the bank returned the payment; then the invoice is pending again, and the line leaves the batch */
  refusedAt: Instant | null;
  /** when the line went to the bank, in a file that was downloaded or by hand; null: it has not */
  sentAt: Instant | null;
  verdict: Verdict;
  permit: FindingsPermit | null;
}

export const bankAmountFieldName = (invoiceId: number | string): string => `importesbanco-${invoiceId}`;

interface ForeignLineAmounts {
  moneda: string;
  tipocambio: string;
  cents: Cents;
  /** null while the line is unpaid */
  bankCents: Cents | null;
}

export interface BatchSignature {
  userId: number;
  username: string;
  at: Instant;
  /** false once the user was deactivated, or lost the right to sign */
  isCurrent: boolean;
  note: SignatureNote | null;
}

export interface SignatureNote {
  at: Instant;
  text: string;
  /**
   * how many days before the signature an author of the document got access to the signer's account. null: no author is
   * known to have got it; the note is about the command line, a third person, or the signer's access to an author's
   * account
   */
  days: number | null;
}

export const describeSignatureNote = ({ at, text }: SignatureNote, timeZone: string): string =>
  `Firmada el ${formatLongDate(plainDateIn(new Date(at), timeZone))}. ${text}`;

export interface PaymentBatch {
  id: number;
  fecha: PlainDate;
  origenderecursoId: number;
  origenderecursonombre: string;
  estado: BatchState;
  comments: string;
  createdBy: number;
  author: string;
  editedBy: number;
  editor: string;
  /** who sent the batch to the bank, and when; null: nobody has, or it was sent before this was recorded */
  sentBy: number | null;
  sender: string | null;
  sentOn: PlainDate | null;
  paidAt: Instant | null;
  payer: string | null;
  createdAt: Instant;
  updatedAt: Instant;
  version: number;
  count: number;
  suppliers: number;
  totalCents: Cents;
  /** the sum of the lines with payments */
  paidCents: Cents;
  /** the sum of the lines that the bank returned */
  refusedCents: Cents;
  /** the sum of the held lines, which no step signs, sends or pays */
  heldCents: Cents;
  /** what the bank has still to pay of a sent batch */
  atBankCents: Cents;
  /** what is to be paid of a sent batch and has not gone to the bank: no file has it, or nobody downloaded the file */
  unsentCents: Cents;
}

export interface BatchFile {
  id: number;
  layout: string;
  /** hash of that layout's text; null: the file was written before this was recorded */
  layoutSha256: string | null;
  /** who changed the layout, and who confirmed it; null: the layout is a built-in one */
  layoutAuthor: string | null;
  layoutConfirmer: string | null;
  filename: string;
  sha256: string;
  transfers: number;
  totalCents: Cents;
  username: string;
  createdAt: Instant;
  downloads: { username: string; at: Instant }[];
}

export interface FullBatch extends PaymentBatch {
  lines: BatchLine[];
  /** all users who changed what the batch pays since its creation */
  editors: number[];
  signatures: BatchSignature[];
  files: BatchFile[];
}

export interface BatchInput extends FieldValuesOf<typeof BATCH_FIELDS> {
  /** a line without an amount pays what is pending and not in another open batch */
  lines?: readonly { invoiceId: number; amountCents?: Cents }[];
}

export const BATCH_FIELDS = [
  { name: 'fecha', label: 'Fecha de pago', kind: 'date', required: true },
  {
    name: 'origenderecursoId',
    label: 'Origen de recurso',
    kind: 'ref',
    catalog: 'funding-sources',
    required: true,
  },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
] as const satisfies readonly RecordField[];

interface BatchIdAndState {
  batchId: number;
  estado: BatchState;
}

export interface BatchOfInvoice extends BatchIdAndState {
  /** whether the bank has the transfer that pays the invoice */
  isAtBank: boolean;
}

export const BATCH_SORTS = {
  id: 'ID',
  fecha: 'Fecha',
  estado: 'Estado',
  origenderecursonombre: 'Origen de recurso',
  author: 'Elaboró',
  comments: 'Observaciones',
  count: 'Facturas',
  suppliers: 'Proveedores',
  total: 'Total',
} as const;
export type BatchSort = keyof typeof BATCH_SORTS;

export const MAX_BATCH_LINES = 1000;

export const isPartlyPaid = ({ estado, paidCents, totalCents }: PaymentBatch): boolean =>
  (estado === 'pagada' || (estado === 'enviada' && paidCents > 0)) && paidCents < totalCents;

/** Whether a batch counts as sent because it has a file, though nobody has downloaded it. */
export const awaitsDownload = ({ estado, paidCents, atBankCents, unsentCents }: PaymentBatch): boolean =>
  estado === 'enviada' && unsentCents > 0 && atBankCents === 0 && paidCents === 0;

export const isBatchReturned = ({ estado, refusedCents, totalCents }: PaymentBatch): boolean =>
  estado === 'pagada' && refusedCents === totalCents;

export function batchStateLabel(batch: PaymentBatch): string {
  const { estado, paidCents, unsentCents } = batch;
  if (isBatchReturned(batch)) return 'Devuelta';
  if (awaitsDownload(batch)) return 'Por subir al banco';
  if (unsentCents > 0) return paidCents > 0 ? 'Enviada y pagada en parte' : 'Enviada en parte';
  if (!isPartlyPaid(batch)) return BATCH_STATE_LABELS[estado];
  if (paidCents === 0) return 'Sin pagos';
  return estado === 'enviada' ? 'Enviada, pagada en parte' : 'Pagada en parte';
}

export const wasSent = ({ estado, sentOn }: Pick<PaymentBatch, 'estado' | 'sentOn'>): boolean =>
  estado === 'enviada' || sentOn !== null;

export const isOpenLine = ({
  paymentId,
  movementId,
  refusedAt,
}: Pick<BatchLine, 'paymentId' | 'movementId' | 'refusedAt'>): boolean =>
  paymentId === null && movementId === null && refusedAt === null;

/** Whether the bank has the line and is still to pay it. */
export const isLineAtBank = ({ estado }: Pick<PaymentBatch, 'estado'>, line: BatchLine): boolean =>
  estado === 'enviada' && line.sentAt !== null && isOpenLine(line);

/** A line that the bank returned is not paid, even while its payment still exists. */
export const isPaidLine = ({ paymentId, refusedAt }: Pick<BatchLine, 'paymentId' | 'refusedAt'>): boolean =>
  paymentId !== null && refusedAt === null;

export const listForeignLineLabels = (lines: readonly BatchLine[]): string[] =>
  lines.flatMap(({ foreign, numfactura, invoiceId }) =>
    foreign
      ? [`${invoiceNumberOrId(numfactura, invoiceId)} (${formatForeign(foreign.cents, foreign.moneda)})`]
      : [],
  );

export const listPayableForeignLines = ({ lines }: Pick<FullBatch, 'lines'>): BatchLine[] =>
  lines.filter((line) => line.foreign !== null && isPayableLine(line));

export const listBlockingFindings = ({ verdict, permit }: Pick<BatchLine, 'verdict' | 'permit'>): Finding[] =>
  verdict.findings.filter(({ level, code }) => level === 'impedir' && !permit?.codes.includes(code));

export const isHeldLine = (line: Pick<BatchLine, 'verdict' | 'permit'>): boolean =>
  listBlockingFindings(line).length > 0;

export const isPayableLine = (line: BatchLine): boolean => !isHeldLine(line) && isOpenLine(line);

/** Whether part of the line's amount has meanwhile been paid or credited outside of the batch. */
export const isReducedLine = (line: BatchLine): boolean =>
  !isPaidLine(line) && line.pendingCents < line.amountCents;

/** Lists the lines that the next step will pay. It checks all lines again, and holds those that are reduced. */
export const listLinesOfNextStep = ({ lines }: Pick<FullBatch, 'lines'>): BatchLine[] =>
  lines.filter((line) => isPayableLine(line) && !isReducedLine(line));

export const sumLines = (lines: readonly Pick<BatchLine, 'amountCents'>[]): Cents =>
  lines.reduce((cents, { amountCents }) => cents + amountCents, 0);

type BatchSums = Pick<PaymentBatch, 'estado' | 'totalCents' | 'paidCents' | 'heldCents'>;

/** For a paid batch, the sum that it has paid; for any other, the sum of the lines that are not held. */
export const payableSumOf = ({ estado, totalCents, paidCents, heldCents }: BatchSums): Cents =>
  estado === 'pagada' ? paidCents : totalCents - heldCents;

/** The lines that `payableSumOf` leaves out: the held ones or, once the batch is paid, all without a payment. */
export function formatLeftOutSum(batch: BatchSums): string {
  const leftOutCents = batch.totalCents - payableSumOf(batch);
  if (leftOutCents === 0) return '';
  return `+ ${formatMoney(leftOutCents)} ${batch.estado === 'pagada' ? 'sin pagar' : 'retenido'}`;
}

/** The part of the scheduled sum that was or will be paid, unless that is all of it: "Pagado $116,000.00". */
export function formatPaidPart(batch: BatchSums): string {
  const isPaid = batch.estado === 'pagada' || batch.paidCents > 0;
  const cents = isPaid ? batch.paidCents : payableSumOf(batch);
  return cents === batch.totalCents ? '' : `${isPaid ? 'Pagado' : 'Por pagar'} ${formatMoney(cents)}`;
}

export const formatHeldSum = ({ heldCents }: Pick<PaymentBatch, 'heldCents'>): string =>
  heldCents > 0 ? `+ ${formatMoney(heldCents)} retenido` : '';

/** In the order of the suppliers' names, which is also the order of the cheque numbers. */
export function groupBySupplier(lines: readonly BatchLine[]) {
  const groups = Map.groupBy(lines, ({ supplierId }) => supplierId).values();
  return [...groups]
    .map((supplierLines) => ({
      supplierId: supplierLines[0]!.supplierId,
      suppliername: supplierLines[0]!.suppliername,
      lines: supplierLines,
      totalCents: sumLines(supplierLines),
    }))
    .sort((a, b) => compareText(fold(a.suppliername), fold(b.suppliername)) || a.supplierId - b.supplierId);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const TRAILING_NUMBER_PATTERN = /^(.*?)(\d{1,18})$/s;

/** Returns the cheque number `by` after the first, with the same width: "A-0099", 1 → "A-0100". */
export function incrementChequeNumber(chequeNumber: string, by: number): string {
  const [, prefix = '', digits = ''] = TRAILING_NUMBER_PATTERN.exec(chequeNumber) ?? [];
  return prefix + String(BigInt(digits) + BigInt(by)).padStart(digits.length, '0');
}

export const isChequeNumber = (text: string): boolean => TRAILING_NUMBER_PATTERN.test(text);

export const batchName = (id: number | string): string => `Programación ${id}`;

const describeInvoiceInBatch = (invoice: string, { batchId, estado }: BatchIdAndState): string =>
  `La factura ${invoice} está en la programación ${batchId}, ${estado === 'borrador' ? 'en borrador' : 'autorizada'}`;

export const batchTexts = {
  required: 'Indica la fecha, el origen de recurso y al menos una factura.',
  noneChosen: 'Marca al menos una factura.',
  aboveZero: 'El importe de cada factura debe ser mayor que cero.',
  // A getter, lest islands that need another export of this file keep the call.
  get tooMany() {
    return `Una programación paga máximo ${formatCount(MAX_BATCH_LINES)} facturas.`;
  },
  stale: 'Otra persona cambió esta programación mientras la veías.',
  created: 'Se guardó la programación de pagos.',
  updated: 'Se guardó la programación de pagos.',
  same: 'La programación de pagos quedó como estaba.',
  deleted: 'Se eliminó la programación de pagos.',
  authorized: 'Se autorizó la programación de pagos.',
  signed: 'Quedó tu autorización; falta la de otra persona.',
  sent: 'La programación quedó como enviada.',
  returned: 'La programación volvió a borrador.',
  takenBack: 'Se eliminaron los pagos; la programación volvió a autorizada.',
  authorizedAnyway: 'La factura se autorizó de todos modos.',
  paid: (count: number) => (count === 1 ? 'Se registró un pago.' : `Se registraron ${count} pagos.`),
  twice: (id: number) => `La factura ${id} viene más de una vez.`,
  sameAuthor: 'La autoriza otra persona: ni quien la hizo ni quien le ha puesto una factura o un importe.',
  sameHand:
    'La autoriza de todos modos otra persona: ni quien hizo la programación ni quien le ha puesto una factura o un importe.',
  unsigned:
    'Le falta una autorización: la de quien ya no puede autorizar no cuenta. Vuélvela a borrador para que la autorice otra persona.',
  alreadySigned: 'Ya la autorizaste: falta la autorización de otra persona.',
  paidAllTheSame: (invoice: string, reason: string) =>
    `La factura ${invoice} quedó pagada, porque el dinero ya salió. ${reason}`,
  allHeld: 'No hay nada que pagar: todas sus facturas están retenidas.',
  oneNumber: 'Indica el primer número de cheque o una referencia, no ambos.',
  cheque: 'El primer número de cheque debe terminar en un número.',
  fileMade: 'Se generó el archivo para el banco; descárgalo y súbelo a su portal.',
  fileAgain: 'El archivo ya estaba generado: es el mismo.',
  bankAmounts: (lines: readonly string[]) =>
    `Indica cuánto salió del banco por cada factura en otra moneda: ${lines.join(', ')}.`,
  bankAmount: 'Indica cuánto salió del banco.',
  notForeign: (id: number) =>
    `La factura ${id} no es una partida por pagar en otra moneda: no lleva importe del banco.`,
  leftOut: (lines: readonly string[]) =>
    `No va en el archivo lo que se debe en otra moneda: ${lines.join(', ')}.`,
  noLayout: 'Indica la plantilla del banco.',
  nothingToSend:
    'No hay nada que mandar: ninguna partida se puede pagar a una cuenta confirmada con esta plantilla.',
  askedTwice: (filename: string, suppliers: readonly string[]) =>
    `${filename} pide también ${suppliers.length === 1 ? 'la transferencia' : 'las transferencias'} a ${suppliers.join(', ')}: manda al banco solo uno de los dos.`,
  outdated: 'El archivo ya no corresponde a la programación, a las cuentas o a la plantilla: genera otro.',
  downloaded: (username: string, moment: string) =>
    `Ya lo descargó ${username} el ${moment}. Si se sube otra vez al banco, se paga dos veces.`,
  notHeld: 'Esta factura no está retenida.',
  firm: 'No se puede autorizar de todos modos: antes hay que corregirlo.',
  reason: 'Indica el motivo.',
  noLine: (id: number) => `La factura ${id} no está en esta programación.`,
  inState: (state: BatchState, action: string) =>
    `La programación está ${BATCH_STATE_LABELS[state].toLowerCase()}: no se puede ${action}.`,
  overCommitted: (invoice: string, pending: Cents, elsewhere: Cents) =>
    elsewhere > 0
      ? `De la factura ${invoice} quedan ${formatMoney(Math.max(0, pending - elsewhere))} por programar: se deben ${formatMoney(pending)} y otras programaciones abiertas ya pagan ${formatMoney(elsewhere)}.`
      : `De la factura ${invoice} se deben ${formatMoney(pending)}: no se puede programar más.`,
  inOpenBatch: (invoice: string, { batchId, sentOn }: { batchId: number; sentOn: PlainDate | null }) =>
    `La factura ${invoice} está en la programación ${batchId}, enviada al banco${sentOn ? ` el ${formatLongDate(sentOn)}` : ''}.`,
  planned: describeInvoiceInBatch,
  alsoPlanned: (invoice: string, line: BatchIdAndState) =>
    `${describeInvoiceInBatch(invoice, line)}, y lo que queda pendiente ya no le alcanza.`,
  allowProgrammed: 'Registrar el pago aunque esté en una programación enviada',
  sameSender: 'La vuelve a borrador otra persona, no quien la mandó al banco.',
  fixedPayment: (id: number) =>
    `Es parte de la programación de pagos ${id}: su factura y su cantidad no cambian. Si el pago no se hizo, elimínalo.`,
  notOwed: (count: number) =>
    count === 1
      ? 'Una de las marcadas no está aquí: no se debe, o ya está en otra programación abierta.'
      : `${count} de las marcadas no están aquí: no se deben, o ya están en otra programación abierta.`,
  ofFriday: (friday: PlainDate) => `Marcar hasta el viernes ${Number(friday.slice(8))}`,
} as const;

export function checkBatch({ fecha, origenderecursoId, lines = [] }: BatchInput): Refusal | undefined {
  const { required, aboveZero, tooMany } = batchTexts;
  const wrongLines = lines.some(({ amountCents }) => amountCents !== undefined && amountCents <= 0);
  return toFieldsRefusal({
    fecha: !fecha && required,
    origenderecursoId: !origenderecursoId && required,
    partidas:
      (lines.length === 0 && required) ||
      (lines.length > MAX_BATCH_LINES && tooMany) ||
      (wrongLines && aboveZero),
  });
}
