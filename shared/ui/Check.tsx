import type { ReactNode } from 'react';

interface CheckProps {
  name: string;
  checked?: boolean;
  /** focus on arrival */
  focus?: boolean;
  /** of the form that it belongs to, where it stands outside of it */
  form?: string;
  children: ReactNode;
}

/** A box to tick, with what it says yes to. */
export const Check = ({ name, checked, focus, form, children }: CheckProps) => (
  <label className="check">
    <input
      type="checkbox"
      name={name}
      form={form}
      defaultChecked={checked}
      // biome-ignore lint/a11y/noAutofocus: it is what a message asks about
      autoFocus={focus}
    />
    {children}
  </label>
);
