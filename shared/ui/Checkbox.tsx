import type { ReactNode } from 'react';

interface CheckboxProps {
  name: string;
  value?: string | number;
  checked?: boolean;
  focus?: boolean;
  form?: string;
  describedBy?: string;
  /** the cents that it adds to the sum in the form's bar while it is checked (islands/drafts/sums.ts) */
  'data-cents'?: number;
  children: ReactNode;
}

export const Checkbox = ({
  name,
  value,
  checked,
  focus,
  form,
  describedBy,
  children,
  ...data
}: CheckboxProps) => (
  <label className="check">
    <input
      type="checkbox"
      name={name}
      value={value}
      form={form}
      defaultChecked={checked}
      // biome-ignore lint/a11y/noAutofocus: set only where a message on the page asks to tick it
      autoFocus={focus}
      aria-describedby={describedBy}
      {...data}
    />
    {children}
  </label>
);
