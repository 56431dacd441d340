import { mayEnter } from '../../../shared/roles.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';

/** Links administrators to the audit trail of one row or of all rows. @param entity kind of row, such as `payments` */
export function historyLink(c: AppContext, entity: string, entityId?: number) {
  if (!mayEnter('admin', c.get('session')?.roles ?? [])) return null;
  return (
    <LinkButton href={withQuery(pages.audit, { entity, entityId })} look="quiet" icon="history">
      <span className="roomy">Historial</span>
    </LinkButton>
  );
}
