import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import {
  FUND_FIELDS,
  MOVEMENT_FIELDS,
  type Movement,
  type MovementKind,
  OPENING_FIELD,
  type PettyCashFund,
} from '../../../shared/petty-cash.ts';
import { getField, type RecordField } from '../../../shared/record-fields.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import {
  countRarelyUsedFields,
  listFundingSources,
  listPossibleHolders,
  type RarelyUsedField,
} from '../../services/petty-cash/reading.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { type FieldTexts, toFieldTexts } from '../ui/record-fields.tsx';
import { type FormState, renderRecordForm } from '../ui/record-form.tsx';

interface FundOrMovementFormProps<Row> {
  action: string;
  back: string;
  hidden: FieldTexts;
  stored?: Row;
}

export const fundTextsOf = (fund: PettyCashFund) => toFieldTexts(FUND_FIELDS, fund);
export const movementTextsOf = (movement: Movement) => toFieldTexts(MOVEMENT_FIELDS, movement);

export const NEW_FUND_FIELDS: readonly RecordField[] = FUND_FIELDS.flatMap((field): RecordField[] =>
  field.name === 'openedOn' ? [field, OPENING_FIELD] : [field],
);

export async function renderFundForm(db: Db, state: FormState, form: FundOrMovementFormProps<PettyCashFund>) {
  const { stored } = form;
  const responsibleUsers = await listPossibleHolders(db, stored?.responsableId);
  const toSelectOptions = (none: string, rows: readonly { id: number; name: string }[]) => [
    { value: '', label: none },
    ...rows.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  const options: Record<string, RecordField['options']> = {
    responsableId: toSelectOptions('Elige…', responsibleUsers),
    pagosOrigenId: toSelectOptions('Ninguno', await listFundingSources(db)),
  };
  const fields = (stored ? FUND_FIELDS : NEW_FUND_FIELDS).map((field) =>
    options[field.name] ? { ...field, options: options[field.name] } : field,
  );
  return renderFundOrMovementForm(db, fields, state, form, {
    first: 'nombre',
    stored: stored && fundTextsOf(stored),
    folded: { summary: 'Más datos', names: ['tope', 'pagosOrigenId', 'comments'] },
  });
}

const NON_EXPENSE_FIELD_NAMES = ['importe', 'fecha', 'concepto', 'comments'] as const;

/** The fields of an expense, in the order in which one reads them from a ticket. */
const EXPENSE_FIELD_NAMES = [
  'importe',
  'concepto',
  'jobId',
  'rubroId',
  'fecha',
  'beneficiario',
  'comprobante',
  'folio',
  'iva',
  'uuid',
  'comprobarAntes',
  'comments',
] as const;

/** A rarely used field is folded unless at least this many of the last hundred expenses have it. */
const MIN_USES_TO_UNFOLD = 10;
const RARELY_FILLED_FIELD_NAMES: readonly RarelyUsedField[] = ['folio', 'iva', 'uuid', 'comprobarAntes'];

export const movementFieldsOf = (tipo: MovementKind): RecordField[] =>
  (tipo === 'gasto' ? EXPENSE_FIELD_NAMES : NON_EXPENSE_FIELD_NAMES).map((name) =>
    getField(MOVEMENT_FIELDS, name),
  );

interface MovementFormProps extends FundOrMovementFormProps<Movement> {
  fund: PettyCashFund;
  tipo: MovementKind;
  files?: ReactNode;
  xml?: ReactNode;
}

export async function renderMovementForm(db: Db, state: FormState, props: MovementFormProps) {
  const { fund, tipo, files, xml, ...form } = props;
  const { 'caja.plazo': term } = await readSettings(db);
  const overrides: Record<string, Partial<RecordField>> = {
    fecha: { min: fund.openedOn },
    comprobarAntes: {
      hint: `Solo si no hay comprobante. Si lo dejas vacío, ${term === '1' ? 'un día' : `${term} días`}.`,
    },
    importe: tipo === 'ajuste' ? { hint: 'Con signo menos lo que falta.' } : {},
  };
  const fields = movementFieldsOf(tipo).map((field) => ({ ...field, ...overrides[field.name] }));
  const usage = tipo === 'gasto' ? await countRarelyUsedFields(db) : undefined;
  const stored = form.stored && movementTextsOf(form.stored);
  // The first empty field: some may already be filled in from a QR code or a document.
  const first = fields.find(({ name }) => !state.values[name])?.name ?? 'importe';
  return renderFundOrMovementForm(db, fields, state, form, {
    first,
    stored,
    files,
    folded: usage && {
      summary: 'Factura y observaciones',
      names: [...RARELY_FILLED_FIELD_NAMES.filter((name) => usage[name] < MIN_USES_TO_UNFOLD), 'comments'],
      more: xml,
    },
  });
}

/** @param first the field that has the focus in the form of a new row */
function renderFundOrMovementForm(
  db: Db,
  fields: readonly RecordField[],
  state: FormState,
  { action, back, hidden }: FundOrMovementFormProps<unknown>,
  {
    first,
    ...parts
  }: { first: string } & Pick<Parameters<typeof renderRecordForm>[1], 'stored' | 'files' | 'folded'>,
) {
  const buttons = (
    <>
      <Button look="primary">Guardar</Button>
      <LeaveLink href={back} />
    </>
  );
  return renderRecordForm(db, {
    fields: fields.map((field) => ({ ...field, autoComplete: 'off' })),
    state,
    action,
    hidden,
    first: parts.stored ? undefined : first,
    buttons,
    ...parts,
  });
}
