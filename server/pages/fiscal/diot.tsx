import { Hono } from 'hono';
import { z } from 'zod';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { formatLongDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type AppContext, type AppEnv, readSettingsOnce } from '../../http/session.ts';
import { diotList } from '../../lists/reports.ts';
import { formatMonthAndYear } from '../../services/balances/closing-tasks.ts';
import { resolveMonth } from '../../services/fiscal/cross-check.ts';
import {
  countByCause,
  DIOT_COLUMNS,
  DIOT_OPERATIONS,
  type Diot,
  type DiotRow,
  diotDueDay,
  EXCLUSION_CAUSES,
  type ExclusionCause,
  readDiot,
  type UnreportedPayment,
} from '../../services/fiscal/diot.ts';
import { fiscalPaths } from '../../services/fiscal/labels.ts';
import { choiceField, monthField, wholeNumberField } from '../../shapes/fields.ts';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { parseListQuery } from '../ui/list-layout.tsx';
import { LongTable } from '../ui/long-table.tsx';
import { formatMonthParameter, renderMonth } from './month-page.tsx';

const MAX_NOT_REPORTED_ROWS = 25;

const queryShape = z.strictObject({
  mes: monthField('mes'),
  causa: choiceField('causa', keysOf(EXCLUSION_CAUSES)),
  desde: wholeNumberField('desde', 0, 1_000_000),
});

export const diotPages = new Hono<AppEnv>({ strict: false }).get(fiscalPaths.diot, (c) => showDiot(c));

async function showDiot(c: AppContext) {
  const { mes: asked, ...place } = parseListQuery(c, queryShape);
  const { db } = c.get('deps');
  const month = resolveMonth(asked, c.get('today'));
  const settings = await readSettingsOnce(c);
  const diot = settings.rfc ? await readDiot(db, month, settings) : undefined;
  const mes = formatMonthParameter(month);
  return renderMonth(c, diotList, month, {
    hasFiles: diot !== undefined && diot.pagadoCents > 0,
    actions: (
      <LinkButton
        look={diot?.noReportado.cuenta ? undefined : 'primary'}
        icon="export"
        href={withQuery(`/api${fiscalPaths.diot}/export.txt`, { mes })}
      >
        <span>
          TXT<span className="roomy"> para el SAT</span>
        </span>
      </LinkButton>
    ),
    lacksRfc: !diot,
    content: diot && (
      <>
        <p className="note">Se presenta a más tardar el {formatLongDate(diotDueDay(month, settings))}.</p>
        <DiotMonth diot={diot} mes={mes} {...place} />
      </>
    ),
  });
}

interface MonthProps {
  diot: Diot;
  mes: string;
  causa?: ExclusionCause;
  desde?: number;
}

function DiotMonth({ diot, mes, causa, desde = 0 }: MonthProps) {
  const { rows, noReportado, pagadoCents } = diot;
  if (pagadoCents === 0)
    return (
      <EmptyState
        title={`Nada se pagó en ${formatMonthAndYear(diot.month)}`}
        action={<LinkButton href={pages.payments}>Ir a los pagos</LinkButton>}
      >
        La DIOT se hace con lo pagado en el mes, no con lo facturado.
      </EmptyState>
    );
  const left = noReportado.rows.filter((row) => !causa || row.causa === causa);
  const part = left.slice(desde, desde + MAX_NOT_REPORTED_ROWS);
  const shown = desde + part.length;
  return (
    <>
      {noReportado.cuenta > 0 && (
        <Alert tone="warning" isDismissible={false}>
          No {noReportado.cuenta === 1 ? 'va' : 'van'} en el archivo{' '}
          <a href="#no-reportado">{pluralize(noReportado.cuenta, 'pago', 'pagos')}</a> por{' '}
          <Money cents={noReportado.totalCents} />.
        </Alert>
      )}
      <PaymentsReconciliation diot={diot} />
      <section aria-labelledby="reportado">
        <h2 id="reportado">Por proveedor</h2>
        {rows.length === 0 ? (
          <p>De nada de lo pagado se tiene el XML de su CFDI.</p>
        ) : (
          <DataTable caption="Por proveedor" columns={rowColumns(rows)} rows={rows} rowKey={rowKey} />
        )}
      </section>
      {noReportado.cuenta > 0 && (
        <section aria-labelledby="no-reportado" className="stack">
          <h2 id="no-reportado">
            No reportado: {formatCount(noReportado.cuenta)} por <Money cents={noReportado.totalCents} />
          </h2>
          <NotReportedCauses rows={noReportado.rows} mes={mes} causa={causa} />
          <LongTable
            id="no-reportados"
            shown={shown}
            total={left.length}
            noun={['pago', 'pagos']}
            href={withQuery(fiscalPaths.diot, { mes, causa, desde: shown })}
          >
            <DataTable
              caption="No reportado"
              columns={NOT_REPORTED_COLUMNS}
              rows={part}
              rowKey={({ tipo, id, causa: why }) => `${tipo} ${id} ${why}`}
              rowHref={({ href }) => href}
            />
          </LongTable>
        </section>
      )}
    </>
  );
}

function NotReportedCauses({
  rows,
  mes,
  causa,
}: Pick<MonthProps, 'mes' | 'causa'> & { rows: readonly UnreportedPayment[] }) {
  return (
    <ul>
      {countByCause(rows).map(({ causa: one, cuenta, totalCents }) => (
        <li key={one}>
          <a
            href={`${withQuery(fiscalPaths.diot, { mes, causa: one === causa ? undefined : one })}#no-reportado`}
            aria-current={one === causa || undefined}
          >
            {EXCLUSION_CAUSES[one]}: {formatCount(cuenta)}
          </a>{' '}
          por <Money cents={totalCents} />
        </li>
      ))}
    </ul>
  );
}

/** Reconciles the file's sum with the month's payments. */
function PaymentsReconciliation({ diot }: { diot: Diot }) {
  const { archivoCents, retenidoCents, notasCents, noReportado, redondeoCents, pagadoCents } = diot;
  const createReconciliationItem = (label: string, cents: Cents, op: '+' | '−', href?: string) =>
    cents === 0
      ? []
      : [
          {
            label,
            cents: Math.abs(cents),
            op: (op === '+') === cents > 0 ? ('+' as const) : ('−' as const),
            href,
          },
        ];
  return (
    <Totals
      label="De lo pagado, lo que va en el archivo"
      items={[
        { label: 'En el archivo', cents: archivoCents, href: '#reportado' },
        ...createReconciliationItem('ISR y otras retenciones', retenidoCents, '−'),
        ...createReconciliationItem('Notas de crédito', notasCents, '+'),
        ...createReconciliationItem('No reportado', noReportado.totalCents, '+', '#no-reportado'),
        ...createReconciliationItem('Redondeo', redondeoCents, '−'),
        { label: 'Pagado en el mes', cents: pagadoCents, op: '=' },
      ]}
    />
  );
}

const rowKey = ({ rfc, operacion }: DiotRow) => `${rfc} ${operacion}`;

const rowColumns = (rows: readonly DiotRow[]) => [
  {
    key: 'nombre' as const,
    label: 'Proveedor',
    card: 'title' as const,
    className: 'wraps',
    textBelow: ({ rfc, operacion }: DiotRow) => `${rfc} · ${operacion} ${DIOT_OPERATIONS[operacion]}`,
  },
  moneyColumn<DiotRow>('pagado', 'Pagado', ({ pagadoCents }) => pagadoCents, { card: 'corner' }),
  ...DIOT_COLUMNS.filter(({ centsOf }) => rows.some((row) => centsOf(row) !== 0)).map(
    ({ name, label, centsOf }) => moneyColumn<DiotRow>(name, label, centsOf, { dash: true }),
  ),
];

const NOT_REPORTED_COLUMNS = [
  {
    key: 'proveedor' as const,
    label: 'Proveedor',
    card: 'title' as const,
    className: 'wraps',
    textBelow: ({ rfc }: UnreportedPayment) => rfc,
  },
  dateColumn<'fecha', UnreportedPayment>('fecha', 'Pagado el', { card: 'half', cardLabel: () => '' }),
  {
    ...{ key: 'documento' as const, label: 'Documento', className: 'wraps' },
    ...{ card: 'half' as const, cardLabel: () => '' },
  },
  {
    key: 'causa' as const,
    label: 'Por qué',
    card: 'line' as const,
    className: 'wraps',
    render: ({ causa }: UnreportedPayment) => EXCLUSION_CAUSES[causa],
  },
  moneyColumn<UnreportedPayment>('importe', 'Importe', ({ importeCents }) => importeCents, {
    card: 'corner',
  }),
];
