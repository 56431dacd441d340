import { addDays, type Instant, type PlainDate } from './dates.ts';
import type { Cents } from './money.ts';
import { pettyCashTexts as texts } from './petty-cash-texts.ts';
import { type FieldValuesOf, keysOf, type RecordField } from './record-fields.ts';
import { createRefusal, listEmptyNames, type Refusal, toFieldsRefusal } from './refusal.ts';
import { isUuid } from './text.ts';

export const MOVEMENT_KIND_LABELS = {
  apertura: 'Apertura',
  gasto: 'Gasto',
  reposicion: 'Reposición',
  devolucion: 'Devolución',
  ajuste: 'Ajuste',
} as const;
export type MovementKind = keyof typeof MOVEMENT_KIND_LABELS;
export const MOVEMENT_KINDS = keysOf(MOVEMENT_KIND_LABELS);
export const movementKindLabel = (tipo: MovementKind): string => MOVEMENT_KIND_LABELS[tipo];

const VOUCHER_KIND_LABELS = { cfdi: 'CFDI', nota: 'Nota', ninguno: 'Ninguno' } as const;
export type VoucherKind = keyof typeof VOUCHER_KIND_LABELS;
export const VOUCHER_KINDS = keysOf(VOUCHER_KIND_LABELS);
export const voucherKindLabel = (comprobante: VoucherKind): string => VOUCHER_KIND_LABELS[comprobante];

/** Without `topeCents` the firm's limit applies; without `origenderecursoId` the source of the money is unknown. */
export interface PettyCashFund extends Required<Omit<FundFieldValues, 'responsableId' | 'openedOn'>> {
  id: number;
  responsableId: number;
  responsable: string;
  jobtitle: string | null;
  origenderecursonombre: string | null;
  pagosOrigen: string | null;
  openedOn: PlainDate;
  closedOn: PlainDate | null;
  importId: number | null;
  createdAt: Instant;
  version: number;
}

export const FUND_STATE_LABELS = { abiertas: 'Abiertas', cerradas: 'Cerradas' } as const;
export type FundState = keyof typeof FUND_STATE_LABELS;

export interface FundRow extends PettyCashFund {
  saldoCents: Cents;
  /** spent by expenses and payments */
  gastadoCents: Cents;
  /** This money was given back to the funding source. */
  devueltoCents: Cents;
  /** spent, with the voucher still missing */
  porComprobarCents: Cents;
  vencidoCents: Cents;
  /** spent with a voucher, and not replenished yet, whether or not that is requested */
  porReponerCents: Cents;
  solicitadoCents: Cents;
  /** requested for the fund, for expenses or for another reason, and not authorised yet */
  porAutorizarCents: Cents;
  /** day of the last movement or payment up to the requested day */
  lastOn: PlainDate | null;
}

/** The kind decides the direction of the amount. Only an ajuste has a signed amount. */
export interface Movement extends Required<Omit<MovementFieldValues, 'fecha' | 'uuid'>> {
  id: number;
  fundId: number;
  nombre: string;
  fecha: PlainDate;
  uuid: string | null;
  jobtitle: string | null;
  nombrerubro: string | null;
  /** for a gasto: the replenishment that requests its money; for a reposición: the one that it pays */
  replenishmentId: number | null;
  countId: number | null;
  /** the source of the money of an apertura or reposición, or the destination of a devolución */
  origenderecursoId: number | null;
  origenderecursonombre: string | null;
  userId: number;
  spentBy: string;
  importId: number | null;
  createdAt: Instant;
  version: number;
}

export const MOVEMENT_SORTS = {
  id: 'ID',
  fecha: 'Fecha',
  concepto: 'Concepto',
  jobtitle: 'Obra y rubro',
  nombre: 'Caja',
  ingreso: 'Ingreso',
  gasto: 'Salida',
} as const;
export const EXPENSE_SORTS = {
  ...MOVEMENT_SORTS,
  importe: 'Importe',
  subtotal: 'Sin IVA',
  plazo: 'Plazo',
} as const;
export type MovementSort = keyof typeof EXPENSE_SORTS;

export const FUND_SORTS = {
  nombre: 'Caja',
  responsable: 'Responsable',
  lastOn: 'Último movimiento',
  closedOn: 'Cierre',
  porComprobar: 'Por comprobar',
  porReponer: 'Por reponer',
  saldo: 'Saldo',
} as const;
export type FundSort = keyof typeof FUND_SORTS;

export const isOutflow = (tipo: MovementKind): boolean => tipo === 'gasto' || tipo === 'devolucion';

export const signedAmountOf = ({ tipo, importeCents }: Pick<Movement, 'tipo' | 'importeCents'>): Cents =>
  isOutflow(tipo) ? -importeCents : importeCents;

/**
 * Ids of the users who held the fund at that time, captured the movement, or changed its amount. Of movements from
 * before this was recorded, only the last editor is known.
 */
export const involvedUserIdsOf = ({ spentBy, userId }: Pick<Movement, 'spentBy' | 'userId'>): number[] =>
  spentBy === '' ? [userId] : spentBy.split(',').map(Number);

export const joinInvolvedUserIds = (...userIds: readonly (number | null)[]): string =>
  [...new Set(userIds.filter((id) => id !== null))].sort((one, other) => one - other).join();

export const WITHOUT_VOUCHER_LABEL = 'Sin comprobante';

export const EXPENSE_STATE_LABELS = {
  'por-comprobar': 'Por comprobar',
  'por-reponer': 'Por reponer',
  solicitado: 'Reposición pedida',
  repuesto: 'Repuesto',
} as const;
export type ExpenseState = keyof typeof EXPENSE_STATE_LABELS;
export const EXPENSE_STATES = keysOf(EXPENSE_STATE_LABELS);

export const DIRECTION_LABELS = { ingresos: 'Ingresos', salidas: 'Salidas' } as const;
export type MovementDirection = keyof typeof DIRECTION_LABELS;

export interface FundStatementEntry {
  tipo: MovementKind | 'pago';
  id: number;
  fecha: PlainDate;
  beneficiario: string;
  concepto: string;
  folio: string;
  jobtitle: string | null;
  nombrerubro: string | null;
  state: ExpenseState | null;
  comprobarAntes: PlainDate | null;
  /** negative: money leaves the fund */
  effectCents: Cents;
  balanceCents: Cents;
}

export const FUND_FIELDS = [
  { name: 'nombre', label: 'Nombre', kind: 'text', required: true, maxLength: 120 },
  {
    name: 'responsableId',
    label: 'Responsable',
    description: 'El usuario que tiene la caja',
    kind: 'select',
    options: [],
    required: true,
  },
  {
    name: 'origenderecursoId',
    label: 'Origen de recurso',
    kind: 'ref',
    catalog: 'funding-sources',
    required: true,
  },
  { name: 'jobId', label: 'Obra de la caja', kind: 'ref', catalog: 'jobs' },
  {
    name: 'montofijo',
    label: 'Monto fijo',
    kind: 'money',
    cents: 'montofijoCents',
    canBeNone: true,
    hint: 'El fondo completo de la caja.',
  },
  {
    name: 'tope',
    label: 'Tope por gasto',
    kind: 'money',
    cents: 'topeCents',
    canBeNone: true,
  },
  { name: 'openedOn', label: 'Fecha de apertura', kind: 'date', required: true },
  {
    name: 'pagosOrigenId',
    label: 'Pagos a proveedores desde la caja',
    description: 'Los pagos a proveedores con este origen salen de la caja desde su apertura; null: ninguno',
    kind: 'select',
    options: [],
    hint: 'Los pagos con este origen salen de la caja desde su apertura.',
  },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
] as const satisfies readonly RecordField[];

export type FundFieldValues = FieldValuesOf<typeof FUND_FIELDS>;

export const OPENING_FIELD = {
  name: 'apertura',
  label: 'Apertura',
  kind: 'money',
  cents: 'aperturaCents',
} as const satisfies RecordField;

export const MOVEMENT_FIELDS = [
  {
    name: 'tipo',
    label: 'Tipo',
    kind: 'select',
    options: (['gasto', 'devolucion', 'apertura', 'ajuste', 'reposicion'] as const).map((value) => ({
      value,
      label: movementKindLabel(value),
    })),
  },
  { name: 'fecha', label: 'Fecha', kind: 'date', required: true },
  { name: 'importe', label: 'Importe', kind: 'money', cents: 'importeCents', required: true },
  { name: 'concepto', label: 'Concepto', kind: 'text', required: true, wide: true, maxLength: 300 },
  { name: 'beneficiario', label: 'Beneficiario', kind: 'text', maxLength: 200 },
  {
    name: 'comprobante',
    label: 'Comprobante',
    kind: 'select',
    options: (['nota', 'cfdi', 'ninguno'] as const).map((value) => ({
      value,
      label: value === 'ninguno' ? 'Ninguno todavía' : voucherKindLabel(value),
    })),
  },
  { name: 'folio', label: 'Número de comprobante', kind: 'text', maxLength: 60 },
  { name: 'subtotal', label: 'Subtotal', kind: 'money', cents: 'subtotalCents', canBeNone: true },
  { name: 'iva', label: 'IVA', kind: 'money', cents: 'ivaCents', canBeNone: true },
  {
    name: 'uuid',
    label: 'UUID del CFDI',
    kind: 'text',
    wide: true,
    maxLength: 60, // longer than a UUID, which may be grouped differently
    autoCapitalize: 'characters',
  },
  { name: 'jobId', label: 'Obra del gasto', kind: 'ref', catalog: 'jobs' },
  { name: 'rubroId', label: 'Rubro del gasto', kind: 'ref', catalog: 'rubros' },
  { name: 'comprobarAntes', label: 'Comprobar antes del', kind: 'date' },
  { name: 'comments', label: 'Observaciones', kind: 'textarea', wide: true, maxLength: 4000 },
] as const satisfies readonly RecordField[];

/** Subtotal and IVA are derived from the importe if they are left out. */
export interface MovementFieldValues
  extends Omit<FieldValuesOf<typeof MOVEMENT_FIELDS>, 'subtotalCents' | 'ivaCents'> {
  subtotalCents?: Cents;
  ivaCents?: Cents;
}

export function checkFund(draft: FundFieldValues): Refusal | undefined {
  const { nombre, responsableId, openedOn, montofijoCents, topeCents, origenderecursoId, pagosOrigenId } =
    draft;
  const missing = listEmptyNames({ nombre, responsableId, origenderecursoId, openedOn });
  if (missing.length > 0) return createRefusal(texts.fundRequired, ...missing);
  return toFieldsRefusal({
    montofijo: typeof montofijoCents === 'number' && montofijoCents <= 0 && texts.notPositive,
    tope: typeof topeCents === 'number' && topeCents <= 0 && texts.notPositive,
    pagosOrigenId: origenderecursoId === pagosOrigenId && texts.sameSource,
  });
}

type RequiredFields = Pick<MovementFieldValues, 'concepto' | 'importeCents' | 'fecha'>;

export function checkRequiredFields({ concepto, importeCents, fecha }: RequiredFields): Refusal | undefined {
  const missing = listEmptyNames({ fecha, concepto, importe: importeCents });
  return missing.length > 0 ? createRefusal(texts.required, ...missing) : undefined;
}

export function checkMovement(
  draft: MovementFieldValues & { tipo: MovementKind; importeCents: Cents; ivaCents: Cents },
  { openedOn, today }: { openedOn: PlainDate; today: PlainDate },
): Refusal | undefined {
  const missing = checkRequiredFields(draft);
  if (missing) return missing;
  const { tipo, fecha, importeCents, ivaCents, comprobante, uuid } = draft;
  if (importeCents < 0 && tipo !== 'ajuste') return createRefusal(texts.notPositive, 'importe');
  if (fecha! < openedOn) return createRefusal(texts.beforeOpening(openedOn), 'fecha');
  if (fecha! > today) return createRefusal(texts.later, 'fecha');
  if (ivaCents < 0 || (tipo !== 'ajuste' && ivaCents > importeCents)) return createRefusal(texts.iva, 'iva');
  if (tipo === 'gasto') {
    if (uuid && comprobante !== 'cfdi') return createRefusal(texts.uuidOfCfdi, 'uuid');
    if (uuid && !isUuid(uuid)) return createRefusal(texts.uuid, 'uuid');
    if (draft.comprobarAntes && comprobante !== 'ninguno')
      return createRefusal(texts.termOfNone, 'comprobarAntes');
    if (draft.comprobarAntes && draft.comprobarAntes < fecha!)
      return createRefusal(texts.term, 'comprobarAntes');
    return undefined;
  }
  const expenseFields = (['jobId', 'rubroId', 'uuid', 'comprobarAntes'] as const).filter(
    (name) => draft[name],
  );
  if (comprobante && comprobante !== 'ninguno')
    return createRefusal(texts.onlyGasto, 'comprobante', ...expenseFields);
  if (ivaCents > 0) return createRefusal(texts.onlyGasto, 'iva', ...expenseFields);
  return expenseFields.length > 0 ? createRefusal(texts.onlyGasto, ...expenseFields) : undefined;
}

export const defaultFundPeriod = (today: PlainDate): { from: PlainDate; to: PlainDate } => ({
  from: `${addDays(`${today.slice(0, 8)}01`, -45).slice(0, 8)}01`,
  to: today,
});
