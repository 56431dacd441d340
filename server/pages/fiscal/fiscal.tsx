import { Hono } from 'hono';
import { z } from 'zod';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { pages } from '../../../shared/urls.ts';
import { type AppContext, type AppEnv, readRequestSettings } from '../../http/session.ts';
import { nameOfMonth } from '../../services/balances/closing-tasks.ts';
import { resolveMonth } from '../../services/fiscal/cross.ts';
import { FISCAL_STATE_LABELS, FISCAL_SUBJECTS, fiscalPaths } from '../../services/fiscal/labels.ts';
import { type FiscalCard, readFiscalMonth } from '../../services/fiscal/month.ts';
import { monthField } from '../../shapes/fields.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { parseListQuery } from '../ui/list-layout.tsx';
import { crossPages } from './cross.tsx';
import { showJournal } from './journal.tsx';
import { renderMonth } from './months.tsx';

const shape = z.strictObject({ mes: monthField('mes') });

export const fiscalPages = new Hono<AppEnv>({ strict: false })
  .get(pages.fiscal, (c) => showMonth(c))
  .get(fiscalPaths.journal, showJournal)
  .route('/', crossPages);

async function showMonth(c: AppContext) {
  const { mes } = parseListQuery(c, shape);
  const today = c.get('today');
  const month = resolveMonth(mes, today);
  const { db, config } = c.get('deps');
  const { rfc } = await readRequestSettings(c);
  const cards = await readFiscalMonth(db, month, { today, timeZone: config.timeZone });
  return renderMonth(c, { title: 'Fiscal', page: pages.fiscal }, month, {
    hasFiles: false,
    lacksRfc: !rfc,
    content: (
      <DataTable
        caption={`Lo fiscal de ${nameOfMonth(month)}`}
        columns={COLUMNS}
        rows={cards}
        rowKey={({ tema }) => tema}
      />
    ),
  });
}

const STATE_TONES = { abierto: 'neutral', pendientes: 'warn', cuadrado: 'done' } as const;

/** Nouns of the things that a card counts, and the first thing to do for a month of which nothing is loaded yet. */
const WORDS: Readonly<Record<FiscalCard['tema'], readonly [one: string, many: string, toBegin?: string]>> = {
  cruce: ['CFDI', 'CFDI', 'Cargar los metadatos'],
  rep: ['pago', 'pagos', 'Pedir los REP'],
  lista69b: ['pago', 'pagos', 'Cargar la lista'],
  diot: ['pago', 'pagos'],
  retenciones: ['retención', 'retenciones'],
  polizas: ['póliza', 'pólizas'],
};

const COLUMNS: Column<FiscalCard>[] = [
  {
    key: 'tema',
    label: 'Tema',
    card: 'title',
    render: ({ tema, href }) => <a href={href}>{FISCAL_SUBJECTS[tema]}</a>,
  },
  {
    key: 'estado',
    label: 'Estado',
    card: 'corner',
    render: ({ tema, estado }) => (
      <Chip tone={tema === 'lista69b' && estado === 'pendientes' ? 'danger' : STATE_TONES[estado]}>
        {FISCAL_STATE_LABELS[estado]}
      </Chip>
    ),
  },
  {
    key: 'cuenta',
    label: 'Qué cuenta',
    align: 'end',
    card: 'half',
    cardLabel: () => '',
    render: ({ tema, cuenta }) => pluralize(cuenta, WORDS[tema][0], WORDS[tema][1]),
  },
  moneyColumn('total', 'Total', ({ totalCents }) => totalCents, { card: 'half' }),
  {
    key: 'pendientes',
    label: 'Por hacer',
    card: 'line',
    cardLabel: () => '',
    className: 'wraps',
    render: ({ tema, href: own, estado, pendientes }) => {
      const toBegin = WORDS[tema][2];
      if (pendientes.length === 0 && estado === 'abierto' && toBegin) return <a href={own}>{toBegin}</a>;
      return pendientes.map(({ label, cuenta, href }, index) => (
        <span key={label}>
          {index > 0 && ' · '}
          <a href={href}>
            {label}: {formatCount(cuenta)}
          </a>
        </span>
      ));
    },
  },
];
