import { type Aging, computeAging, dueDatesOfBand, type OwedInvoice } from '../../../shared/aging.ts';
import { pluralize } from '../../../shared/counts.ts';
import { daysBetween, describeDaysUntil, type PlainDate } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { AgingStrip } from '../../../shared/ui/AgingStrip.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { readInvoicesOpenNow } from '../../services/balances/balances.ts';
import { sumInvoices } from '../../services/invoices/sums.ts';
import { completeOwedInvoices } from '../../services/statements/supplier-statement.ts';
import { openInvoicesHref } from '../reports/addresses.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { isNewlyOverdue } from '../ui/due-chip.tsx';

/** Selects what is owed to a supplier at the end of day `corte`, by default now. */
interface DebtFilter {
  supplierId: number;
  corte?: PlainDate;
}

export const OwedAging = ({
  debt: debtFilter,
  aging,
  asOf,
}: {
  debt: DebtFilter;
  aging: Aging;
  asOf: PlainDate;
}) => (
  <AgingStrip
    aging={aging}
    addressOf={(band) => openInvoicesHref({ ...debtFilter, ...dueDatesOfBand(band, asOf) })}
  />
);

const MAX_INVOICES = 20;

interface OwedTableProps {
  debtFilter: DebtFilter;
  owedInvoices: readonly OwedInvoice[];
  today: PlainDate;
}

export function OwedTable({ debtFilter, owedInvoices, today }: OwedTableProps) {
  if (owedInvoices.length === 0) return null;
  const { corte = today } = debtFilter;
  const shown = owedInvoices.slice(0, MAX_INVOICES);
  return (
    <section>
      <h2>Qué vence y cuándo</h2>
      <DataTable<OwedInvoice>
        caption="Facturas con saldo, por vencimiento"
        columns={[
          {
            key: 'vence',
            label: 'Vencimiento',
            card: 'corner',
            textBelow: ({ vence }) => (vence < corte ? describeOverdue(vence, corte, today) : null),
            render: ({ vence, isEstimated }) => (
              <span className={isNewlyOverdue(vence, corte) ? 'late' : undefined}>
                <DateText date={vence} />
                {isEstimated && ' *'}
              </span>
            ),
          },
          {
            key: 'numfactura',
            label: 'Factura',
            isRowLink: true,
            card: 'title',
            render: ({ numfactura }) => invoiceNumberText(numfactura),
          },
          { key: 'jobtitle', label: 'Obra', card: 'line' },
          moneyColumn('pending', 'Saldo', ({ pendingCents }) => pendingCents, {
            href: ({ invoiceId }) => withQuery(pages.invoices, { invoiceId, corte: debtFilter.corte }),
          }),
        ]}
        rows={shown}
        rowKey={({ invoiceId }) => invoiceId}
        rowHref={({ invoiceId }) => pages.editInvoice(invoiceId)}
      />
      <p className="note">
        {shown.some(({ isEstimated }) => isEstimated) && '* Vencimiento estimado. '}
        {owedInvoices.length > shown.length && (
          <a href={openInvoicesHref(debtFilter)}>Ver las {owedInvoices.length} facturas con saldo</a>
        )}
      </p>
    </section>
  );
}

const describeOverdue = (vence: PlainDate, corte: PlainDate, today: PlainDate): string =>
  corte === today
    ? `venció ${describeDaysUntil(vence, today)}`
    : `${pluralize(daysBetween(vence, corte), 'día', 'días')} vencida`;

/** @returns null for a supplier without invoices */
export async function renderSupplierDebt(c: AppContext, supplierId: number) {
  const { db, config } = c.get('deps');
  const today = c.get('today');
  const { count } = await sumInvoices(db, { supplierId }, { today, timeZone: config.timeZone });
  if (count === 0) return null;
  const owed = await completeOwedInvoices(db, await readInvoicesOpenNow(db, { supplierId }));
  const debt = { supplierId };
  const cents = owed.reduce((sum, { pendingCents }) => sum + pendingCents, 0);
  return {
    summary: (
      <section className="owed-now" aria-label="Lo que se le debe">
        <Totals
          label="Saldo del proveedor"
          items={[{ label: 'Saldo', cents, href: openInvoicesHref(debt) }]}
        />
        {cents > 0 && <OwedAging debt={debt} aging={computeAging(owed, today)} asOf={today} />}
      </section>
    ),
    due: <OwedTable debtFilter={debt} owedInvoices={owed} today={today} />,
  };
}
