import type { AnchorHTMLAttributes } from 'react';
import { language } from '../language.ts';
import { LinkButton } from './Button.tsx';

interface LeaveProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** the screen has nothing to save, so leaving gives nothing up */
  closes?: boolean;
}

/** Cancelar leaves a form without saving, Cerrar a screen that saves nothing; mixto has one word for both. */
export const leaveWord = (closes = false) =>
  language() !== 'es' ? 'Regresar' : closes ? 'Cerrar' : 'Cancelar';

export const Leave = ({ closes, ...link }: LeaveProps) => (
  <LinkButton {...link}>{leaveWord(closes)}</LinkButton>
);
