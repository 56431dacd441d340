import type { ReactNode } from 'react';
import type { Texts } from './record-fields.tsx';

interface StepFormProps {
  action: string;
  /** hidden fields: version, idempotencyKey */
  hidden?: Texts;
  id?: string;
  children?: ReactNode;
  fields?: ReactNode;
  /** absent where the buttons are in the document's bar (step-bar.tsx) */
  buttons?: ReactNode;
  /** the bar shows the sum while the form is filled in */
  sums?: boolean;
}

export const StepForm = ({ action, hidden = {}, id, children, fields, buttons, sums }: StepFormProps) => (
  <form
    id={id}
    method="post"
    action={action}
    className="form"
    data-busy=""
    data-sums={sums ? '' : undefined}
    noValidate
  >
    <HiddenFields fields={hidden} />
    {children}
    {fields && <div className="fields">{fields}</div>}
    {buttons && <div className="form-actions">{buttons}</div>}
  </form>
);

export const HiddenFields = ({ fields }: { fields: Texts }) =>
  Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
