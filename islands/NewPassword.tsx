import { useEffect, useRef } from 'react';
import { generatePassword } from '../shared/passwords.ts';
import { PasswordField } from './passwords/PasswordField.tsx';

interface NewPasswordProps {
  /** one that exists already, to be shown and copied; otherwise one is generated here */
  value?: string;
  hint?: string;
  error?: string;
}

/** The password of a new user, made in the browser; where that does not happen the server makes it. */
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
