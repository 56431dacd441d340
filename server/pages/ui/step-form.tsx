import type { ReactNode } from 'react';
import type { Texts } from './record-fields.tsx';

interface StepFormProps {
  action: string;
  /** posted along: version, idempotencyKey */
  hidden?: Texts;
  /** of controls that belong to it and stand elsewhere */
  id?: string;
  /** above the fields */
  children?: ReactNode;
  fields?: ReactNode;
  /** none where they stand in the bar of the document (step-bar.tsx) */
  buttons?: ReactNode;
  /** the bar says what it comes to while it is filled in */
  sums?: boolean;
}

/** The form of one step of a document: what it asks for, and the button that takes it. */
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
