import { budgetTone, usedPercent } from '../../../shared/budgets.ts';
import type { Cents } from '../../../shared/money.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { JobBudget } from '../../services/budgets/overview.ts';

/** The share that is used, amber from 80 %, red above 100; of a rubro without a budget that something was spent. */
export function Used({ line }: { line: Parameters<typeof usedPercent>[0] }) {
  const percent = usedPercent(line);
  const tone = budgetTone(line);
  if (tone === undefined) return percent === undefined ? null : <>{percent} %</>;
  return <Chip tone={tone}>{percent === undefined ? 'Sin presupuesto' : `${percent} %`}</Chip>;
}

/** The rest of a budget; below zero in red. */
export function Left({ cents, href }: { cents: Cents; href?: string }) {
  if (cents === 0) return null;
  const money = <Money cents={cents} href={href} />;
  return cents < 0 ? <span className="wrong">{money}</span> : money;
}

/** The share of each obra's budget that is used, whatever the period shown; no column where none has a budget. */
export const budgetColumns = <Row,>(
  budgets: ReadonlyMap<number, JobBudget>,
  jobOf: (row: Row) => number | undefined,
): Column<Row>[] =>
  budgets.size === 0
    ? []
    : [
        {
          key: 'budget',
          label: 'Presupuesto',
          note: 'usado',
          align: 'end',
          render: (row) => {
            const jobId = jobOf(row) ?? 0;
            const budget = budgets.get(jobId);
            return (
              budget && (
                <a href={withQuery(pages.budgets, { jobId })} className="money">
                  <Used line={budget} />
                </a>
              )
            );
          },
        },
      ];
