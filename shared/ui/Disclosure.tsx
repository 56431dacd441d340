import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

interface DisclosureProps {
  summary: ReactNode;
  /** the accessible name, where the summary says too little by itself */
  label?: string;
  isOpen?: boolean;
  children: ReactNode;
}

/** Opens on request, with script or without. */
export const Disclosure = ({ summary, label, isOpen, children }: DisclosureProps) => (
  // The browser may have opened it before its island is ready.
  <details className="disclosure" open={isOpen} suppressHydrationWarning>
    <summary aria-label={label}>
      <Icon name="chevron" />
      {summary}
    </summary>
    {children}
  </details>
);
