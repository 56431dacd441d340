import { setTimeout as delay } from 'node:timers/promises';
import type { ReactNode } from 'react';
import { formatCount } from '../../../shared/counts.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { withQuery } from '../../../shared/urls.ts';
import { type AppContext, readPreferencesOnce, requireSession } from '../../http/session.ts';
import type { FilterValues } from '../../lists/filter.ts';
import type { List, ListSum } from '../../lists/list.ts';
import {
  findView,
  listViews,
  readAsOfDay,
  splitFilterAndOrder,
  type View,
  viewHref,
} from '../../lists/views.ts';
import { lastListStatePreference, userViewsPreference } from '../../services/preferences/list-views.ts';
import { type PreferenceReader, setPreference } from '../../services/preferences/preferences.ts';

/** @param firstViewSum the sum of the first view, if known */
export async function renderViewLinks(
  c: AppContext,
  list: List,
  query: object,
  firstViewSum?: ListSum,
): Promise<ReactNode> {
  const { filter, order } = splitFilterAndOrder(query);
  const choices = await readPreferencesOnce(c);
  const views = viewsFor(c, list, choices, filter);
  const current = findView(list, views, filter);
  const sums = await Promise.all(
    views.map((view) => (view === views[0] && firstViewSum) || sumView(c, list, view)),
  );
  // An empty list has no links to views; it shows a text about its purpose instead.
  if (sums[0]?.count === 0 && !sums[0].note && !readAsOfDay(list, filter)) return null;
  const more = withQuery(viewsPath(list.page), { ...filter, ...order });
  return (
    <nav className="views" aria-label="Vistas">
      <ul>
        {views.map((view, index) => (
          <li key={view.name}>
            <a href={viewHref(list, view)} aria-current={view === current ? 'page' : undefined}>
              <span>
                {view.label} {sums[index] && <b>{formatCount(sums[index].count)}</b>}
              </span>
              {sums[index] && (
                <span>
                  <Money cents={sums[index].cents} /> <span className="roomy">{sums[index].note}</span>
                </span>
              )}
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

export const viewsPath = (list: string): string => `${list}/vistas`;

const viewsFor = (c: AppContext, list: List, choices: PreferenceReader, filter: View['filter']): View[] =>
  listViews(list, choices(userViewsPreference(list.page)) ?? [], c.get('today'), filter);

const MAX_WRITE_WAIT_MS = 200;

/**
 * Stores the view that the user looks at, so that the menu links to it. An address without parameters is not stored,
 * because many links lead there. The page waits only briefly for the write, and nothing is written within a snapshot.
 */
export async function rememberLastView(c: AppContext, list: List, query: object): Promise<void> {
  const { filter, order } = splitFilterAndOrder(query);
  const isBare = new URL(c.req.url).search === '';
  const { db } = c.get('deps');
  if (db.isTransaction || isBare || c.req.method !== 'GET' || Object.hasOwn(query, 'cursor')) return;
  const choices = await readPreferencesOnce(c);
  const views = viewsFor(c, list, choices, filter);
  const { name } = findView(list, views, filter) ?? views[0]!;
  const lastView = { view: name, ...order };
  const preference = lastListStatePreference(list.page);
  if (JSON.stringify(choices(preference)) === JSON.stringify(lastView)) return;
  const saving = setPreference(db, requireSession(c).userId, preference, lastView);
  c.set('preferences', undefined);
  await Promise.race([saving.catch(() => {}), delay(MAX_WRITE_WAIT_MS, undefined, { ref: false })]);
}

async function sumView(c: AppContext, list: List, { filter }: View): Promise<ListSum | undefined> {
  const { db, config } = c.get('deps');
  const day = { today: c.get('today'), timeZone: config.timeZone };
  return list.sum?.(filter as FilterValues<List['filters']>, { db, now: c.get('now'), ...day });
}
