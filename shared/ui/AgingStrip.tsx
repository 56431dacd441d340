import { AGING_BANDS, type Aging } from '../aging.ts';
import { Money } from './Money.tsx';

type AgingBand = (typeof AGING_BANDS)[number];

interface AgingStripProps {
  aging: Aging;
  addressOf: (band: AgingBand) => string;
  label?: string;
  isLateOnly?: boolean;
}

export function AgingStrip({
  aging,
  addressOf,
  label = 'Saldo por antigüedad',
  isLateOnly,
}: AgingStripProps) {
  const bands = AGING_BANDS.filter(({ from }) => from !== null || !isLateOnly);
  const isAny = bands.some(({ cents }) => aging[cents] !== 0);
  return (
    <section className="aging" aria-label={label}>
      <svg height="12" aria-hidden="true">
        {computeSpans(aging, bands).map(({ name, start, share }) => (
          <rect
            key={name}
            className={name}
            x={formatPercent(start)}
            width={formatPercent(share)}
            height="12"
          />
        ))}
      </svg>
      <dl>
        {bands.map((band) => (
          <div
            key={band.name}
            className={isAny && aging[band.cents] === 0 ? `${band.name} hide-sm` : band.name}
          >
            <dt>{band.label}</dt>
            <dd>
              <Money cents={aging[band.cents]} href={addressOf(band)} dash />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function computeSpans(
  aging: Aging,
  bands: readonly AgingBand[],
): { name: string; start: number; share: number }[] {
  const total = bands.reduce((sum, { cents }) => sum + aging[cents], 0);
  let start = 0;
  return bands.flatMap(({ name, cents }) => {
    const share = total === 0 ? 0 : aging[cents] / total;
    const span = { name, start, share };
    start += share;
    return share > 0 ? [span] : [];
  });
}

const formatPercent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;
