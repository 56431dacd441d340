import { useEffect, useRef } from 'react';
import { generatePassword } from '../shared/passwords.ts';
import { PasswordField } from './passwords/PasswordField.tsx';

interface NewPasswordProps {
  /** an existing password, to show and copy; without it one is generated */
  value?: string;
  hint?: string;
  error?: string;
}

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
