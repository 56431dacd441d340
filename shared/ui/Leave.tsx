import type { AnchorHTMLAttributes } from 'react';
import { language } from '../language.ts';
import { LinkButton } from './Button.tsx';

interface LeaveProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** the screen has nothing to save, so nothing is given up */
  closes?: boolean;
}

/** The way out of a screen: Cancelar leaves a form without saving, Cerrar what saves nothing; mixto has one word for both. */
export const Leave = ({ closes, ...link }: LeaveProps) => (
  <LinkButton {...link}>{language() !== 'es' ? 'Regresar' : closes ? 'Cerrar' : 'Cancelar'}</LinkButton>
);
