import { sql } from 'kysely';
import { bankAmountExpression } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import {
  type AppliedFilter,
  createSheetColumns,
  type ListExport,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';

interface PaidBySourceRow {
  origenderecursonombre: string;
  count: number;
  paidCents: Cents;
  bankCents: Cents;
}

const COLUMNS: readonly SheetColumn<PaidBySourceRow>[] = createSheetColumns([
  { name: 'origenderecursonombre', heading: 'Origen de recurso', key: true },
  { name: 'pagos', heading: 'Pagos', cell: ({ count }) => count },
  { name: 'paymentamount', heading: 'Abonado a facturas', kind: 'money', cents: 'paidCents' },
  { name: 'importebanco', heading: 'Salió del origen', kind: 'money', cents: 'bankCents' },
]);

export async function paidBySourceExport(
  db: Db,
  { from, to }: Period,
  appliedFilters: readonly AppliedFilter[],
): Promise<ListExport<PaidBySourceRow>> {
  const { rows } = await sql<PaidBySourceRow>`
    select coalesce(s.origenderecursonombre, 'Sin origen') as origenderecursonombre, count(*) as count,
      sum(p."amountCents") as "paidCents", sum(${bankAmountExpression('p')}) as "bankCents"
    from payments p left join funding_sources s on s.id = p."origenderecursoId"
    where p.kind = 'pago' and p.paymentdate between ${from} and ${to}
    group by p."origenderecursoId", s.origenderecursonombre
    order by sum(${bankAmountExpression('p')}) desc`.execute(db);
  return {
    file: `Pagos por origen ${from} a ${to}`,
    title: 'Pagos por origen',
    filters: appliedFilters,
    noun: ['origen', 'orígenes'],
    sheet: { columns: COLUMNS, pages: [rows] },
  };
}
