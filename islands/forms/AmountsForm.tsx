import type { FormEventHandler, ReactNode, Ref } from 'react';
import { type Cents, formatMoney } from '../../shared/money.ts';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { FieldNote } from '../../shared/ui/Field.tsx';

export interface AmountsFormServerProps {
  id: string;
  action: string;
  hidden: Readonly<Record<string, string>>;
  next?: string;
  back: string;
  leave: string;
}

interface AmountsFormClientProps {
  ref: Ref<HTMLFormElement>;
  onInput?: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
}

export function AmountsForm({
  ref,
  onInput,
  children,
  ...form
}: AmountsFormServerProps & AmountsFormClientProps) {
  const { id, action, hidden, next, back, leave } = form;
  return (
    <form
      ref={ref}
      id={id}
      method="post"
      action={action}
      className="form with-amounts"
      data-busy=""
      noValidate
      onInput={onInput}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {/* Comes before every other button, so that Enter saves; the visible Guardar is at the end. */}
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
        <LinkButton href={back} data-back="" suppressHydrationWarning>
          {leave}
        </LinkButton>
      </div>
    </form>
  );
}

export function ComputedAmount(props: {
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
      <FieldNote error={error} />
    </div>
  );
}
