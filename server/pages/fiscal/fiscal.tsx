import { Hono } from 'hono';
import { z } from 'zod';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { describeDaysUntil, formatDate, type PlainDate } from '../../../shared/dates.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import { type AppContext, type AppEnv, readSettingsOnce } from '../../http/session.ts';
import { formatMonthAndYear } from '../../services/balances/closing-tasks.ts';
import { resolveMonth } from '../../services/fiscal/cross-check.ts';
import { diotDueDay } from '../../services/fiscal/diot.ts';
import {
  FISCAL_STATE_LABELS,
  FISCAL_SUBJECTS,
  type FiscalCardSubject,
  fiscalPaths,
} from '../../services/fiscal/labels.ts';
import { type FiscalCard, readFiscalMonth } from '../../services/fiscal/month-cards.ts';
import { receiptDueDay } from '../../services/fiscal/receipts-due.ts';
import { monthField } from '../../shapes/fields.ts';
import { parseListQuery } from '../ui/list-layout.tsx';
import { putFirst } from '../ui/long-table.tsx';
import { crossCheckPages } from './cross-check.tsx';
import { showAccountingJournal } from './journal.tsx';
import { renderMonth } from './month-page.tsx';

const queryShape = z.strictObject({ mes: monthField('mes') });

export const fiscalPages = new Hono<AppEnv>({ strict: false })
  .get(pages.fiscal, (c) => showMonth(c))
  .get(fiscalPaths.journal, showAccountingJournal)
  .route('/', crossCheckPages);

async function showMonth(c: AppContext) {
  const { mes } = parseListQuery(c, queryShape);
  const today = c.get('today');
  const month = resolveMonth(mes, today);
  const { db, config } = c.get('deps');
  const settings = await readSettingsOnce(c);
  const cards = await readFiscalMonth(db, month, { today, timeZone: config.timeZone });
  return renderMonth(c, { title: 'Fiscal', page: pages.fiscal }, month, {
    hasFiles: false,
    lacksRfc: !settings.rfc,
    content: (
      <DataTable
        caption={`Lo fiscal de ${formatMonthAndYear(month)}`}
        columns={fiscalCardColumns(today, {
          rep: receiptDueDay(month.to),
          diot: diotDueDay(month, settings),
        })}
        rows={putFirst(cards, isUrgent).flatMap(toFiscalRows)}
        rowKey={({ card, part }) => [card.tema, part?.label].join(' ')}
        rowClass={({ card, part }) => (!part && card.pendientes.some(hasSum) ? 'joined' : undefined)}
      />
    ),
  });
}

type PendingPart = FiscalCard['pendientes'][number];

/** A row is a subject, or one of its pending parts that has a sum, so that all sums stand in one column. */
interface FiscalRow {
  card: FiscalCard;
  part?: PendingPart;
}

const hasSum = ({ totalCents = 0 }: PendingPart) => totalCents > 0;

const toFiscalRows = (card: FiscalCard): FiscalRow[] => [
  { card },
  ...card.pendientes.filter(hasSum).map((part) => ({ card, part })),
];

/** The payments that the 69-B list leaves pending may be all that its card counts; then their number is not repeated. */
function describePending({ label, noun, cuenta, isOfOtherMonths }: PendingPart, card: FiscalCard): string {
  if (noun) return pluralize(cuenta, ...noun);
  if (card.tema === 'lista69b' && cuenta === card.cuenta)
    return isOfOtherMonths ? 'Todos de otros meses' : 'Todos de este mes';
  return `${label}: ${formatCount(cuenta)}`;
}

const STATE_TONES = { abierto: 'neutral', pendientes: 'warn', cuadrado: 'done' } as const;

/** By subject: what the card counts, and the first thing to do in a month without loaded data. */
const CARD_TEXTS: Readonly<
  Record<FiscalCard['tema'], readonly [one: string, many: string, toBegin?: string]>
> = {
  cruce: ['CFDI en el SAT', 'CFDI en el SAT', 'Cargar los metadatos'],
  rep: ['pago sin REP', 'pagos sin REP', 'Pedir los REP'],
  lista69b: ['pago a Definitivos', 'pagos a Definitivos', 'Cargar la lista'],
  diot: ['pago del mes', 'pagos del mes'],
  retenciones: ['retención esperada', 'retenciones esperadas'],
  polizas: ['póliza', 'pólizas'],
};

const isUrgent = ({ pendientes }: FiscalCard) => pendientes.some((one) => one.isUrgent);

/** Missing receipts are "En plazo" while none is late, because "Abierto" would say too little. */
function StateChip(card: FiscalCard) {
  const { tema, estado, cuenta } = card;
  if (isUrgent(card)) return <Chip tone="danger">Urgente</Chip>;
  if (tema === 'rep' && estado === 'abierto' && cuenta > 0) return <Chip>En plazo</Chip>;
  return <Chip tone={STATE_TONES[estado]}>{FISCAL_STATE_LABELS[estado]}</Chip>;
}

const fiscalCardColumns = (
  today: PlainDate,
  dueDays: Partial<Record<FiscalCardSubject, PlainDate>>,
): Column<FiscalRow>[] => [
  {
    key: 'tema',
    label: 'Tema',
    card: 'title',
    render: ({ card: { tema, href }, part }) => !part && <a href={href}>{FISCAL_SUBJECTS[tema]}</a>,
    textBelow({ card: { tema, plazo }, part }) {
      if (part) return null;
      if (plazo)
        return `${plazo < today ? 'Terminó' : 'Hasta'} el ${formatDate(plazo)}, ${describeDaysUntil(plazo, today)}`;
      const due = dueDays[tema];
      return due ? `${tema === 'rep' ? 'Los de este mes, hasta' : 'Hasta'} el ${formatDate(due)}` : null;
    },
  },
  {
    key: 'estado',
    label: 'Estado',
    card: 'corner',
    render: ({ card, part }) => !part && <StateChip {...card} />,
  },
  {
    key: 'cuenta',
    label: 'Cantidad',
    align: 'end',
    card: 'half',
    cardLabel: () => '',
    render: ({ card, part }) =>
      part
        ? describePending(part, card)
        : (card.falta ?? pluralize(card.cuenta, CARD_TEXTS[card.tema][0], CARD_TEXTS[card.tema][1])),
  },
  {
    ...{ key: 'total', label: 'Total', align: 'end', card: 'half' },
    render({ card, part }) {
      const { totalCents = 0, href } = part ?? card;
      const isUnknown = !part && card.falta !== undefined;
      return <Money cents={totalCents} dash={isUnknown} href={totalCents > 0 ? href : undefined} />;
    },
  },
  {
    key: 'pendientes',
    label: 'Por hacer',
    card: 'line',
    cardLabel: () => '',
    className: 'wraps',
    render({ card, part }) {
      const { tema, href: own, estado, pendientes } = card;
      const toBegin = CARD_TEXTS[tema][2];
      if (pendientes.length === 0 && estado === 'abierto' && toBegin) return <a href={own}>{toBegin}</a>;
      const listed = part ? [] : pendientes.filter((one) => !hasSum(one));
      return listed.map((one, index) => (
        <span key={one.label}>
          {index > 0 && ' · '}
          {/* a link is never cut in two, only the line between two of them */}
          <a href={one.href}>{describePending(one, card).replaceAll(' ', '\u00a0')}</a>
        </span>
      ));
    },
  },
];
