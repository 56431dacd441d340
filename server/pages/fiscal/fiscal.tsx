import { Hono } from 'hono';
import { z } from 'zod';
import { formatCount } from '../../../shared/counts.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import {
  type Cross,
  crossStateOf,
  type MonthState,
  monthIn,
  PENDING_GROUPS,
} from '../../services/fiscal/cross.ts';
import { CROSS_LABELS } from '../../services/fiscal/labels.ts';
import { monthField } from '../../shapes/fields.ts';
import { renderPage } from '../../shell/render.tsx';
import { parseListQuery } from '../ui/lists.tsx';
import { CROSS_TITLE, crossAddress, crossPages, readMonth } from './cross.tsx';
import { MonthLinks, monthParameter, nameOf, RfcMissing } from './months.tsx';

const shape = z.strictObject({ mes: monthField('mes') });

export const fiscalPages = new Hono<AppEnv>({ strict: false })
  .get(pages.fiscal, (c) => showMonth(c))
  .route('/', crossPages);

async function showMonth(c: AppContext) {
  const { mes } = parseListQuery(c, shape);
  const month = monthIn(mes, c.get('today'));
  const cross = await readMonth(c, month);
  return renderPage(
    c,
    { title: 'Fiscal', subject: nameOf(month) },
    <div className="stack">
      <MonthLinks month={month} page={pages.fiscal} />
      <section aria-labelledby="cruce">
        <h2 id="cruce">
          <a href={crossAddress(monthParameter(month))}>{CROSS_TITLE}</a>
        </h2>
        {cross ? <CrossCard cross={cross} /> : <RfcMissing />}
      </section>
    </div>,
  );
}

const CrossCard = ({ cross }: { cross: Cross }) => {
  const state = crossStateOf(cross);
  return (
    <>
      <p>
        <Chip tone={STATES[state].tone}>{STATES[state].label}</Chip> {formatCount(cross.sat.cuenta)} CFDI por{' '}
        <Money cents={cross.sat.totalCents} href={crossAddress(monthParameter(cross.month))} />
      </p>
      <ul>
        {PENDING_GROUPS.filter((name) => cross[name].cuenta > 0).map((name) => (
          <li key={name}>
            <a href={crossAddress(monthParameter(cross.month), name)}>
              {CROSS_LABELS[name]}: {formatCount(cross[name].cuenta)}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
};

const STATES = {
  abierto: { label: 'Abierto', tone: 'neutral' },
  pendientes: { label: 'Con pendientes', tone: 'warn' },
  cuadrado: { label: 'Cuadrado', tone: 'done' },
} as const satisfies Record<MonthState, unknown>;
