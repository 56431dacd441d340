import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import type { AppContext } from '../../http/session.ts';
import { parseId } from '../../shapes/fields.ts';
import { type FormRequest, handleForm, type RefusedForm, saveOrRerender } from '../../shell/render.tsx';
import { type FieldTexts, findFirstWrongField, renderControls } from './record-fields.tsx';
import { AllowInOpenBatchCheckbox, LinkedProblemAlert, needsReason, ReasonField } from './refusal-reason.tsx';
import { RefusedAlert } from './refused-alert.tsx';
import { findFieldDifferences, StaleFields, type StaleFieldsProps } from './stale-fields.tsx';
import { HiddenFields } from './step-form.tsx';

export interface FormState {
  /** what was posted, or the initial values */
  values: Readonly<Record<string, string>>;
  problem?: DomainError;
  status?: ContentfulStatusCode;
  /** the address of the refused step, where that was not the form's own */
  stepAddress?: string;
}

/** A key that was used for another record, as after the browser's back button, is replaced. */
export function prepareIdempotencyKey(
  { values, problem }: Pick<FormState, 'values' | 'problem'>,
  alreadySavedMessage?: string,
) {
  const isUsed = problem?.code === 'idempotency_key_reused';
  return {
    idempotencyKey: (!isUsed && values.idempotencyKey) || crypto.randomUUID(),
    problem: isUsed && alreadySavedMessage ? new DomainError('conflict', alreadySavedMessage) : problem,
  };
}

/** The row to edit. After a stale save it is the newer row with its version, so that saving again overwrites it. */
export function pickNewestRow<Row extends { version: number }>(
  storedRow: Row,
  { values, problem }: FormState,
) {
  const newer = problem?.extra?.current as Row | undefined;
  const row = newer ?? storedRow;
  return { row, version: String(newer?.version ?? values.version ?? row.version) };
}

interface EditPageOptions<Row> {
  read(c: AppContext): Promise<Row>;
  render(c: AppContext, row: Row, state: FormState): Promise<Response>;
  toTexts(row: Row): Readonly<Record<string, string>>;
}

type RowHandler<Row> = (row: Row, request: FormRequest) => Promise<Response>;

/** `handleStep` is for steps that do not post the form's fields. */
export const createEditPage = <Row,>({ read, render, toTexts }: EditPageOptions<Row>) => ({
  async show(c: AppContext) {
    const row = await read(c);
    return render(c, row, { values: toTexts(row) });
  },
  async handleForm(c: AppContext, handle: RowHandler<Row>) {
    const row = await read(c);
    const renderRefused = (_: AppContext, refused: RefusedForm) => render(c, row, refused);
    return handleForm(c, renderRefused, (request) => handle(row, request));
  },
  async handleStep(c: AppContext, handle: RowHandler<Row>) {
    const row = await read(c);
    const renderRefused = (_: AppContext, { values: { motivo }, ...refusal }: RefusedForm) => {
      const values = { ...toTexts(row), ...(motivo !== undefined && { motivo }) };
      return render(c, row, { ...refusal, values, stepAddress: c.req.path });
    };
    return handleForm(c, renderRefused, (request) => handle(row, request));
  },
  async handleChange(c: AppContext, change: (row: Row) => Promise<Response>) {
    const row = await read(c);
    return saveOrRerender(
      c,
      () => change(row),
      (problem, status) => render(c, row, { values: toTexts(row), problem, status }),
    );
  },
});

/** @throws DomainError malformed */
export const parseVersion = (text: string | undefined) => (text ? parseId(text, 'version') : undefined);

interface FormMessagesProps {
  form: string;
  state: FormState;
  fields: readonly RecordField[];
  staleFields?: Omit<StaleFieldsProps, 'formId'>;
}

export const FormMessages = ({ form, state, fields, staleFields }: FormMessagesProps) => {
  const { values, problem, stepAddress } = state;
  return (
    <>
      {problem && <LinkedProblemAlert problem={problem} fields={fields} />}
      {!stepAddress && <AllowInOpenBatchCheckbox problem={problem} values={values} form={form} />}
      {!stepAddress && <ReasonField problem={problem} values={values} form={form} />}
      {staleFields && <StaleFields {...staleFields} formId={form} />}
    </>
  );
};

interface RecordFormProps {
  fields: readonly RecordField[];
  state: FormState;
  action: string;
  hidden: FieldTexts;
  stored?: FieldTexts;
  first?: string;
  buttons: ReactNode;
  files?: ReactNode;
  /** fields at the end, folded unless one of them has an error or another value than in `values` */
  folded?: { summary: string; names: readonly string[]; values?: FieldTexts; more?: ReactNode };
}

export async function renderRecordForm(db: Db, props: RecordFormProps) {
  const { fields, action, hidden, stored, first, buttons, files, folded } = props;
  const { values, problem, stepAddress } = props.state;
  const errors = problem?.fields ?? {};
  const shown = {
    values,
    errors,
    focus: needsReason(problem) ? undefined : (findFirstWrongField(fields, errors) ?? first),
  };
  const isFolded = ({ name }: RecordField) => folded?.names.includes(name) ?? false;
  const foldedFields = fields.filter(isFolded);
  const openFields = fields.filter((field) => !isFolded(field));
  return (
    <form
      method="post"
      action={action}
      encType={files ? 'multipart/form-data' : undefined}
      className="form"
      data-busy=""
      noValidate
    >
      {/* Enter in a field presses the first button, which must not be one that reads a file. */}
      {files && <button type="submit" hidden />}
      <RefusedAlert problem={problem} fields={fields} />
      {problem?.kind === 'stale' && stored && (
        <StaleFields rows={await findFieldDifferences(db, fields, stored, values)} reloadHref={action} />
      )}
      <HiddenFields fields={hidden} />
      <div className="fields">
        {!stepAddress && <ReasonField problem={problem} values={values} />}
        {files}
        {await renderControls(db, openFields, shown)}
      </div>
      {folded && (
        <Disclosure
          summary={folded.summary}
          isOpen={foldedFields.some(
            ({ name }) =>
              (Number(values[name] ?? 0) !== 0 && values[name] !== folded.values?.[name]) || errors[name],
          )}
        >
          <div className="fields">
            {folded.more}
            {await renderControls(db, foldedFields, shown)}
          </div>
        </Disclosure>
      )}
      <div className="form-actions">{buttons}</div>
    </form>
  );
}
