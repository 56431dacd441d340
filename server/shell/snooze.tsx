import { Icon } from '../../shared/ui/Icon.tsx';
import { pages } from '../../shared/urls.ts';
import type { NoticeKey } from '../services/notices/notice.ts';
import type { ShownNotice } from './view.ts';

interface SnoozeProps {
  notice: ShownNotice;
  /** on a page: its buttons stand beside the notice, and look like those of pages */
  isOnPage?: boolean;
}

/** For a day, or for what the notice is about now. */
export function Snooze({ notice, isOnPage }: SnoozeProps) {
  const { key, label, newest } = notice;
  const look = isOnPage ? 'btn btn-quiet' : undefined;
  const form = (
    <form method="post" action={pages.snoozeNotice} className={isOnPage ? 'actions' : undefined}>
      <input type="hidden" name="aviso" value={key} />
      <input type="hidden" name="dia" value={newest.day} />
      <input type="hidden" name="id" value={newest.id} />
      <button type="submit" name="hasta" value="manana" className={look}>
        {isOnPage && 'Posponer '}hasta mañana
      </button>
      <button type="submit" name="hasta" value="otra" className={look}>
        {isOnPage && 'Posponer '}
        {UNTIL[key]}
      </button>
    </form>
  );
  if (isOnPage) return form;
  return (
    <details className="disclosure">
      <summary aria-label={`Posponer: ${label}`}>
        <Icon name="chevron" />
        Posponer
      </summary>
      {form}
    </details>
  );
}

/** Its rows are snoozed for as long as there are no others. */
const UNTIL: Record<NoticeKey, string> = {
  vencidas: 'hasta que venza otra',
  'esta-semana': 'hasta que haya otra',
  parecidas: 'hasta que haya otra',
  rep: 'hasta que falte otro',
  comprobar: 'hasta que venza otro',
  respaldo: 'hasta que haya otro y sea viejo',
  cierre: 'hasta el mes que sigue',
};
