import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** what the list is for, or why nothing is shown */
  children: ReactNode;
  /** the first thing to do, as LinkButtons */
  action?: ReactNode;
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action && <div className="actions">{action}</div>}
    </div>
  );
}
