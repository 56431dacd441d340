import { addDays, type PlainDate } from '../../../shared/dates.ts';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import {
  type JobFigures,
  readJobFigures,
  readSupplierFigures,
  type SupplierFigures,
} from '../../services/catalogs/figures.ts';
import type { CatalogRow } from '../../services/catalogs/reading.ts';
import { nothing } from '../../services/costs.ts';
import { CostFigure } from '../reports/results-figures.tsx';
import { owedAddress } from '../statements/owed.tsx';

/** What the lists of suppliers and obras say of money, each figure with the list that adds up to it. */
export async function figureColumns(
  c: AppContext,
  noun: string,
  rows: readonly CatalogRow[],
): Promise<Column<CatalogRow>[]> {
  const { db } = c.get('deps');
  const ids = rows.map(({ id }) => id);
  if (noun === 'suppliers') {
    const today = c.get('today');
    const figures = await readSupplierFigures(db, ids, today);
    return supplierColumns(today, ({ id }) => figures.get(id));
  }
  if (noun === 'jobs') {
    const figures = await readJobFigures(db, ids);
    return jobColumns(({ id }) => figures.get(id));
  }
  return [];
}

type Of<Figures> = (row: CatalogRow) => Figures | undefined;

const moneyColumn = (
  key: string,
  label: string,
  render: Column<CatalogRow>['render'],
): Column<CatalogRow> => ({ key, label, align: 'end', render });

function supplierColumns(today: PlainDate, of: Of<SupplierFigures>): Column<CatalogRow>[] {
  const owedOf = ({ id }: CatalogRow, days?: Parameters<typeof owedAddress>[1]) =>
    owedAddress({ supplierId: id }, days);
  return [
    moneyColumn('owed', 'Saldo', (row) => <Figure cents={of(row)?.owedCents} href={owedOf(row)} />),
    moneyColumn('overdue', 'Vencido', (row) => (
      <Figure cents={of(row)?.overdueCents} href={owedOf(row, { venceHasta: addDays(today, -1) })} />
    )),
    {
      key: 'nextDue',
      label: 'Próx. vencimiento',
      render: (row) => {
        const day = of(row)?.nextDue;
        return (
          day && (
            <a href={owedOf(row, { venceDesde: day, venceHasta: day })}>
              <DateText date={day} />
            </a>
          )
        );
      },
    },
  ];
}

function jobColumns(of: Of<JobFigures>): Column<CatalogRow>[] {
  return [
    moneyColumn('cost', 'Costo sin IVA', (row) => {
      const { costCents = 0, creditCents = 0 } = of(row) ?? {};
      return <CostFigure query={{ jobId: row.id }} cost={{ ...nothing(), costCents, creditCents }} />;
    }),
    moneyColumn('owed', 'Por pagar', (row) => (
      <Figure
        cents={of(row)?.owedCents}
        href={withQuery(pages.invoices, { jobId: row.id, status: 'por-pagar' })}
      />
    )),
  ];
}

const Figure = ({ cents = 0, href }: { cents?: number; href: string }) =>
  cents === 0 ? (
    <Money cents={0} dash />
  ) : (
    <a href={href}>
      <Money cents={cents} />
    </a>
  );
