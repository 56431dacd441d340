import type { ReactNode } from 'react';
import type { FieldTexts } from './record-fields.tsx';

interface StepFormProps {
  action: string;
  /** hidden fields: version, idempotencyKey */
  hidden?: FieldTexts;
  id?: string;
  children?: ReactNode;
  fields?: ReactNode;
  /** absent where the buttons are in the page's step bar (step-bar.tsx) */
  buttons?: ReactNode;
  /** the step bar shows the sum of the form's amounts while the user types */
  updatesSum?: boolean;
}

export const StepForm = ({
  action,
  hidden = {},
  id,
  children,
  fields,
  buttons,
  updatesSum,
}: StepFormProps) => (
  <form
    id={id}
    method="post"
    action={action}
    className="form"
    data-busy=""
    data-sums={updatesSum ? '' : undefined}
    noValidate
  >
    <HiddenFields fields={hidden} />
    {children}
    {fields && <div className="fields">{fields}</div>}
    {buttons && <div className="form-actions">{buttons}</div>}
  </form>
);

/** A field with several values is posted several times. */
export type HiddenTexts = Readonly<Record<string, string | readonly string[] | undefined>>;

export const HiddenFields = ({ fields }: { fields: HiddenTexts }) =>
  Object.entries(fields).flatMap(([name, values]) =>
    [values]
      .flat()
      .map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
  );
