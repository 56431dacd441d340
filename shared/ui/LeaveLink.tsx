import type { AnchorHTMLAttributes } from 'react';
import { currentLanguage } from '../language.ts';
import { LinkButton } from './Button.tsx';

interface LeaveProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** the screen has nothing to save, so nothing is lost by leaving */
  savesNothing?: boolean;
}

/** In the mixed language, closing and cancelling have the same word. */
export const leaveLabel = (savesNothing = false) =>
  currentLanguage() !== 'es' ? 'Regresar' : savesNothing ? 'Cerrar' : 'Cancelar';

export const LeaveLink = ({ savesNothing, ...link }: LeaveProps) => (
  <LinkButton {...link}>{leaveLabel(savesNothing)}</LinkButton>
);
