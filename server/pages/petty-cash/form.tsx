import type { Db } from '../../../db/schema.ts';
import { formatDate } from '../../../shared/dates.ts';
import {
  FUND_FIELDS,
  MOVEMENT_FIELDS,
  type Movement,
  type PettyCashFund,
} from '../../../shared/petty-cash.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { type Texts, textsOf } from '../ui/record-fields.tsx';
import { type FormState, renderRecordForm } from '../ui/record-form.tsx';

export interface FormTexts<Row> {
  action: string;
  /** where "Regresar" leads */
  back: string;
  hidden: Texts;
  /** of an edit: what is stored now */
  stored?: Row;
}

export const fundTextsOf = (fund: PettyCashFund) => textsOf(FUND_FIELDS, fund);
export const movementTextsOf = (movement: Movement) => textsOf(MOVEMENT_FIELDS, movement);

/** A new fund's source is chosen once; afterwards the fund is named by it. */
export const OPEN_FUND_FIELDS = FUND_FIELDS.filter(({ name }) => name !== 'fundingSourceId');

export function renderFundForm(db: Db, state: FormState, form: FormTexts<PettyCashFund>) {
  const fields = form.stored ? OPEN_FUND_FIELDS : FUND_FIELDS;
  return renderForm(db, fields, state, form, 'responsable', form.stored && fundTextsOf(form.stored));
}

export function renderMovementForm(
  db: Db,
  { openedOn }: PettyCashFund,
  state: FormState,
  form: FormTexts<Movement>,
) {
  const hint = `Desde el ${formatDate(openedOn)}, cuando se abrió la caja.`;
  const fields = MOVEMENT_FIELDS.map((field) => (field.name === 'movementdate' ? { ...field, hint } : field));
  return renderForm(db, fields, state, form, 'concept', form.stored && movementTextsOf(form.stored));
}

/** A new row begins with what has to be typed `first`; what is edited may be any of its fields. */
function renderForm(
  db: Db,
  fields: readonly RecordField[],
  state: FormState,
  { action, back, hidden }: FormTexts<unknown>,
  first: string,
  stored: Texts | undefined,
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
  });
}
