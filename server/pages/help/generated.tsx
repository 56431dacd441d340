import type { ReactNode } from 'react';
import { SHORTCUTS, splitKeys } from '../../../islands/loader/shortcuts.ts';
import { StatusChip, type StatusName } from '../../../shared/ui/Chip.tsx';
import {
  SETTING_SUBJECTS,
  SETTINGS,
  type SettingSubject,
  settingKeysOf,
} from '../../services/settings/definitions.ts';
import { NEWS } from '../ui/news.ts';
import { ErrorCatalogue } from './errors.tsx';
import { BalanceExample } from './example.tsx';

const INVOICE_STATUS_MEANINGS: readonly [StatusName, string][] = [
  ['pagada', 'No queda nada pendiente.'],
  ['vencida', 'Queda saldo y el día en que vence ya pasó.'],
  ['parcial', 'Vence hoy o después y ya tiene algún pago.'],
  ['pendiente', 'Vence hoy o después y no tiene pagos.'],
];

/** Generated content of help pages by name: the paragraph "{teclas}" of a page is replaced by the member `teclas`. */
export const GENERATED_CONTENT: Readonly<Record<string, ReactNode>> = {
  ajustes: <SettingNames />,
  codigos: <ErrorCatalogue />,
  ejemplo: <BalanceExample />,
  estados: (
    <TermList
      terms={INVOICE_STATUS_MEANINGS.map(([status, meaning]) => [
        <StatusChip key={status} status={status} />,
        meaning,
      ])}
    />
  ),
  teclas: (
    <TermList
      terms={SHORTCUTS.map(([keys, does]) => [
        <span key={does} className="actions">
          {splitKeys(keys).map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>,
        does,
      ])}
    />
  ),
  versiones: <NewsByVersion />,
};

function SettingNames() {
  const subjects = Object.entries(SETTING_SUBJECTS) as [SettingSubject, string][];
  return (
    <ul>
      {subjects.map(([subject, title]) => {
        const labels = settingKeysOf(subject).map((key) => SETTINGS[key].label);
        return (
          labels.length > 0 && (
            <li key={subject}>
              <b>{title}</b>: {labels.join(', ')}.
            </li>
          )
        );
      })}
    </ul>
  );
}

function NewsByVersion() {
  return NEWS.map(({ version, points }) => (
    <div key={version}>
      <h2>Versión {version}</h2>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </div>
  ));
}

function TermList({ terms }: { terms: readonly (readonly [term: ReactNode, meaning: string])[] }) {
  return (
    <dl className="terms">
      {terms.map(([term, meaning]) => (
        <div key={meaning}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
