import { clockTimeIn, formatDate, plainDateIn } from '../../../shared/dates.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { isSettingKey, settingDefinition } from '../../services/settings/definitions.ts';
import type { FormerValue } from '../../services/settings/former-values.ts';

interface FormerValuesProps {
  /** the setting's */
  name: string;
  changes: readonly FormerValue[] | undefined;
  timeZone: string;
}

/** Who changed it last, when, and from what to what; nothing of one that nobody ever changed. */
export function FormerValues({ name, changes, timeZone }: FormerValuesProps) {
  if (!changes) return null;
  return (
    <details className="disclosure said">
      <summary>
        <Icon name="chevron" />
        Valores anteriores
      </summary>
      <ul className="changes">
        {changes.map(({ at, username, before, after }) => {
          const moment = new Date(at);
          return (
            <li key={at + before + after}>
              <time dateTime={at}>
                {formatDate(plainDateIn(moment, timeZone))} {clockTimeIn(moment, timeZone)}
              </time>{' '}
              · {username}: {shown(name, before)} → {shown(name, after)}
            </li>
          );
        })}
      </ul>
      <a href={withQuery(pages.audit, { entity: 'settings', entityId: name })}>Ver en la bitácora</a>
    </details>
  );
}

/** As its control shows it. */
function shown(name: string, value: string): string {
  const { options } = (isSettingKey(name) && settingDefinition(name).control) || {};
  return options?.find((option) => option.value === value)?.label ?? (value || '—');
}
