import type { ReactNode } from 'react';
import type { DomainError } from '../../../shared/errors.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { HiddenFields } from './record-form.tsx';

/** What the forms of invoices and payments are made of. */
interface AmountsFormProps {
  id: string;
  action: string;
  /** posted along: version, idempotencyKey */
  hidden: Readonly<Record<string, string>>;
  /** which module of islands/forms/ follows what is typed, and what it has to know */
  live: 'invoice' | 'payment';
  data: object;
  /** the button that saves and goes on with another one */
  next?: string;
  /** where "Regresar" leads */
  back: string;
  children: ReactNode;
}

/** It is the browser that posts it; script computes while something is typed and opens the pickers' dialogs. */
export function AmountsForm({ id, action, hidden, live, data, next, back, children }: AmountsFormProps) {
  return (
    <form
      id={id}
      method="post"
      action={action}
      className="form with-amounts"
      data-busy=""
      data-live={live}
      data-known={JSON.stringify(data)}
      noValidate
    >
      <HiddenFields fields={hidden} />
      {/* Before every other button, so that Enter saves; the visible Guardar stands at the end. */}
      <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
        Guardar
      </button>
      {children}
      <div className="form-actions">
        <Button look="primary">Guardar</Button>
        {next && (
          <Button name="another" value="1">
            {next}
          </Button>
        )}
        <LinkButton href={back} data-back="">
          Regresar
        </LinkButton>
      </div>
    </form>
  );
}

/** A computed figure, set below those that it comes from; an <output> is never posted. */
export function Sum(props: {
  name: string;
  label: string;
  cents: Cents | undefined;
  error?: string;
  isTotal?: boolean;
}) {
  const { name, label, cents, error, isTotal } = props;
  return (
    <div className={isTotal ? 'sum total' : 'sum'}>
      <label className="label" htmlFor={name}>
        {label}
      </label>
      <output id={name} name={name} className="money">
        {cents === undefined ? '–' : formatMoney(cents)}
      </output>
      {error && (
        <div className="field-error">
          <Icon name="warning" />
          {error}
        </div>
      )}
    </div>
  );
}

/**
 * What stands beside the fields. The alert above says the whole sentence; a field that it is about says what is
 * the matter with this one.
 */
export function fieldErrors(
  problem: DomainError | undefined,
  required: string,
  typed: Readonly<Record<string, string>>,
  shorter: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problem?.fields ?? {}).map(([name, message]) => {
      const missing =
        Number(typed[name]) === 0 && typed[name]?.trim() ? 'Debe ser mayor que cero.' : 'Falta.';
      return [name, message === required ? missing : (shorter[message] ?? message)];
    }),
  );
}
