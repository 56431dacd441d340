import type { PlainDate } from '../../../shared/dates.ts';
import { shownNumber } from '../../../shared/invoices.ts';
import { type Aging, agingDays, type Owed } from '../../../shared/statements.ts';
import { AgingStrip } from '../../../shared/ui/AgingStrip.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';

/** Whose debt is told, and at the end of which day; without one it is what is owed now. */
interface Debt {
  supplierId: number;
  corte?: PlainDate;
}

/** The list of the invoices that it is made of, or of those due on some days. */
export function owedAddress(
  { supplierId, corte }: Debt,
  days: { venceDesde?: PlainDate | null; venceHasta?: PlainDate | null } = {},
) {
  return withQuery(pages.invoices, {
    supplierId,
    status: 'por-pagar',
    ...days,
    corte,
    sortfield: 'fechavencimiento',
  });
}

/** How old it is, each part with its invoices. */
export const OwedAging = ({ debt, aging, asOf }: { debt: Debt; aging: Aging; asOf: PlainDate }) => (
  <AgingStrip
    aging={aging}
    addressOf={(band) => {
      const { from, to } = agingDays(band, asOf);
      return owedAddress(debt, { venceDesde: from, venceHasta: to });
    }}
  />
);

const MOST = 20;

/** What is due when, the earliest first. */
export function OwedTable({ debt, owed }: { debt: Debt; owed: readonly Owed[] }) {
  if (owed.length === 0) return null;
  const shown = owed.slice(0, MOST);
  return (
    <section>
      <h2>Qué vence y cuándo</h2>
      <DataTable
        caption="Facturas con saldo, por vencimiento"
        columns={[
          {
            key: 'vence',
            label: 'Vencimiento',
            card: 'corner',
            render: ({ vence, isEstimated }: Owed) => (
              <>
                <DateText date={vence} />
                {isEstimated && ' *'}
              </>
            ),
          },
          {
            key: 'numfactura',
            label: 'Factura',
            link: true,
            card: 'title',
            render: ({ numfactura }) => shownNumber(numfactura),
          },
          {
            key: 'pending',
            label: 'Saldo',
            align: 'end',
            render: ({ pendingCents }) => <Money cents={pendingCents} />,
          },
        ]}
        rows={shown}
        rowKey={({ invoiceId }) => invoiceId}
        rowHref={({ invoiceId }) => pages.editInvoice(invoiceId)}
      />
      <p className="note">
        {shown.some(({ isEstimated }) => isEstimated) && '* Vencimiento estimado. '}
        {owed.length > shown.length && (
          <a href={owedAddress(debt)}>Ver las {owed.length} facturas con saldo</a>
        )}
      </p>
    </section>
  );
}
