import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { pages } from '../../shared/urls.ts';
import type { NoticeKey } from '../services/notices/notice.ts';
import type { ToldNotice } from './view.ts';

/** What a notice says, and where it leads. */
export const NoticeLink = ({ notice: { href, label, tone } }: { notice: ToldNotice }) => (
  <a href={href}>
    <Icon name={tone === 'info' ? 'check' : 'warning'} className={`tone-${tone}`} />
    {label}
  </a>
);

/** For a day, or for what it is about now; what is under way right now is not put off. */
export function PutOff({ notice: { key, label, newest } }: { notice: ToldNotice }) {
  if (key === 'importando') return null;
  return (
    <form method="post" action={pages.putOffNotice} className="actions" aria-label={`Posponer: ${label}`}>
      <input type="hidden" name="aviso" value={key} />
      <input type="hidden" name="dia" value={newest.day} />
      <input type="hidden" name="id" value={newest.id} />
      <Button look="quiet" name="hasta" value="manana" aria-label={`Posponer un día: ${label}`}>
        Posponer un día
      </Button>
      <Button look="quiet" name="hasta" value="otra" aria-label={`Posponer ${UNTIL[key]}: ${label}`}>
        Posponer {UNTIL[key]}
      </Button>
    </form>
  );
}

/** Until when its rows are put off, which is as long as they are all. */
const UNTIL: Record<NoticeKey, string> = {
  vencidas: 'hasta que venza otra',
  'esta-semana': 'hasta que haya otra',
  importando: '',
  parecidas: 'hasta que haya otra',
  rep: 'hasta que haya otro',
  respaldo: 'hasta el siguiente',
  cierre: 'este mes',
};
