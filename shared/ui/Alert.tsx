import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

const HEADS = { error: 'Error', success: 'Hecho', warning: 'Aviso', info: 'Nota' } as const;

const ICONS = { error: 'warning', success: 'check', warning: 'warning', info: 'info' } as const;

interface AlertProps {
  tone: keyof typeof HEADS;
  head?: string;
  children: ReactNode;
  more?: ReactNode;
  /** false where the alert must stay, such as one with a password that is shown only once */
  dismissible?: boolean;
}

export function Alert({ tone, head = HEADS[tone], children, more, dismissible = true }: AlertProps) {
  return (
    // islands/loader/page.ts moves the focus to a message of success or refusal.
    <div
      className={`alert ${tone}`}
      role={tone === 'error' ? 'alert' : 'status'}
      tabIndex={tone === 'success' || tone === 'error' ? -1 : undefined}
    >
      <Icon name={ICONS[tone]} />
      <div>
        <strong>{head}</strong>
        <div>{children}</div>
        {more}
      </div>
      {/* The loader hides the alert whose [data-dismiss] is pressed. */}
      {dismissible && <Button type="button" icon="close" aria-label="Cerrar" data-dismiss="" />}
    </div>
  );
}
