import { addDays, type PlainDate } from './dates.ts';
import type { Cents } from './money.ts';

/** In the order in which they are shown; `from` and `to` are days overdue. */
export const AGING_BANDS = [
  { name: 'porVencer', label: 'Por vencer', cents: 'notDueCents', from: null, to: 0 },
  { name: 'd30', label: '1–30 días', cents: 'to30Cents', from: 1, to: 30 },
  { name: 'd60', label: '31–60 días', cents: 'to60Cents', from: 31, to: 60 },
  { name: 'd90', label: '61–90 días', cents: 'to90Cents', from: 61, to: 90 },
  { name: 'mas90', label: 'Más de 90 días', cents: 'beyond90Cents', from: 91, to: null },
] as const;

export type Aging = Record<(typeof AGING_BANDS)[number]['cents'], Cents>;

export interface OwedInvoice {
  invoiceId: number;
  numfactura: string;
  jobtitle: string;
  vence: PlainDate;
  isEstimated: boolean;
  pendingCents: Cents;
}

export function computeAging(
  owedInvoices: readonly Pick<OwedInvoice, 'vence' | 'pendingCents'>[],
  asOf: PlainDate,
): Aging {
  const aging: Aging = { notDueCents: 0, to30Cents: 0, to60Cents: 0, to90Cents: 0, beyond90Cents: 0 };
  const bands = AGING_BANDS.map((band) => ({
    cents: band.cents,
    from: dueDatesOfBand(band, asOf).from ?? '',
  }));
  for (const { vence, pendingCents } of owedInvoices) {
    const band = bands.find(({ from }) => vence >= from)!;
    aging[band.cents] += pendingCents;
  }
  return aging;
}

/** Returns the due dates of a band; null where the range is open. */
export const dueDatesOfBand = ({ from, to }: (typeof AGING_BANDS)[number], asOf: PlainDate) => ({
  from: to === null ? null : addDays(asOf, -to),
  to: from === null ? null : addDays(asOf, -from),
});
