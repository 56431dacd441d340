import { addDays, formatDate, type Instant, type PlainDate } from './dates.ts';
import type { Cents } from './money.ts';
import type { RecordField } from './record-fields.ts';
import { type Refusal, refusal } from './refusal.ts';

/** A cash box: a funding source from which somebody pays small things, and the day and amount it began with. */
export interface PettyCashFund {
  id: number;
  fundingSourceId: number;
  origenderecursonombre: string;
  responsable: string;
  openedOn: PlainDate;
  openingCents: Cents;
  comments: string;
  importId: number | null;
  createdAt: Instant;
  version: number;
}

export interface FundDraft {
  fundingSourceId?: number | null;
  responsable?: string;
  openedOn?: PlainDate | null;
  openingCents?: Cents;
  comments?: string;
}

const MOVEMENT_KINDS = ['gasto', 'ingreso'] as const;
type MovementKind = (typeof MOVEMENT_KINDS)[number];

export interface Movement {
  id: number;
  fundId: number;
  movementdate: PlainDate;
  kind: MovementKind;
  concept: string;
  /** number of the receipt */
  comprobante: string;
  amountCents: Cents;
  jobId: number | null;
  jobtitle: string | null;
  rubroId: number | null;
  nombrerubro: string | null;
  comments: string;
  userId: number;
  importId: number | null;
  createdAt: Instant;
  version: number;
}

export interface MovementDraft {
  movementdate?: PlainDate | null;
  kind?: MovementKind;
  concept?: string;
  comprobante?: string;
  amountCents?: Cents;
  jobId?: number | null;
  rubroId?: number | null;
  comments?: string;
}

/** What stands in a fund's list: a movement of its own, or a supplier payment out of it. */
export interface PettyCashEntry {
  kind: MovementKind | 'pago';
  /** of the movement or of the payment */
  id: number;
  date: PlainDate;
  concept: string;
  comprobante: string;
  jobtitle: string | null;
  nombrerubro: string | null;
  amountCents: Cents;
  /** what is in the box after it */
  balanceCents: Cents;
}

/** The fields of a fund's form, from first to last. */
export const FUND_FIELDS = [
  {
    name: 'fundingSourceId',
    label: 'Origen de recurso',
    kind: 'ref',
    catalog: 'funding-sources',
    required: true,
  },
  { name: 'responsable', label: 'Responsable', kind: 'text', required: true, maxLength: 200 },
  {
    name: 'openedOn',
    label: 'Fecha de apertura',
    kind: 'date',
    required: true,
    hint: 'Desde este día, los pagos a proveedores con este origen salen de la caja.',
  },
  {
    name: 'opening',
    label: 'Saldo inicial',
    kind: 'money',
    cents: 'openingCents',
    hint: 'Lo que había en la caja al abrirla.',
  },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
] as const satisfies readonly RecordField[];

/** The fields of a movement's form, from first to last. */
export const MOVEMENT_FIELDS = [
  {
    name: 'kind',
    label: 'Tipo',
    kind: 'select',
    options: [
      { value: 'gasto', label: 'Gasto' },
      { value: 'ingreso', label: 'Ingreso' },
    ],
  },
  { name: 'movementdate', label: 'Fecha', kind: 'date', required: true },
  { name: 'concept', label: 'Concepto', kind: 'text', required: true, wide: true, maxLength: 300 },
  { name: 'amount', label: 'Cantidad', kind: 'money', cents: 'amountCents', required: true },
  { name: 'comprobante', label: 'Número de comprobante', kind: 'text', maxLength: 60 },
  { name: 'jobId', label: 'Obra del gasto', kind: 'ref', catalog: 'jobs' },
  { name: 'rubroId', label: 'Rubro del gasto', kind: 'ref', catalog: 'rubros' },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
] as const satisfies readonly RecordField[];

export const fundTexts = {
  required: 'Se requieren el origen de recurso, el responsable y la fecha de apertura.',
  negativeOpening: 'El saldo inicial no puede ser negativo.',
  negative: 'El saldo es negativo: falta registrar un ingreso o sobra un gasto.',
  taken: (source: string) => `Ya hay una caja chica de ${source}.`,
  created: (name: string) => `Se abrió la caja chica «${name}».`,
  updated: (name: string) => `Se guardó la caja chica «${name}».`,
  deleted: (name: string) => `Se eliminó la caja chica «${name}».`,
  opensAfterMovements: (date: PlainDate) =>
    `Hay movimientos desde el ${formatDate(date)}: la caja no puede abrirse después.`,
  stale: 'Otra persona guardó esta caja chica mientras la editabas.',
} as const;

export const movementTexts = {
  required: 'Se requieren la fecha, el concepto y la cantidad.',
  notPositive: 'La cantidad debe ser mayor que cero.',
  costOfIncome: 'La obra y el rubro son solo de los gastos: quítalos o elige Gasto.',
  beforeOpening: (openedOn: PlainDate) =>
    `La caja se abrió el ${formatDate(openedOn)}: la fecha es anterior.`,
  later: 'La fecha es posterior a hoy: el movimiento cuenta en el saldo a partir de ese día.',
  created: 'Se registró el movimiento.',
  updated: 'Se actualizó el movimiento.',
  deleted: 'Se eliminó el movimiento.',
  restored: 'Se recuperó el movimiento.',
  stale: 'Otra persona guardó este movimiento mientras lo editabas.',
  alreadySaved: 'Este formulario ya se guardó con otros datos. Si es otro movimiento, guarda de nuevo.',
} as const;

/** What is missing or wrong in a fund, or nothing. */
export function checkFund(draft: FundDraft): Refusal | undefined {
  const missing = [
    !draft.fundingSourceId && 'fundingSourceId',
    !draft.responsable && 'responsable',
    !draft.openedOn && 'openedOn',
  ].filter((name) => typeof name === 'string');
  if (missing.length > 0) return refusal(fundTexts.required, ...missing);
  if ((draft.openingCents ?? 0) < 0) return refusal(fundTexts.negativeOpening, 'opening');
  return undefined;
}

/** What is missing or wrong in a movement of a fund opened on that day, or nothing. */
export function checkMovement(draft: MovementDraft, openedOn: PlainDate): Refusal | undefined {
  const missing = [
    !draft.movementdate && 'movementdate',
    !draft.concept && 'concept',
    !draft.amountCents && 'amount',
  ].filter((name) => typeof name === 'string');
  if (missing.length > 0) return refusal(movementTexts.required, ...missing);
  if (draft.amountCents! < 0) return refusal(movementTexts.notPositive, 'amount');
  if (draft.movementdate! < openedOn) return refusal(movementTexts.beforeOpening(openedOn), 'movementdate');
  const costs = (['jobId', 'rubroId'] as const).filter((name) => draft[name]);
  if (draft.kind === 'ingreso' && costs.length > 0) return refusal(movementTexts.costOfIncome, ...costs);
  return undefined;
}

/** What a fund's page shows unless it is told otherwise: the last three months. */
export const periodUntil = (today: PlainDate): { from: PlainDate; to: PlainDate } => ({
  from: `${addDays(`${today.slice(0, 8)}01`, -45).slice(0, 8)}01`,
  to: today,
});
