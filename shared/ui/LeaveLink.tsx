import type { AnchorHTMLAttributes } from 'react';
import { currentLanguage } from '../language.ts';
import { LinkButton } from './Button.tsx';

interface LeaveProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** the screen has nothing to save, so nothing is lost by leaving */
  closes?: boolean;
}

/** In the mixed language, closing and cancelling have the same word. */
export const leaveLabel = (closes = false) =>
  currentLanguage() !== 'es' ? 'Regresar' : closes ? 'Cerrar' : 'Cancelar';

export const LeaveLink = ({ closes, ...link }: LeaveProps) => (
  <LinkButton {...link}>{leaveLabel(closes)}</LinkButton>
);
