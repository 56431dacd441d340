import type { BalanceReport, BalanceRow } from '../../../shared/balances.ts';
import type { Cents } from '../../../shared/money.ts';
import { placesOf, type Ranks, ranksOf } from '../../../shared/ranks.ts';
import { type AskedBalancePage, balancesAddress } from './balances-address.ts';
import { RanksNote } from './ranks-note.tsx';

/** Beyond this those that are owed most show, and the rest in one row that leads to the next ones. */
const MOST_SUPPLIERS = 80;

export interface TableProps {
  report: BalanceReport;
  asked: AskedBalancePage;
}

const suppliersIn = ({ rows }: BalanceReport) =>
  rows.filter((row) => row.isSummary && row.supplierId !== null);

export const supplierRanks = ({ report, asked }: TableProps): Ranks =>
  ranksOf(asked.parte, MOST_SUPPLIERS, suppliersIn(report).length);

export const largestSuppliers = ({ report, asked }: TableProps) =>
  largestOf(
    suppliersIn(report),
    supplierRanks({ report, asked }),
    (row) => row.totalCents,
    (row) => row.supplierId === asked.abierto,
  );

export function sumOfRows(rows: readonly BalanceRow[]): BalanceRow {
  const amounts: Record<string, Cents> = {};
  for (const row of rows)
    for (const [key, cents] of Object.entries(row.amounts)) amounts[key] = (amounts[key] ?? 0) + cents;
  const estimated = new Set(rows.flatMap((row) => [...row.estimated]));
  const totalCents = rows.reduce((sum, row) => sum + row.totalCents, 0);
  const jobtitle =
    rows.length === 1 ? 'Otro proveedor' : `Otros ${rows.length.toLocaleString('es-MX')} proveedores`;
  return { ...rows[0]!, jobtitle, amounts, estimated, totalCents };
}

/** What a long report leaves out, and where that is. */
export function HowMuchShows({ report, asked }: TableProps) {
  if (!report.isLong) return null;
  return (
    <>
      <p className="note">
        Son {report.invoiceCount.toLocaleString('es-MX')} facturas con saldo: se muestra el total de cada
        proveedor; al abrir uno aparecen las suyas.
      </p>
      <RanksNote
        ranks={supplierRanks({ report, asked })}
        of="Proveedores a los que más se debe"
        addressOf={(parte) => balancesAddress(asked, { parte })}
      />
    </>
  );
}

/**
 * The rows with the largest figures, in the order that they have, and those that are left over.
 * @param isKept is among the first whatever its figure
 */
function largestOf<Row>(
  rows: readonly Row[],
  ranks: Ranks,
  figureOf: (row: Row) => number,
  isKept: (row: Row) => boolean = () => false,
): { largest: readonly Row[]; rest: readonly Row[] } {
  if (rows.length <= ranks.most) return { largest: rows, rest: [] };
  const ranked = rows.map((row, index) => ({
    index,
    figure: ranks.part === 1 && isKept(row) ? Infinity : figureOf(row),
  }));
  ranked.sort((a, b) => b.figure - a.figure || a.index - b.index);
  const { start, end } = placesOf(ranks);
  const chosen = new Set(ranked.slice(start, end).map(({ index }) => index));
  return {
    largest: rows.filter((_, index) => chosen.has(index)),
    rest: rows.filter((_, index) => !chosen.has(index)),
  };
}
