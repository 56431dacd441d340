import { Hono } from 'hono';
import { z } from 'zod';
import { pluralize } from '../../../shared/counts.ts';
import type { Cents } from '../../../shared/money.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { withQuery } from '../../../shared/urls.ts';
import { differsFromExpected, WITHHOLDING_LABELS } from '../../formats/cfdi/withholdings.ts';
import { type AppContext, type AppEnv, readSettingsOnce } from '../../http/session.ts';
import { withholdingList } from '../../lists/reports.ts';
import { formatMonthAndYear } from '../../services/balances/closing-tasks.ts';
import { resolveMonth } from '../../services/fiscal/cross-check.ts';
import { fiscalPaths } from '../../services/fiscal/labels.ts';
import {
  readWithholdingReport,
  type WithholdingReport,
  type WithholdingRow,
} from '../../services/fiscal/withholdings.ts';
import { monthField } from '../../shapes/fields.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { parseListQuery } from '../ui/list-layout.tsx';
import { putFirst } from '../ui/long-table.tsx';
import { formatMonthParameter, renderMonth } from './month-page.tsx';

const queryShape = z.strictObject({ mes: monthField('mes') });

export const withholdingPages = new Hono<AppEnv>({ strict: false }).get(fiscalPaths.withheld, (c) =>
  showWithholdings(c),
);

async function showWithholdings(c: AppContext) {
  const month = resolveMonth(parseListQuery(c, queryShape).mes, c.get('today'));
  const settings = await readSettingsOnce(c);
  const withheld = settings.rfc ? await readWithholdingReport(c.get('deps').db, month, settings) : undefined;
  return renderMonth(c, withholdingList, month, {
    lacksRfc: !withheld,
    content: withheld && <WithholdingMonth withheld={withheld} />,
  });
}

function WithholdingMonth({ withheld }: { withheld: WithholdingReport }) {
  const { rows, retenidoCents, esperadoCents, sinRevisar, month } = withheld;
  const missing = esperadoCents - retenidoCents;
  const diot = withQuery(fiscalPaths.diot, { mes: formatMonthParameter(month) });
  return (
    <>
      {sinRevisar.cuenta > 0 && (
        <Alert tone="warning" isDismissible={false}>
          No se conocen las retenciones de{' '}
          <a href={`${diot}#no-reportado`}>{pluralize(sinRevisar.cuenta, 'pago', 'pagos')}</a> por{' '}
          <Money cents={sinRevisar.totalCents} />: les falta el XML, o no se puede usar.
        </Alert>
      )}
      {rows.length === 0 ? (
        <EmptyState
          title={`Ningún CFDI con retenciones pagado en ${formatMonthAndYear(month)}`}
          action={<LinkButton href={diot}>Ver lo pagado</LinkButton>}
        >
          Las retenciones se leen del XML de cada factura pagada.
        </EmptyState>
      ) : (
        <>
          <Totals
            label="Lo retenido y lo que corresponde"
            items={[
              { label: 'Retenido en los CFDI', cents: retenidoCents },
              {
                label: missing < 0 ? 'Retenido de más' : 'Falta retener',
                cents: Math.abs(missing),
                op: missing < 0 ? '−' : '+',
              },
              { label: 'Corresponde', cents: esperadoCents, op: '=' },
            ]}
          />
          <DataTable
            caption="Por tipo y proveedor"
            columns={COLUMNS}
            rows={putFirst(rows, differsFromExpected)}
            rowKey={({ tipo, rfc }) => `${tipo} ${rfc}`}
            rowHref={({ href }) => href}
          />
        </>
      )}
    </>
  );
}

const amountColumn = (key: string, label: string, centsOf: (row: WithholdingRow) => Cents) =>
  moneyColumn<WithholdingRow>(key, label, centsOf, { dash: true, card: 'half' });

const COLUMNS = [
  {
    key: 'nombre' as const,
    label: 'Proveedor',
    card: 'title' as const,
    className: 'wraps',
    textBelow: ({ rfc, regimenFiscal }: WithholdingRow) =>
      [rfc, regimenFiscal && `régimen ${regimenFiscal}`].filter(Boolean).join(' · '),
  },
  {
    key: 'tipo' as const,
    label: 'Retención',
    card: 'line' as const,
    className: 'wraps',
    render: ({ tipo }: WithholdingRow) => WITHHOLDING_LABELS[tipo],
  },
  amountColumn('base', 'Base', ({ baseCents }) => baseCents),
  amountColumn('retenido', 'Retenido', ({ retenidoCents }) => retenidoCents),
  amountColumn('esperado', 'Corresponde', ({ esperadoCents }) => esperadoCents),
  amountColumn('diferencia', 'Diferencia', ({ diferenciaCents }) => diferenciaCents),
  {
    key: 'estado' as const,
    label: 'Estado',
    card: 'corner' as const,
    render: (row: WithholdingRow) =>
      differsFromExpected(row) ? <Chip tone="warn">Difiere</Chip> : <Chip tone="done">Igual</Chip>,
  },
];
