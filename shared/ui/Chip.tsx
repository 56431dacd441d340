import type { ReactNode } from 'react';

type ChipTone = 'neutral' | 'accent' | 'danger' | 'warn' | 'done';

interface ChipProps {
  tone?: ChipTone;
  mark?: 'open' | 'half' | 'full' | 'late';
  children: ReactNode;
}

export function Chip({ tone = 'neutral', mark, children }: ChipProps) {
  return (
    <span className={`chip ${tone}`}>
      {mark && <span className={`mark ${mark}`} />}
      {children}
    </span>
  );
}

const CHIP_BY_STATUS = {
  pagada: { label: 'Pagada', tone: 'done', mark: 'full' },
  vencida: { label: 'Vencida', tone: 'danger', mark: 'late' },
  parcial: { label: 'Parcial', tone: 'accent', mark: 'half' },
  pendiente: { label: 'Pendiente', tone: 'neutral', mark: 'open' },
} as const;

export type StatusName = keyof typeof CHIP_BY_STATUS;

interface StatusChipProps {
  status: StatusName;
  text?: string;
  /** a shorter text for narrow places; screen readers and the title get the full one */
  shortText?: string;
  /** due within a few days: amber, unless it is paid or overdue */
  isDueSoon?: boolean;
  /** overdue for longer than a few days: only the mark is red, so that in a list what is new stands out */
  isLongOverdue?: boolean;
}

export function StatusChip(props: StatusChipProps) {
  const { status, text, shortText, isDueSoon, isLongOverdue } = props;
  const { label, tone, mark } = CHIP_BY_STATUS[status];
  const urgent = isDueSoon && (status === 'parcial' || status === 'pendiente');
  const calm = isLongOverdue && status === 'vencida';
  return (
    <Chip tone={urgent ? 'warn' : calm ? 'neutral' : tone} mark={mark}>
      {shortText ? (
        <span className="shorter" data-short={shortText} title={text}>
          <span>{text}</span>
        </span>
      ) : (
        (text ?? label)
      )}
    </Chip>
  );
}
