import { joinFirst, pluralize } from './counts.ts';
import { formatLongDate, type Instant, type PlainDate } from './dates.ts';
import { DomainError } from './errors.ts';
import { type Cents, formatMoney } from './money.ts';
import { keysOf } from './record-fields.ts';

const MATCH_LABELS = {
  pagado: 'Pagado',
  devuelto: 'Devuelto por el banco',
  ambiguo: 'Puede ser de varias, o algo la detiene',
  'sin-partida': 'Sin programación',
} as const;
export type MatchOutcome = keyof typeof MATCH_LABELS;
export const MATCH_OUTCOMES = keysOf(MATCH_LABELS);

const RESOLUTION_LABELS = {
  ligado: 'Ligado a pagos',
  capturado: 'Pagos capturados',
  reposicion: 'De caja chica',
  nombrado: 'Nombrado',
} as const;
/** How a person or a rule resolves a movement that could not be matched with a payment batch for certain. */
export type Resolution = keyof typeof RESOLUTION_LABELS;
export const RESOLUTIONS = keysOf(RESOLUTION_LABELS);

export const OUTCOME_LABELS = { ...MATCH_LABELS, ...RESOLUTION_LABELS } as const;
export type MovementOutcome = MatchOutcome | Resolution;
export const MOVEMENT_OUTCOMES = keysOf(OUTCOME_LABELS);

/** Whole words, without case and accents, by which banks say what a movement is. */
export const MOVEMENT_CLASS_KEYWORDS: Readonly<Partial<Record<MovementClass, readonly string[]>>> = {
  comision: ['comision', 'comisiones', 'manejo de cuenta'],
  impuesto: ['isr', 'iva', 'impuesto', 'impuestos', 'sat', 'tesofe'],
  traspaso: ['traspaso', 'traspasos', 'entre cuentas'],
  deposito: ['deposito', 'depositos'],
};

export const isOpenOutcome = (outcome: MovementOutcome): boolean =>
  outcome === 'ambiguo' || outcome === 'sin-partida';

export const MOVEMENT_CLASS_LABELS = {
  comision: 'Comisión',
  deposito: 'Depósito',
  traspaso: 'Traspaso',
  impuesto: 'Impuesto',
  ajeno: 'Ajeno',
} as const;
export type MovementClass = keyof typeof MOVEMENT_CLASS_LABELS;
export const MOVEMENT_CLASSES = keysOf(MOVEMENT_CLASS_LABELS);

/** Money that went out is no deposit. Money that came in mostly is, so that class comes first. */
export function listPossibleClasses({ amountCents }: Pick<BankMovement, 'amountCents'>): MovementClass[] {
  const others = MOVEMENT_CLASSES.filter((clase) => clase !== 'deposito');
  return amountCents < 0 ? others : ['deposito', ...others];
}

export const BANK_STATEMENT_SORTS = {
  filename: 'Archivo',
  origenderecursonombre: 'Origen de recurso',
  fecha: 'Cargado',
  username: 'Por',
} as const;

export const BANK_MOVEMENT_SORTS = {
  fecha: 'Fecha',
  referencia: 'Referencia',
  descripcion: 'Descripción',
  importe: 'Importe',
  resultado: 'Resultado',
  programacion: 'Corresponde a',
} as const;

export interface BankMovement {
  id: number;
  statementId: number;
  origenderecursoId: number;
  origenderecursonombre: string;
  fecha: PlainDate;
  /** negative: money that left the account */
  amountCents: Cents;
  referencia: string;
  descripcion: string;
  outcome: MovementOutcome;
  batchId: number | null;
  supplierId: number | null;
  suppliername: string | null;
  clase: MovementClass | null;
  /** the petty cash replenishment that the movement paid */
  reposicionId: number | null;
  /** the petty cash movement by which a fund gave this money back */
  movimientocajaId: number | null;
  /** payments that the movement was linked to, or that were captured from it */
  paymentIds: number[];
  version: number;
}

/** Has exactly one of `paymentIds`, `invoices`, `reposicionId`, `movimientocajaId` and `clase`. */
export interface ResolutionInput {
  paymentIds?: readonly number[];
  /** without an amount, what is pending is paid; a debt in another currency needs the amount that left the bank */
  invoices?: readonly { invoiceId: number; amountCents?: Cents; importebancoCents?: Cents }[];
  reposicionId?: number;
  movimientocajaId?: number;
  clase?: MovementClass;
  /** a rule's text: all movements of the account that contain it get the same `clase`, now and at each load */
  siempre?: string;
}

export interface ResolutionProposal {
  tipo: Resolution;
  draft: ResolutionInput;
  /** why it is proposed, a colon, and what is proposed */
  razon: string;
  /** what to look at before accepting it */
  warning?: string;
  /** the text of the button that accepts the proposal */
  step: string;
}

export interface BankRule {
  id: number;
  origenderecursoId: number;
  origenderecursonombre: string;
  texto: string;
  /** true: the rule is for money that comes in; false: for money that goes out */
  entra: boolean;
  clase: MovementClass;
  username: string;
  createdAt: Instant;
}

export interface BankStatement {
  id: number;
  origenderecursoId: number;
  origenderecursonombre: string;
  filename: string;
  username: string;
  createdAt: Instant;
  /** the account's balance before its movements, and after them; below zero: overdrawn; null: the bank did not say */
  saldoinicialCents: Cents | null;
  saldofinalCents: Cents | null;
  /** the day of the last movement, at whose end the account had the closing balance; null where there is none */
  saldofecha: PlainDate | null;
  /** the file's line with the first balance that does not follow from the movements; null: all do */
  saldorenglon: number | null;
}

export interface FullBankStatement extends BankStatement {
  movements: BankMovement[];
}

export interface BankStatementLoadOutcome {
  statementId: number;
  /** some movement is new, or has another outcome than before, which may happen even if the file was loaded before */
  bringsChanges: boolean;
  movements: number;
  /** movements that an earlier statement contained, and whose outcome is decided */
  known: number;
  /** lines of the file that are dated after today, and were not loaded */
  refused: readonly number[];
  counts: Record<MatchOutcome | 'nombrado', number>;
  warnings: readonly string[];
}

export const bankStatementTexts = {
  required: 'Elige el origen de recurso y el archivo del banco.',
  loaded: (outcome: BankStatementLoadOutcome): string =>
    [
      outcome.bringsChanges ? describeCounts(outcome) : NOTHING_NEW_TEXT,
      outcome.refused.length > 0 && describeFutureLines(outcome.refused),
    ]
      .filter(Boolean)
      .join(' '),
  notYet: describeFutureLines,
  fitsSeveral: (
    { fecha, amountCents }: Pick<BankMovement, 'fecha' | 'amountCents'>,
    batchIds: readonly number[],
  ) =>
    `El movimiento del ${formatLongDate(fecha)} por ${formatMoney(amountCents)} puede ser de las programaciones ${batchIds.slice(0, -1).join(', ')} y ${batchIds.at(-1)}: queda abierto.`,
  balanceDiffers: (ofFile: Cents, typed: Cents) =>
    `El archivo termina con un saldo de ${formatMoney(ofFile)}, y se escribió ${formatMoney(typed)}.`,
  balanceOfFuture: (lines: readonly number[]) =>
    `No se sabe de qué día es el saldo final que se escribió: ${describeFutureLines(lines).replace(/^./, (letter) => letter.toLowerCase())}`,
  balanceOfMovements: (stated: Cents) =>
    `El banco dice ${formatMoney(stated)} como saldo final: los movimientos que se cargaron no llegan a eso.`,
  balanceBroken: (line: number) =>
    `Renglón ${line}: su saldo no sale del anterior y del movimiento. Puede faltar un movimiento en el archivo.`,
  balanceAmbiguous:
    'No se sabe cuál movimiento del día es el último, y por eso tampoco el saldo final: escríbelo al cargar.',
  notPaid: 'Este movimiento no pagó nada de una programación, o ya se devolvió.',
  returned: 'Quedó como devuelto: lo que pagó vuelve a deberse.',
  oneWay:
    'Di con qué se resuelve, y solo una cosa: un nombre, pagos ya capturados, facturas o dinero de una caja.',
  stale: 'Otra persona cambió este movimiento mientras tanto.',
  settled: (movement: MovementResolution) =>
    `Este movimiento ya está resuelto: ${describeResolution(movement)}.`,
  notSettled: 'Este movimiento está abierto: no hay nada que soltar.',
  ofBatch: 'Es de una programación: lo que pagó se suelta al marcarlo como devuelto.',
  sumDiffers: (movement: Cents, sum: Cents) =>
    `El movimiento es de ${formatMoney(movement)}, y lo elegido suma ${formatMoney(sum)}.`,
  onlyOutgoing: 'Este movimiento entró a la cuenta: no es un pago.',
  named: 'Viene más de una vez.',
  otherOrigin: (what: string) => `${what} no es del origen de recurso de este movimiento.`,
  noPayment: (id: number) => `No existe el pago ${id}.`,
  taken: (what: string) => `${what} ya corresponde a otro movimiento del banco.`,
  unpaidRequest: (id: number) => `La solicitud ${id} de caja chica no se ha pagado.`,
  noReturn: (id: number) => `El movimiento ${id} de caja chica no es una devolución.`,
  foreign: (numfactura: string) =>
    `La factura ${numfactura} no está en pesos: di también lo que salió del banco por ella.`,
  inPesos: (numfactura: string) =>
    `La factura ${numfactura} está en pesos: de ella salió del banco lo mismo que se abona, y no se indica aparte.`,
  noInvoice: 'Di de qué factura es cada importe.',
  oneAmount: 'El importe es de una sola factura: de varias se paga lo que se debe de cada una.',
  nothingOpen: 'Ya no queda ninguno abierto en esta cuenta.',
  ruleDeleted: 'Se quitó la regla. Lo que nombró se queda.',
  onlyNamed: 'Solo lo que se nombra puede tener una regla.',
  ruleText: (descripcion: string) =>
    `Escribe palabras completas, con tres letras al menos, que el banco diga en este movimiento: «${descripcion}».`,
  otherRule: (clase: MovementClass) =>
    `Ya hay una regla con ese texto, que dice ${MOVEMENT_CLASS_LABELS[clase]}.`,
  resolved: (movement: MovementResolution, others: number): string =>
    [
      `Resuelto: ${describeResolution(movement)}.`,
      others > 0 && `La regla nombró ${pluralize(others, 'movimiento más', 'movimientos más')}.`,
    ]
      .filter(Boolean)
      .join(' '),
  released: (kept: readonly number[]): string =>
    kept.length === 0
      ? 'Quedó abierto.'
      : `Quedó abierto. Lo que se capturó de él se queda: ${describePayments(kept)}.`,
  captureUndone: (count: number): string =>
    `Quedó abierto. Se ${count === 1 ? 'eliminó el pago que se capturó' : `eliminaron los ${count} pagos que se capturaron`} de él.`,
  ruleUndone: (others: number): string =>
    others === 0
      ? 'Quedó abierto. Se quitó la regla.'
      : `Quedó abierto. Se quitó la regla, y ${pluralize(others, 'movimiento que nombró quedó abierto', 'movimientos que nombró quedaron abiertos')} también.`,
} as const;

/** Returns '' where the bank did not state the balance. */
export const describeBankStatementBalance = ({
  saldoinicialCents,
  saldofinalCents,
  saldofecha,
  saldorenglon,
}: BankStatement): string =>
  saldoinicialCents === null || saldofinalCents === null || saldofecha === null
    ? ''
    : [
        `Saldo inicial ${formatMoney(saldoinicialCents)}, saldo final ${formatMoney(saldofinalCents)} al ${formatLongDate(saldofecha)}.`,
        ...(saldorenglon === null ? [] : [bankStatementTexts.balanceBroken(saldorenglon)]),
      ].join(' ');

type MovementResolution = Pick<
  BankMovement,
  'outcome' | 'clase' | 'paymentIds' | 'reposicionId' | 'movimientocajaId' | 'batchId'
>;

export function describeResolution(movement: MovementResolution): string {
  const { outcome, clase, paymentIds, reposicionId, movimientocajaId, batchId } = movement;
  if (clase !== null) return MOVEMENT_CLASS_LABELS[clase];
  if (reposicionId !== null) return `Solicitud ${reposicionId} de caja chica`;
  if (movimientocajaId !== null) return `Devolución ${movimientocajaId} de caja chica`;
  const label = OUTCOME_LABELS[outcome];
  if (paymentIds.length > 0) return `${label} (${describePayments(paymentIds)})`;
  return batchId === null ? label : `${label} (programación ${batchId})`;
}

const describePayments = (ids: readonly number[]): string =>
  `${ids.length === 1 ? 'pago' : 'pagos'} ${joinFirst(ids, MAX_NAMED_LINES)}`;

const NOTHING_NEW_TEXT = 'Este archivo ya se había cargado: no trae nada nuevo.';

const describeCounts = ({ counts, known, movements }: BankStatementLoadOutcome): string =>
  [
    `${movements === 1 ? 'Un movimiento' : `${movements} movimientos`}: ${counts.pagado} de pagos programados`,
    counts.devuelto > 0 && `${counts.devuelto} devueltos por el banco`,
    counts.ambiguo > 0 && `${counts.ambiguo} que pueden ser de varias partidas`,
    counts.nombrado > 0 && `${counts.nombrado} nombrados por una regla`,
    `${counts['sin-partida']} sin programación`,
    known > 0 && `${known} ya se habían cargado`,
  ]
    .filter(Boolean)
    .join(', ')
    .concat('.');

const MAX_NAMED_LINES = 5;

function describeFutureLines(lines: readonly number[]): string {
  if (lines.length === 1)
    return `El renglón ${lines[0]} es de después de hoy y no se tomó en cuenta: se carga cuando llegue su día.`;
  const lineList =
    lines.length > MAX_NAMED_LINES
      ? `${lines.length} renglones, desde el ${lines[0]},`
      : `Los renglones ${lines.slice(0, -1).join(', ')} y ${lines.at(-1)}`;
  return `${lineList} son de después de hoy y no se tomaron en cuenta: se cargan cuando llegue su día.`;
}

export function missingBankStatementFieldsError(lacksSource: boolean, lacksFile: boolean): DomainError {
  const { required } = bankStatementTexts;
  const fields = {
    ...(lacksSource && { origenderecursoId: required }),
    ...(lacksFile && { file: required }),
  };
  return new DomainError('invalid', required, { fields });
}
