import type { ReactNode } from 'react';
import { ESTIMATED_MARK } from '../../shared/invoices-due.ts';
import { sumAndHeldText } from '../../shared/payment-batches.ts';
import { DateText } from '../../shared/ui/DateText.tsx';
import { Icon, type IconName } from '../../shared/ui/Icon.tsx';
import type { Notice, NoticeKey } from '../services/notices/notice.ts';
import type { Task } from '../services/notices/tasks.ts';

interface NoticeRowsProps<One extends Notice> {
  tasks: readonly Task[];
  notices: readonly One[];
  actions?: (notice: One) => ReactNode;
}

export function NoticeRows<One extends Notice>({ tasks, notices, actions }: NoticeRowsProps<One>) {
  const [overdue, week] = ['vencidas', 'esta-semana'].map((key) => notices.find((one) => one.key === key));
  const rows = overdue && week ? notices.filter((one) => one !== week) : notices;
  // The mark of estimated days is left out in the bell, which does not explain it.
  const labelOf = ({ label }: Notice) => (actions ? label : label.replace(ESTIMATED_MARK, ''));
  if (tasks.length + rows.length === 0) return null;
  return (
    <ul className="notice-rows">
      {tasks.map(({ kind, label, href, day, ...sums }) => (
        <li key={href}>
          <Icon name={TASK_ICONS[kind]} className="tone-info" />
          <div>
            <a href={href}>
              {label}
              <small>
                {sumAndHeldText(sums.cents, sums)} · <DateText date={day} />
              </small>
            </a>
          </div>
        </li>
      ))}
      {rows.map((notice) => (
        <li key={notice.label}>
          <Icon name={ICONS[notice.key]} className={`tone-${notice.tone}`} />
          <div>
            <a href={notice.href}>{labelOf(notice)}</a>
            {notice === overdue && week && <a href={week.href}>{labelOf(week)}</a>}
          </div>
          {actions?.(notice)}
        </li>
      ))}
    </ul>
  );
}

const TASK_ICONS: Record<Task['kind'], IconName> = { autorizar: 'check', pagar: 'pay', reponer: 'cash' };

const ICONS: Record<NoticeKey, IconName> = {
  vencidas: 'warning',
  'esta-semana': 'calendar',
  parecidas: 'copy',
  rep: 'file',
  comprobar: 'camera',
  respaldo: 'settings',
  cierre: 'lock',
  firmas: 'users',
  controles: 'lock',
};
