import { formatLongDate, type Instant, type PlainDate } from './dates.ts';
import { DomainError } from './errors.ts';
import { type Cents, formatMoney } from './money.ts';
import { keysOf } from './record-fields.ts';

export const OUTCOME_LABELS = {
  pagado: 'Pagado',
  devuelto: 'Devuelto por el banco',
  ambiguo: 'Puede ser de varias, o algo la detiene',
  'sin-partida': 'Sin programación',
} as const;
export type MovementOutcome = keyof typeof OUTCOME_LABELS;
export const MOVEMENT_OUTCOMES = keysOf(OUTCOME_LABELS);

export interface BankMovement {
  id: number;
  fecha: PlainDate;
  /** negative: money that left the account */
  amountCents: Cents;
  referencia: string;
  descripcion: string;
  outcome: MovementOutcome;
  batchId: number | null;
  supplierId: number | null;
  suppliername: string | null;
}

export interface BankStatement {
  id: number;
  origenderecursoId: number;
  origenderecursonombre: string;
  filename: string;
  username: string;
  createdAt: Instant;
}

export interface FullStatement extends BankStatement {
  movements: BankMovement[];
}

export interface StatementOutcome {
  statementId: number;
  isNew: boolean;
  movements: number;
  /** already loaded with an earlier statement, and decided */
  known: number;
  /** lines of the file that are dated after today, and were not loaded */
  refused: readonly number[];
  counts: Record<MovementOutcome, number>;
  warnings: readonly string[];
}

export const statementTexts = {
  required: 'Elige el origen de recurso y el archivo del banco.',
  loaded: (outcome: StatementOutcome): string =>
    [
      outcome.isNew ? describeCounts(outcome) : NOTHING_NEW,
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
  notPaid: 'Este movimiento no pagó nada de una programación, o ya se devolvió.',
  returned: 'Quedó como devuelto: lo que pagó vuelve a deberse.',
} as const;

const NOTHING_NEW = 'Este archivo ya se había cargado: no trae nada nuevo.';

const describeCounts = ({ counts, known, movements }: StatementOutcome): string =>
  [
    `${movements === 1 ? 'Un movimiento' : `${movements} movimientos`}: ${counts.pagado} de pagos programados`,
    counts.devuelto > 0 && `${counts.devuelto} devueltos por el banco`,
    counts.ambiguo > 0 && `${counts.ambiguo} que pueden ser de varias partidas`,
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

export function missingStatementError(source: boolean, file: boolean): DomainError {
  const { required } = statementTexts;
  const fields = { ...(source && { origenderecursoId: required }), ...(file && { file: required }) };
  return new DomainError('invalid', required, { fields });
}
