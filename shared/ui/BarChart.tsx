import { type Cents, formatMoney, formatShortMoney } from '../money.ts';
import { type Column, DataTable } from './DataTable.tsx';
import { Money } from './Money.tsx';

export interface Bar {
  label: string;
  note: string;
  /** one per series; `href` lists the records of the sum */
  amounts: readonly { cents: Cents; href?: string }[];
}

interface BarChartProps {
  caption: string;
  /** heading of the labels in the table below, such as "Semana"; absent where the page has a table of its own */
  heading?: string;
  series: readonly string[];
  /** says in the legend what the red bars below zero are */
  negativeLabel?: string;
  bars: readonly Bar[];
}

const PLOT_TOP = 20;
const PLOT_HEIGHT = 160;
const PLOT_BOTTOM = PLOT_TOP + PLOT_HEIGHT;
const CHART_HEIGHT = PLOT_BOTTOM + 40;

/** Up to this number, bars have space for amounts and notes in half a page. */
const MAX_WIDE_BARS = 5;

const BAR_WIDTH_SHARE = 0.64;

/**
 * Drawn on the server. Widths are in percent and text in pixels, so that the chart fits any width; a viewBox would
 * shrink the text. Screen readers get only the links, because the figures are in the table below.
 */
export function BarChart({ caption, heading, series, negativeLabel, bars }: BarChartProps) {
  const drawn = bars.flatMap(({ amounts }) => amounts.map(({ cents }) => cents));
  const above = chooseAmountTicks(Math.max(0, ...drawn.map(Math.abs)));
  const [most, least] = [Math.max(1, ...drawn), Math.min(0, ...drawn)];
  const ticks = [
    ...above
      .slice(1)
      .map((tick) => -tick)
      .reverse(),
    ...above,
  ].filter((tick) => tick < most + above[1]! && tick > least - above[1]!);
  const top = ticks.at(-1)!;
  const scale = PLOT_HEIGHT / (top - ticks[0]!);
  const base = PLOT_TOP + Math.round(top * scale);
  const slot = 100 / bars.length;
  const width = (BAR_WIDTH_SHARE * slot) / series.length;
  const legendItems = [
    ...series.map((label, at) => ({ label, bar: `bar-${at}` })),
    ...(negativeLabel && least < 0 ? [{ label: negativeLabel, bar: 'late' }] : []),
  ];
  return (
    <div className={`chart of-${series.length}${bars.length > MAX_WIDE_BARS ? '' : ' few'}`}>
      {series.length > 1 && <Legend items={legendItems} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <svg height={CHART_HEIGHT} role="group" aria-label={caption}>
        {ticks.map((tick) => {
          const y = base - Math.round(tick * scale);
          return (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a <g> takes no focus
            <g key={tick} className={tick === 0 ? 'base' : undefined} aria-hidden="true">
              <line x1="0" x2="100%" y1={y} y2={y} />
              <text className="tick" x={-8} y={y + 4} textAnchor="end">
                {formatShortMoney(tick)}
              </text>
            </g>
          );
        })}
        {bars.map(({ label, note, amounts }, index) => {
          const middle = formatPercent((index + 0.5) * slot);
          const placed = amounts.map((amount, at) => ({
            ...amount,
            name: `${series.length > 1 ? `${series[at]}, ` : ''}${label} (${note}): ${formatMoney(amount.cents)}`,
            // anything but zero stays visible
            height: amount.cents === 0 ? 0 : Math.max(1, Math.round(Math.abs(amount.cents) * scale)),
            start: (index + (1 - BAR_WIDTH_SHARE) / 2) * slot + at * width,
          }));
          return (
            <g key={`${label} ${note}`}>
              {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a <g> takes no focus */}
              <g aria-hidden="true">
                {placed.map(({ cents, height, start }, at) => (
                  <rect
                    key={series[at]}
                    className={cents < 0 ? 'late' : `bar-${at}`}
                    x={formatPercent(start)}
                    width={formatPercent(width)}
                    y={cents < 0 ? base : base - height}
                    height={height}
                  />
                ))}
                {placed.length === 1 && placed[0]!.cents > 0 && (
                  <text className="amount" x={middle} y={base - placed[0]!.height - 6} textAnchor="middle">
                    {formatShortMoney(placed[0]!.cents)}
                  </text>
                )}
                <text x={middle} y={PLOT_BOTTOM + 17} textAnchor="middle">
                  {label}
                </text>
                <text className="note" x={middle} y={PLOT_BOTTOM + 33} textAnchor="middle">
                  {note}
                </text>
              </g>
              {placed.map(
                ({ name, href }, at) =>
                  href && (
                    // The link covers the whole column and contains no text, so screen readers read out this name.
                    <a key={name} href={href} aria-label={name}>
                      <rect
                        x={formatPercent((index + at / series.length) * slot)}
                        width={formatPercent(slot / series.length)}
                        height={CHART_HEIGHT}
                      >
                        <title>{name}</title>
                      </rect>
                    </a>
                  ),
              )}
            </g>
          );
        })}
      </svg>
      {heading && <ChartTable caption={caption} heading={heading} series={series} bars={bars} />}
    </div>
  );
}

const Legend = ({ items }: { items: readonly { label: string; bar: string }[] }) => (
  <p className="legend">
    {items.map(({ label, bar }) => (
      <span key={label}>
        <svg aria-hidden="true">
          <rect className={bar} width="100%" height="100%" />
        </svg>
        {label}
      </span>
    ))}
  </p>
);

function ChartTable({ caption, heading, series, bars }: BarChartProps & { heading: string }) {
  const columns: Column<Bar>[] = [
    { key: 'label', label: heading, card: 'title', render: ({ label, note }) => `${label} (${note})` },
    ...series.map(
      (name, at): Column<Bar> => ({
        key: name,
        label: name,
        align: 'end',
        render: ({ amounts }) => <Money {...amounts[at]!} dash />,
      }),
    ),
  ];
  return (
    <details className="behind">
      <summary>Ver las cifras</summary>
      <DataTable caption={caption} columns={columns} rows={bars} rowKey={({ label, note }) => label + note} />
    </details>
  );
}

/** Returns zero and up to four round amounts above it, at least one peso apart, the last one at or above `max`. */
export function chooseAmountTicks(max: Cents): Cents[] {
  const rough = Math.max(max / 4, 100);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

const formatPercent = (value: number): string => `${Math.round(value * 100) / 100}%`;
