import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

interface DisclosureProps {
  summary: ReactNode;
  label?: string;
  isOpen?: boolean;
  children: ReactNode;
}

export const Disclosure = ({ summary, label, isOpen, children }: DisclosureProps) => (
  // The browser may have opened it before hydration.
  <details className="disclosure" open={isOpen} suppressHydrationWarning>
    <summary aria-label={label}>
      <Icon name="chevron" />
      {summary}
    </summary>
    {children}
  </details>
);
