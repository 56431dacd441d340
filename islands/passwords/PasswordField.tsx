import { type RefObject, useState } from 'react';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';

interface PasswordFieldProps {
  name: string;
  value: string;
  input: RefObject<HTMLInputElement | null>;
  canCopy: boolean;
  hint?: string;
  error?: string;
  placeholder?: string;
  focus?: boolean;
}

/** A generated password can be read, copied and posted, but not edited. */
export function PasswordField(props: PasswordFieldProps) {
  const { name, value, input, canCopy, hint, error, placeholder, focus } = props;
  const [copied, setCopied] = useState(false);
  return (
    <Field name={name} label="Contraseña" hint={hint} error={error}>
      <div className="picker">
        <input
          ref={input}
          id={name}
          name={name}
          className="control secret"
          defaultValue={value}
          readOnly
          // biome-ignore lint/a11y/noAutofocus: scrolls to a password that was just set, and is shown only once
          autoFocus={focus}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          aria-describedby={hint || error ? `${name}-note` : undefined}
          aria-invalid={error ? true : undefined}
        />
        {canCopy && (
          <Button
            type="button"
            className="needs-script"
            icon={copied ? 'check' : 'copy'}
            onClick={async () => setCopied(await copyText(input.current))}
          >
            {copied ? 'Copiada' : 'Copiar'}
          </Button>
        )}
      </div>
      <span className="visually-hidden" role="status">
        {copied && 'Se copió la contraseña.'}
      </span>
    </Field>
  );
}

/** Over plain http browsers offer only the old clipboard command. */
async function copyText(input: HTMLInputElement | null): Promise<boolean> {
  if (!input) return false;
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.select();
    return document.execCommand('copy');
  }
}
