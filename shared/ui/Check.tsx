import type { ReactNode } from 'react';

interface CheckProps {
  name: string;
  checked?: boolean;
  /** focus on arrival */
  focus?: boolean;
  children: ReactNode;
}

/** A box to tick, with what it says yes to. */
export const Check = ({ name, checked, focus, children }: CheckProps) => (
  <label className="check">
    <input
      type="checkbox"
      name={name}
      defaultChecked={checked}
      // biome-ignore lint/a11y/noAutofocus: it is what a message asks about
      autoFocus={focus}
    />
    {children}
  </label>
);
