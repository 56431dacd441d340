import type { ReactNode } from 'react';
import type { Cents } from '../../../shared/money.ts';

interface RowCheckboxProps {
  name: string;
  value: number | string;
  /** the name that screen readers read out */
  label: string;
  /** what the row adds to the sum of the ticked ones */
  cents?: Cents;
  /** id of the checkbox's form, if the table is outside of it */
  form?: string;
  checked?: boolean;
  children?: ReactNode;
}

export const RowCheckbox = ({ name, value, label, cents, form, checked, children }: RowCheckboxProps) => (
  <label className="tick">
    <input
      type="checkbox"
      form={form}
      name={name}
      value={value}
      data-cents={cents}
      defaultChecked={checked}
      aria-label={label}
    />
    {children}
  </label>
);
