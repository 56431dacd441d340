import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { DomainError } from '../../../shared/errors.ts';
import { batchTexts } from '../../../shared/payment-batches.ts';
import { MAX_MOTIVO_LENGTH } from '../../../shared/text.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Checkbox } from '../../../shared/ui/Checkbox.tsx';
import { Field, type FieldProps } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { BUDGET_EXCEEDED_CODE } from '../../services/budgets/budget-book.ts';
import { CLOSED_PERIOD_CODE, REOPENING_NEEDS_REASON_CODE } from '../../services/closing/closing.ts';
import { IN_OPEN_BATCH_CODE } from '../../services/payments/rules.ts';
import type { FieldTexts } from './record-fields.tsx';
import { FaultyFieldLinks, type LabelledFields } from './refused-alert.tsx';
import { StepForm } from './step-form.tsx';

const CODES_LIFTED_BY_REASON: readonly string[] = [
  CLOSED_PERIOD_CODE,
  REOPENING_NEEDS_REASON_CODE,
  BUDGET_EXCEEDED_CODE,
  IN_OPEN_BATCH_CODE,
];

/** Whether this user could lift the refusal by a reason. */
export const needsReason = (problem: DomainError | undefined): boolean =>
  CODES_LIFTED_BY_REASON.includes(problem?.code ?? '') && problem?.fields?.motivo !== undefined;

interface ReasonProps {
  problem?: DomainError;
  values?: FieldTexts;
  /** id of the field's form, if the field is outside of it */
  form?: string;
  /** the id of the field, where the step always requires a reason */
  requiredFieldId?: string;
}

/** Asks why, for the audit trail. */
export const MotivoField = (props: Partial<FieldProps>) => (
  <Field
    name="motivo"
    label="Motivo"
    maxLength={MAX_MOTIVO_LENGTH}
    autoComplete="off"
    required
    wide
    {...props}
  />
);

export function ReasonField({ problem, values, form, requiredFieldId }: ReasonProps) {
  const isNeeded = needsReason(problem);
  if (!requiredFieldId && !isNeeded && !values?.motivo) return null;
  return (
    <MotivoField
      id={requiredFieldId}
      value={values?.motivo}
      hint="Queda en la bitácora."
      error={(isNeeded || requiredFieldId) && values?.motivo === '' ? problem?.fields?.motivo : undefined}
      focus={isNeeded}
      form={form}
    />
  );
}

export const AllowInOpenBatchCheckbox = ({ problem, values, form }: ReasonProps) =>
  problem?.code === IN_OPEN_BATCH_CODE || values?.allowProgrammed !== undefined ? (
    <Checkbox name="allowProgrammed" checked={values?.allowProgrammed !== undefined} form={form}>
      {batchTexts.allowProgrammed}
    </Checkbox>
  ) : null;

export const DUPLICATE_INVOICE_CODE = 'duplicate_invoice';

interface LinkedProblemAlertProps {
  problem: DomainError;
  intro?: string;
  fields?: LabelledFields;
}

export function LinkedProblemAlert({ problem, intro, fields }: LinkedProblemAlertProps) {
  const { code, extra } = problem;
  const batchId = code === IN_OPEN_BATCH_CODE ? Number(extra?.programacionId) : 0;
  const invoiceId = code === DUPLICATE_INVOICE_CODE ? Number(extra?.existingId) : 0;
  const statementId = code === 'bank_matched' ? Number(extra?.estadoDeCuentaId) : 0;
  const [href, link] =
    statementId > 0
      ? [pages.bankStatement(statementId), 'Ver el estado de cuenta']
      : invoiceId > 0
        ? [pages.editInvoice(invoiceId), 'Ver esa factura']
        : [batchId > 0 && pages.paymentBatch(batchId), 'Ver la programación'];
  return (
    <Alert tone="error" footer={<FaultyFieldLinks problem={problem} names={fields} />}>
      {[intro, problem.message].filter(Boolean).join(' ')}
      {href && (
        <>
          {' '}
          {/* The link opens a new tab, since going back to a posted form makes browsers ask, or fail. */}
          <a href={href} target="_blank" rel="noopener">
            {link}
          </a>
        </>
      )}
    </Alert>
  );
}

/** A refused step that has no form of its own. */
export interface RefusedStep {
  problem: DomainError;
  status: ContentfulStatusCode;
  values: FieldTexts;
  buttonLabel: string;
}

interface RefusedStepNoticeProps extends Omit<RefusedStep, 'status'> {
  intro?: string;
  action: string;
}

export function RefusedStepNotice({ problem, intro, action, values, buttonLabel }: RefusedStepNoticeProps) {
  const { motivo: _motivo, allowProgrammed: _allowed, ...hidden } = values;
  return (
    <>
      <LinkedProblemAlert problem={problem} intro={intro} />
      {needsReason(problem) && (
        <StepForm
          action={action}
          hidden={hidden}
          fields={<ReasonField problem={problem} values={values} />}
          buttons={<Button look="danger">{buttonLabel}</Button>}
        >
          <AllowInOpenBatchCheckbox problem={problem} values={values} />
        </StepForm>
      )}
    </>
  );
}
