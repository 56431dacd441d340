import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

interface SharedButtonProps {
  /** primary: the page's one main action; quiet: looks like a link; danger: destroys something */
  look?: 'primary' | 'quiet' | 'danger';
  icon?: IconName;
  /** tooltip; a button without children takes it as its accessible name */
  tip?: string;
  children?: ReactNode;
}

type ButtonProps = SharedButtonProps & ButtonHTMLAttributes<HTMLButtonElement> & { busy?: boolean };

/** A submit button unless `type` says otherwise, as in HTML. `busy` shows a spinner and disables it. */
export function Button({ look, icon, tip, busy, className, children, ...rest }: ButtonProps) {
  return (
    <button
      aria-label={accessibleName(children, tip)}
      data-tip={tip}
      aria-busy={busy || undefined}
      disabled={busy}
      {...rest}
      className={buttonClass(look, children, className)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type LinkButtonProps = SharedButtonProps & AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

export function LinkButton({ look, icon, tip, className, children, ...rest }: LinkButtonProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: href is required, so this is a link
    <a
      aria-label={accessibleName(children, tip)}
      data-tip={tip}
      {...rest}
      className={buttonClass(look, children, className)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

const accessibleName = (children: ReactNode, tip: string | undefined) => (children ? undefined : tip);

const buttonClass = (look: SharedButtonProps['look'], children: ReactNode, more = '') =>
  ['btn', look && `btn-${look}`, !children && 'btn-icon', more].filter(Boolean).join(' ');
