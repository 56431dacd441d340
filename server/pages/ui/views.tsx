import { setTimeout as delay } from 'node:timers/promises';
import type { ReactNode } from 'react';
import { formatCount } from '../../../shared/counts.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { withQuery } from '../../../shared/urls.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import type { FilterValues } from '../../lists/filter.ts';
import type { List, ListSum } from '../../lists/list.ts';
import { asOfDay, findView, listViews, splitOrder, type View, viewAddress } from '../../lists/views.ts';
import { leftWith, ownViews } from '../../services/preferences/list-views.ts';
import { type Choices, readChoices, setPreference } from '../../services/preferences/preferences.ts';

/** Draws the list's views and the user's own. @param listSum the sum of the first view, where that is known */
export async function renderViewLinks(
  c: AppContext,
  list: List,
  query: object,
  listSum?: ListSum,
): Promise<ReactNode> {
  const { filter, order } = splitOrder(query);
  const choices = await readChoices(c.get('deps').db, requireSession(c).userId);
  const views = viewsFor(c, list, choices, filter);
  const current = findView(list, views, filter);
  const sums: (ListSum | undefined)[] = [];
  for (const view of views) sums.push((view === views[0] && listSum) || (await sumView(c, list, view)));
  // A firm without any rows is told what the list is for instead.
  if (sums[0]?.count === 0 && !asOfDay(list, filter)) return null;
  const more = withQuery(viewsPage(list.page), { ...filter, ...order });
  return (
    <nav className="views" aria-label="Vistas">
      <ul>
        {views.map((view, index) => (
          <li key={view.name}>
            <a href={viewAddress(list, view)} aria-current={view === current ? 'page' : undefined}>
              <span>
                {view.label} {sums[index] && <b>{formatCount(sums[index].count)}</b>}
              </span>
              {sums[index] && <Money cents={sums[index].cents} />}
            </a>
          </li>
        ))}
        <li>
          <LinkButton href={more} look="quiet" icon="plus" data-follow-filter="">
            <span className="roomy">Guardar vista</span>
          </LinkButton>
        </li>
      </ul>
    </nav>
  );
}

export const viewsPage = (list: string): string => `${list}/vistas`;

const viewsFor = (c: AppContext, list: List, choices: Choices, filter: View['filter']): View[] =>
  listViews(list, choices(ownViews(list.page)) ?? [], c.get('today'), filter);

const WRITE_WAIT_MS = 200;

/**
 * Remembers the view that the user looks at, for the menu to lead back to, but not the bare address, to which many
 * links lead. A reader does not wait for a long write, and a reader of a snapshot writes nothing.
 */
export async function rememberLastView(c: AppContext, list: List, query: object): Promise<void> {
  const { filter, order } = splitOrder(query);
  const isBare = new URL(c.req.url).search === '';
  const { db } = c.get('deps');
  if (db.isTransaction || isBare || c.req.method !== 'GET' || Object.hasOwn(query, 'cursor')) return;
  const views = viewsFor(c, list, await readChoices(db, requireSession(c).userId), filter);
  const { name } = findView(list, views, filter) ?? views[0]!;
  const lastView = { view: name, ...order };
  const saving = setPreference(db, requireSession(c).userId, leftWith(list.page), lastView);
  await Promise.race([saving.catch(() => {}), delay(WRITE_WAIT_MS, undefined, { ref: false })]);
}

async function sumView(c: AppContext, list: List, { filter }: View): Promise<ListSum | undefined> {
  const { db, config } = c.get('deps');
  const day = { today: c.get('today'), timeZone: config.timeZone };
  return list.sum?.(filter as FilterValues<List['filters']>, { db, now: c.get('now'), ...day });
}
