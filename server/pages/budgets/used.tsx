import { budgetTone, usedPercent } from '../../../shared/budgets.ts';
import type { Cents } from '../../../shared/money.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Money } from '../../../shared/ui/Money.tsx';

/** How much is used: amber from 80 %, red above 100; and of a rubro without a budget that something was spent. */
export function Used({ line }: { line: Parameters<typeof usedPercent>[0] }) {
  const percent = usedPercent(line);
  const tone = budgetTone(line);
  if (tone === undefined) return percent === undefined ? null : <>{percent} %</>;
  return <Chip tone={tone}>{percent === undefined ? 'Sin presupuesto' : `${percent} %`}</Chip>;
}

/** What is left; below zero in red. */
export function Left({ cents }: { cents: Cents }) {
  if (cents === 0) return null;
  return cents < 0 ? (
    <span className="wrong">
      <Money cents={cents} />
    </span>
  ) : (
    <Money cents={cents} />
  );
}
