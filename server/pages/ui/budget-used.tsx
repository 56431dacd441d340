import { type BudgetAndSpending, budgetTone, computeUsedPercent } from '../../../shared/budgets.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { ShareBar } from '../../../shared/ui/ShareBar.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';

function UsedBudgetPercent({ line }: { line: BudgetAndSpending }) {
  const percent = computeUsedPercent(line);
  const tone = budgetTone(line);
  if (tone === undefined) return percent === undefined ? null : <>{percent} %</>;
  return <Chip tone={tone}>{percent === undefined ? 'Sin presupuesto' : `${percent} %`}</Chip>;
}

export const USED_COLUMN = { key: 'porcentaje', label: 'Usado', wraps: true, className: 'used' } as const;

export const BudgetUsedBar = ({ line, href }: { line: BudgetAndSpending; href?: string }) => (
  <div>
    <span>
      {href ? (
        <a href={href} className="money">
          <UsedBudgetPercent line={line} />
        </a>
      ) : (
        <UsedBudgetPercent line={line} />
      )}
    </span>
    <ShareBar value={line.gastadoCents} max={line.presupuestoCents} />
  </div>
);

/** For `wraps` in columns of names: those up to this length stay on one line, longer ones wrap to leave width for bars. */
export const MAX_UNWRAPPED_NAME_LENGTH = 36;

export function RemainingBudget({ cents, href }: { cents: Cents; href?: string }) {
  if (cents === 0) return null;
  if (cents > 0) return <Money cents={cents} href={href} />;
  const amount = <span className="wrong">{formatMoney(cents)}</span>;
  return href ? (
    <a href={href} className="money">
      {amount}
    </a>
  ) : (
    amount
  );
}

/** The used share of each job's budget, independent of the period; no column where no job has a budget. */
export const usedShareColumns = <Row,>(
  budgets: ReadonlyMap<number, BudgetAndSpending>,
  jobIdOf: (row: Row) => number | undefined,
): Column<Row>[] =>
  budgets.size === 0
    ? []
    : [
        {
          ...USED_COLUMN,
          key: 'budget',
          label: 'Presupuesto usado',
          render: (row) => {
            const jobId = jobIdOf(row) ?? 0;
            const budget = budgets.get(jobId);
            return budget && <BudgetUsedBar line={budget} href={withQuery(pages.budgets, { jobId })} />;
          },
        },
      ];
