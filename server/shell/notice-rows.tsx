import type { ReactNode } from 'react';
import { formatCount, pluralize } from '../../shared/counts.ts';
import { ESTIMATED_MARK } from '../../shared/invoices-due.ts';
import { type Cents, formatMoney } from '../../shared/money.ts';
import { formatHeldSum } from '../../shared/payment-batches.ts';
import { DateText } from '../../shared/ui/DateText.tsx';
import { Icon, type IconName } from '../../shared/ui/Icon.tsx';
import { pages, withQuery } from '../../shared/urls.ts';
import type { Notice, NoticeKey } from '../services/notices/notice.ts';
import type { Task } from '../services/notices/tasks.ts';

interface TaskAndNoticeRowsProps<One extends Notice> {
  tasks: readonly Task[];
  notices: readonly One[];
  actions?: (notice: One) => ReactNode;
  /** whether the page explains the mark of sums with estimated days, as the bell does not */
  explainsMark?: boolean;
}

/** If more accounts than this wait for confirmation, one row with a link to their list replaces them. */
const MAX_ACCOUNT_TASKS = 5;

const MAX_TASKS = 20;

export function TaskAndNoticeRows<One extends Notice>({
  tasks,
  notices,
  actions,
  explainsMark = actions !== undefined,
}: TaskAndNoticeRowsProps<One>) {
  const [overdue, week] = ['vencidas', 'esta-semana'].map((key) => notices.find((one) => one.key === key));
  const shownNotices = overdue && week ? notices.filter((one) => one !== week) : notices;
  const labelOf = ({ label }: Notice) => (explainsMark ? label : label.replace(ESTIMATED_MARK, ''));
  const foldedTasks = foldAccountTasks(tasks);
  const shownTasks = actions ? foldedTasks : foldedTasks.slice(0, MAX_TASKS);
  const hidden = foldedTasks.length - shownTasks.length;
  if (tasks.length + shownNotices.length === 0) return null;
  return (
    <ul className="notice-rows">
      {shownTasks.map((task) => (
        <li key={`${task.kind} ${task.id}`}>
          <Icon name={TASK_ICONS[task.kind]} className="tone-info" />
          <div>
            <a href={task.href}>
              <RowSum cents={task.cents} />
              {task.label}
              {task.heldCents > 0 && <small>{formatHeldSum(task)}</small>}
              {/* A line of its own: lines that wrap elsewhere once the typeface arrives would move the rows below. */}
              <small>
                {task.cents !== null && <DateText date={task.day} />}
                {task.cents !== null && task.kind !== 'pagar' && ' · '}
                {task.kind !== 'pagar' && describeWait(task)}
              </small>
            </a>
          </div>
          {!actions && ROW_CHEVRON}
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <Icon name="check" className="tone-info" />
          <div>
            <a href={pages.notices}>{pluralize(hidden, 'firma o pago más', 'firmas o pagos más')}</a>
          </div>
        </li>
      )}
      {shownNotices.map((notice) => (
        <li key={notice.label}>
          <Icon name={NOTICE_ICONS[notice.key]} className={`tone-${notice.tone}`} />
          <div>
            <a href={notice.href}>
              <RowSum cents={notice.cents} />
              {labelOf(notice)}
              {notice.detail && <small>{notice.detail}</small>}
            </a>
            {notice === overdue && week && (
              <a href={week.href}>
                <small>{labelOf(week)}</small>
              </a>
            )}
          </div>
          {actions ? actions(notice) : ROW_CHEVRON}
        </li>
      ))}
    </ul>
  );
}

/** The sum comes first in its row, because it floats to the end of the line. */
const RowSum = ({ cents }: { cents?: Cents | null }) =>
  typeof cents === 'number' && <b>{formatMoney(cents)} </b>;

const ROW_CHEVRON = <Icon name="chevron" className="soft" />;

const describeWait = ({ waitingDays }: Task): string =>
  waitingDays > 0 ? `espera desde hace ${pluralize(waitingDays, 'día', 'días')}` : 'espera desde hoy';

function foldAccountTasks(tasks: readonly Task[]): readonly Task[] {
  const [oldest, ...others] = tasks.filter(({ kind }) => kind === 'cuenta');
  if (!oldest || others.length < MAX_ACCOUNT_TASKS) return tasks;
  const label = `Confirmar ${formatCount(others.length + 1)} cuentas de proveedores`;
  const all = { ...oldest, label, href: withQuery(pages.accounts, { estado: 'por-confirmar' }) };
  return tasks.flatMap((task) => (task === oldest ? all : task.kind === 'cuenta' ? [] : task));
}

const TASK_ICONS: Record<Task['kind'], IconName> = {
  programacion: 'check',
  reposicion: 'cash',
  apertura: 'cash',
  aumento: 'cash',
  cuenta: 'users',
  plantilla: 'file',
  pagar: 'pay',
};

const NOTICE_ICONS: Record<NoticeKey, IconName> = {
  vencidas: 'warning',
  'esta-semana': 'calendar',
  parecidas: 'copy',
  dobles: 'copy',
  cancelados: 'file',
  lista69b: 'tax',
  rep: 'file',
  comprobar: 'camera',
  movimientos: 'fund',
  respaldo: 'settings',
  cierre: 'lock',
  firmas: 'users',
  controles: 'lock',
};
