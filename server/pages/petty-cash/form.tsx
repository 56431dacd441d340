import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import { sayDate } from '../../../shared/dates.ts';
import {
  FUND_FIELDS,
  MOVEMENT_FIELDS,
  type Movement,
  type MovementKind,
  OPENING_FIELD,
  type PettyCashFund,
} from '../../../shared/petty-cash.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { listHolders, listSources } from '../../services/petty-cash/reading.ts';
import { type Texts, textsOf } from '../ui/record-fields.tsx';
import { type FormState, renderRecordForm } from '../ui/record-form.tsx';

interface FormTexts<Row> {
  action: string;
  back: string;
  hidden: Texts;
  /** of an edit: the row as it is stored now */
  stored?: Row;
}

export const fundTextsOf = (fund: PettyCashFund) => textsOf(FUND_FIELDS, fund);
export const movementTextsOf = (movement: Movement) => textsOf(MOVEMENT_FIELDS, movement);

/** Only a new fund asks for what it begins with. */
export const NEW_FUND_FIELDS: readonly RecordField[] = FUND_FIELDS.flatMap((field): RecordField[] =>
  field.name === 'openedOn' ? [field, OPENING_FIELD] : [field],
);

export async function renderFundForm(db: Db, state: FormState, form: FormTexts<PettyCashFund>) {
  const { stored } = form;
  const holders = await listHolders(db, stored?.responsableId);
  const optionsOf = (none: string, rows: readonly { id: number; name: string }[]) => [
    { value: '', label: none },
    ...rows.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  const options: Record<string, RecordField['options']> = {
    responsableId: optionsOf('Elige…', holders),
    pagosOrigenId: optionsOf('Ninguno', await listSources(db)),
  };
  const fields = (stored ? FUND_FIELDS : NEW_FUND_FIELDS).map((field) =>
    options[field.name] ? { ...field, options: options[field.name] } : field,
  );
  return renderForm(db, fields, state, form, { first: 'nombre', stored: stored && fundTextsOf(stored) });
}

/** Movements that are no expenses have these fields alone. */
const OF_EVERY_KIND: readonly string[] = ['fecha', 'importe', 'concepto', 'comments'];

export const fieldsOf = (tipo: MovementKind): RecordField[] =>
  MOVEMENT_FIELDS.filter(({ name }) =>
    tipo === 'gasto' ? name !== 'tipo' && name !== 'subtotal' : OF_EVERY_KIND.includes(name),
  );

interface MovementParts extends FormTexts<Movement> {
  fund: PettyCashFund;
  tipo: MovementKind;
  files?: ReactNode;
}

export function renderMovementForm(db: Db, state: FormState, { fund, tipo, files, ...form }: MovementParts) {
  const hints: Record<string, string> = {
    fecha: `Desde el ${sayDate(fund.openedOn)}, cuando se abrió la caja.`,
    comprobarAntes: 'Del gasto sin comprobante. Vacío: los días de la configuración.',
    importe: tipo === 'ajuste' ? 'Con signo menos lo que falta.' : '',
  };
  const fields = fieldsOf(tipo).map((field) => {
    const hint = hints[field.name];
    return hint ? { ...field, hint } : field;
  });
  const stored = form.stored && movementTextsOf(form.stored);
  return renderForm(db, fields, state, form, { first: 'importe', stored, files });
}

/** @param first has the focus in the form of a new row */
function renderForm(
  db: Db,
  fields: readonly RecordField[],
  state: FormState,
  { action, back, hidden }: FormTexts<unknown>,
  { first, stored, files }: { first: string; stored: Texts | undefined; files?: ReactNode },
) {
  const buttons = (
    <>
      <Button look="primary">Guardar</Button>
      <LinkButton href={back}>Regresar</LinkButton>
    </>
  );
  return renderRecordForm(db, {
    fields: fields.map((field) => ({ ...field, autoComplete: 'off' })),
    state,
    action,
    hidden,
    stored,
    first: stored ? undefined : first,
    buttons,
    files,
  });
}
