import type { ReactNode } from 'react';

type ChipTone = 'neutral' | 'accent' | 'danger' | 'warn' | 'done';

export function Chip({ tone = 'neutral', children }: { tone?: ChipTone; children: ReactNode }) {
  return <span className={`chip ${tone}`}>{children}</span>;
}

const STATUSES = {
  pagada: { label: 'Pagada', tone: 'done', mark: 'full' },
  vencida: { label: 'Vencida', tone: 'danger', mark: 'late' },
  parcial: { label: 'Parcial', tone: 'accent', mark: 'half' },
  pendiente: { label: 'Pendiente', tone: 'neutral', mark: 'open' },
} as const;

export type StatusName = keyof typeof STATUSES;

interface StatusChipProps {
  status: StatusName;
  /** instead of the status's name, such as "Vence en 5 días (SEM 48)" */
  text?: string;
  /** the same where room is short; the whole is heard then, and the title says it */
  short?: string;
  /** due within days: amber, unless it is paid or overdue already */
  soon?: boolean;
}

/** The mark's shape tells the status apart from the others without its colour. */
export function StatusChip({ status, text, short, soon = false }: StatusChipProps) {
  const { label, tone, mark } = STATUSES[status];
  const urgent = soon && (status === 'parcial' || status === 'pendiente');
  return (
    <Chip tone={urgent ? 'warn' : tone}>
      <span className={`mark ${mark}`} />
      {short ? (
        <span className="shorter" data-short={short} title={text}>
          <span>{text}</span>
        </span>
      ) : (
        (text ?? label)
      )}
    </Chip>
  );
}
