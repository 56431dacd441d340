import { type Cents, formatMoney } from '../money.ts';
import { DataTable } from './DataTable.tsx';
import { Money } from './Money.tsx';

export interface Bar {
  /** "SEM 47" */
  label: string;
  /** where there is little room: "47" */
  short: string;
  /** a quieter second line: "16 – 22 nov" */
  note: string;
  cents: Cents;
  /** late: red */
  tone?: 'late';
}

interface BarChartProps {
  caption: string;
  /** the headings of the table: what a bar is, and what its height is */
  headings: readonly [bar: string, amount: string];
  /** amounts of zero or more */
  bars: readonly Bar[];
}

/** Above the plot there is room for an amount, below it for two lines. */
const TOP = 20;
const PLOT = 180;
const BASE = TOP + PLOT;
const HEIGHT = BASE + 40;

/**
 * Upright bars, drawn on the server. Across the drawing is measured in percent and its text in pixels, so it
 * takes any width without a viewBox that would shrink the text. Readers' voices get the table behind it.
 */
export function BarChart({ caption, headings, bars }: BarChartProps) {
  const ticks = amountTicks(Math.max(0, ...bars.map(({ cents }) => cents)));
  const top = ticks.at(-1)!;
  const slot = 100 / bars.length;
  return (
    <div className="chart">
      <svg height={HEIGHT} aria-hidden="true">
        {ticks.map((tick) => {
          const y = BASE - Math.round((tick / top) * PLOT);
          return (
            <g key={tick} className={tick === 0 ? 'base' : undefined}>
              <line x1="0" x2="100%" y1={y} y2={y} />
              <text className="tick" x={-8} y={y + 4} textAnchor="end">
                {formatMoney(tick)}
              </text>
            </g>
          );
        })}
        {bars.map(({ label, short, note, cents, tone }, index) => {
          // what is there at all can be seen
          const height = cents === 0 ? 0 : Math.max(1, Math.round((cents / top) * PLOT));
          const middle = percent((index + 0.5) * slot);
          return (
            <g key={label} className={tone}>
              <rect
                x={percent((index + 0.2) * slot)}
                width={percent(0.6 * slot)}
                y={BASE - height}
                height={height}
              >
                <title>{`${label} (${note}): ${formatMoney(cents)}`}</title>
              </rect>
              {cents > 0 && (
                <text className="amount" x={middle} y={BASE - height - 6} textAnchor="middle">
                  {formatMoney(cents)}
                </text>
              )}
              <text className="long" x={middle} y={BASE + 17} textAnchor="middle">
                {label}
              </text>
              <text className="short" x={middle} y={BASE + 17} textAnchor="middle">
                {short}
              </text>
              <text className="note" x={middle} y={BASE + 33} textAnchor="middle">
                {note}
              </text>
            </g>
          );
        })}
      </svg>
      <div className="visually-hidden">
        <DataTable
          caption={caption}
          columns={[
            { key: 'label', label: headings[0], render: ({ label, note }: Bar) => `${label} (${note})` },
            {
              key: 'amount',
              label: headings[1],
              align: 'end',
              render: ({ cents }) => <Money cents={cents} />,
            },
          ]}
          rows={bars}
          rowKey={({ label }) => label}
        />
      </div>
    </div>
  );
}

/** Zero and three to five round amounts above it, the last one at or above `most`; at least one peso apart. */
export function amountTicks(most: Cents): Cents[] {
  const rough = Math.max(most / 4, 100);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

const percent = (value: number): string => `${Math.round(value * 100) / 100}%`;
