import type { PlainDate } from '../../../shared/dates.ts';
import type { Owed } from '../../../shared/statements.ts';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';

interface OwedTableProps {
  owed: readonly Owed[];
  /** the day that it is told as of */
  today: PlainDate;
  /** the list of all of them */
  allHref: string;
}

const MOST = 20;

/** What is due when, the earliest first. */
export function OwedTable({ owed, today, allHref }: OwedTableProps) {
  if (owed.length === 0) return null;
  const shown = owed.slice(0, MOST);
  return (
    <section className="stack">
      <h2>Qué vence y cuándo</h2>
      <div className="table-wrap">
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
              render: ({ numfactura }) => numfactura || 'Sin número',
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
          rowClass={({ vence }) => (vence < today ? 'overdue' : undefined)}
        />
      </div>
      <p className="note">
        {shown.some(({ isEstimated }) => isEstimated) && '* Vencimiento estimado. '}
        {owed.length > shown.length && <a href={allHref}>Ver las {owed.length} facturas con saldo</a>}
      </p>
    </section>
  );
}
