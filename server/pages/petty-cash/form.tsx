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
import { listHolders, listSources } from '../../services/petty-cash/holders.ts';
import { type Texts, textsOf } from '../ui/record-fields.tsx';
import { type FormState, renderRecordForm } from '../ui/record-form.tsx';

interface FormTexts<Row> {
  action: string;
  /** where "Regresar" leads */
  back: string;
  hidden: Texts;
  /** of an edit: what is stored now */
  stored?: Row;
}

export const fundTextsOf = (fund: PettyCashFund) => textsOf(FUND_FIELDS, fund);
export const movementTextsOf = (movement: Movement) => textsOf(MOVEMENT_FIELDS, movement);

/** A new fund begins with something in it. */
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

/** What a form of each kind asks for; the rest is of expenses alone. */
const OF_EVERY_KIND: readonly string[] = ['fecha', 'importe', 'concepto', 'comments'];
const OF_EXPENSES: readonly string[] = MOVEMENT_FIELDS.map(({ name }) => name).filter(
  (name) => name !== 'tipo' && name !== 'subtotal',
);

export const fieldsOf = (tipo: MovementKind): RecordField[] =>
  MOVEMENT_FIELDS.filter(({ name }) => (tipo === 'gasto' ? OF_EXPENSES : OF_EVERY_KIND).includes(name));

interface MovementParts extends FormTexts<Movement> {
  fund: PettyCashFund;
  tipo: MovementKind;
  /** above the fields: files that come with it */
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

/** A new row begins with what has to be typed `first`; what is edited may be any of its fields. */
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
