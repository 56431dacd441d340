import { useEffect, useRef } from 'react';
import { generatePassword } from '../shared/passwords.ts';
import { PasswordField } from './passwords/PasswordField.tsx';

interface NewPasswordProps {
  /** an existing one, to show and copy; without it one is generated here */
  value?: string;
  hint?: string;
  error?: string;
}

/** A new user's password is made in the browser, or on the server where that does not happen. */
export default function NewPassword({ value = '', hint, error }: NewPasswordProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current && !input.current.value) input.current.value = generatePassword();
  }, []);
  return (
    <PasswordField
      name="password"
      value={value}
      input={input}
      canCopy
      hint={hint}
      error={error}
      placeholder="Se genera al guardar"
    />
  );
}
