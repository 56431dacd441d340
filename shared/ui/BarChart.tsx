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
  /** where what the bar is the sum of is listed */
  href?: string;
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
 * takes any width without a viewBox that would shrink the text. Of the drawing itself readers' voices get the
 * bars' links; the figures stand in the table behind it.
 */
export function BarChart({ caption, headings, bars }: BarChartProps) {
  const ticks = amountTicks(Math.max(0, ...bars.map(({ cents }) => cents)));
  const top = ticks.at(-1)!;
  const slot = 100 / bars.length;
  return (
    <div className="chart">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <svg height={HEIGHT} role="group" aria-label={caption}>
        {ticks.map((tick) => {
          const y = BASE - Math.round((tick / top) * PLOT);
          return (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a <g> takes no focus
            <g key={tick} className={tick === 0 ? 'base' : undefined} aria-hidden="true">
              <line x1="0" x2="100%" y1={y} y2={y} />
              <text className="tick long" x={-8} y={y + 4} textAnchor="end">
                {tickText(tick)}
              </text>
              <text className="tick short" x={-8} y={y + 4} textAnchor="end">
                {shortTickText(tick)}
              </text>
            </g>
          );
        })}
        {bars.map(({ label, short, note, cents, href, tone }, index) => {
          // what is there at all can be seen
          const height = cents === 0 ? 0 : Math.max(1, Math.round((cents / top) * PLOT));
          const middle = percent((index + 0.5) * slot);
          const name = `${label} (${note}): ${formatMoney(cents)}`;
          return (
            <g key={label} className={tone}>
              {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a <g> takes no focus */}
              <g aria-hidden="true">
                <rect
                  className="bar"
                  x={percent((index + 0.2) * slot)}
                  width={percent(0.6 * slot)}
                  y={BASE - height}
                  height={height}
                />
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
              {href && (
                // The whole column, laid over what it shows; so there is no other text in it than its name.
                <a href={href} aria-label={name}>
                  <rect x={percent(index * slot)} width={percent(slot)} height={HEIGHT}>
                    <title>{name}</title>
                  </rect>
                </a>
              )}
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

/** "$250,000": round amounts need no cents. */
const tickText = (cents: Cents): string => formatMoney(cents).replace(/\.00$/, '');

/** "$2.5 M", "$500 mil": where there is little room. */
function shortTickText(cents: Cents): string {
  if (cents >= 100_000_000) return `$${cents / 100_000_000} M`;
  return cents >= 100_000 ? `$${cents / 100_000} mil` : tickText(cents);
}

const percent = (value: number): string => `${Math.round(value * 100) / 100}%`;
