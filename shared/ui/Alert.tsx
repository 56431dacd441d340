import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

const HEADING_BY_TONE = { error: 'Error', success: 'Hecho', warning: 'Aviso', info: 'Nota' } as const;

const ICON_BY_TONE = { error: 'warning', success: 'check', warning: 'warning', info: 'info' } as const;

interface AlertProps {
  tone: keyof typeof HEADING_BY_TONE;
  heading?: string;
  children: ReactNode;
  footer?: ReactNode;
  /** false where the alert must stay, such as one with a password that is shown only once */
  isDismissible?: boolean;
}

export function Alert({
  tone,
  heading = HEADING_BY_TONE[tone],
  children,
  footer,
  isDismissible = true,
}: AlertProps) {
  return (
    // islands/loader/page.ts moves the focus to a message of success or refusal.
    <div
      className={`alert ${tone}`}
      role={tone === 'error' ? 'alert' : 'status'}
      tabIndex={tone === 'success' || tone === 'error' ? -1 : undefined}
    >
      <Icon name={ICON_BY_TONE[tone]} />
      <div>
        <strong>{heading}</strong>
        <div>{children}</div>
        {footer}
      </div>
      {/* The loader hides the alert whose [data-dismiss] is pressed. */}
      {isDismissible && <Button type="button" icon="close" aria-label="Cerrar" data-dismiss="" />}
    </div>
  );
}
