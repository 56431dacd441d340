import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { amountTicks, type Bar, BarChart } from '../../../shared/ui/BarChart.tsx';

const bars: Bar[] = [
  { label: 'ANTERIORES', short: 'Antes', note: 'antes del 16 nov', cents: 300_00, tone: 'late' },
  { label: 'SEM 47', short: '47', note: '16 – 22 nov', cents: 150_00 },
  { label: 'SEM 48', short: '48', note: '23 – 29 nov', cents: 0 },
  { label: 'SEM 49', short: '49', note: '30 nov – 6 dic', cents: 1 },
];

const draw = (shown: Bar[]) =>
  renderToStaticMarkup(<BarChart caption="Por pagar" headings={['Semana', 'Por pagar']} bars={shown} />);

const numbersOf = (html: string, attribute: string) =>
  [...html.matchAll(new RegExp(`<rect class="bar"[^>]* ${attribute}="([\\d.]+)%?"`, 'g'))].map((match) =>
    Number(match[1]),
  );

describe('a bar chart', () => {
  test('draws each bar as high as its amount, side by side', () => {
    const html = draw(bars);
    const heights = numbersOf(html, 'height');
    expect(heights[0]).toBe(2 * heights[1]!);
    expect(heights.slice(2)).toEqual([0, 1]); // nothing is nothing, one cent can be seen
    expect(numbersOf(html, 'x')).toEqual([5, 30, 55, 80]);
    expect(html).toContain('<g class="late"><g aria-hidden="true"><rect');
  });

  test('a bar leads to what it is the sum of, and says so', () => {
    const html = draw(bars.map((bar) => (bar.cents > 0 ? { ...bar, href: `/x?${bar.short}` } : bar)));
    expect(
      [...html.matchAll(/<a[^>]*href="([^"]*)" aria-label="([^"]*)"/g)].map(([, ...found]) => found),
    ).toEqual([
      ['/x?Antes', 'ANTERIORES (antes del 16 nov): $300.00'],
      ['/x?47', 'SEM 47 (16 – 22 nov): $150.00'],
      ['/x?49', 'SEM 49 (30 nov – 6 dic): $0.01'],
    ]);
  });

  test('its lines are named in whole pesos, and shorter where there is little room', () => {
    const html = draw([
      { ...bars[0]!, cents: 600_000_000 },
      { ...bars[1]!, cents: 50_000_000 },
    ]);
    expect(html).toContain('>$2,000,000</text>');
    expect(html).toContain('>$2 M</text>');
    expect(html).not.toMatch(/class="tick[^>]*>[^<]*\.00</);
    expect(draw([{ ...bars[0]!, cents: 100_000_00 }])).toContain('>$25 mil</text>');
    expect(draw([{ ...bars[0]!, cents: 9_00 }])).toContain('>$2.50</text>');
  });

  test('is a table for those who do not see it, and the rest of the drawing is silent', () => {
    const html = draw(bars);
    expect(html).toMatch(/<svg[^>]*role="group" aria-label="Por pagar"/);
    expect(html.replace(/<g[^>]* aria-hidden="true">.*?<\/g>/gs, '')).not.toContain('<text');
    expect(html).toContain('<caption class="visually-hidden">Por pagar</caption>');
    expect(html).toMatch(/<td[^>]*>SEM 47 \(16 – 22 nov\)<\/td><td[^>]*><span class="money">\$150\.00</);
    expect([...html.matchAll(/<tr/g)]).toHaveLength(1 + bars.length);
  });

  test('with nothing in it is still a chart', () => {
    expect(draw(bars.map((bar) => ({ ...bar, cents: 0 })))).not.toMatch(/NaN|Infinity/);
  });
});

describe('the lines of a chart', () => {
  test.each([
    [0, [0, 100]],
    [99, [0, 100]],
    [400, [0, 100, 200, 300, 400]],
    [401, [0, 200, 400, 600]],
    [99_999_999, [0, 25_000_000, 50_000_000, 75_000_000, 100_000_000]],
  ])('of %i cents are %j', (most, ticks) => {
    expect(amountTicks(most)).toEqual(ticks);
  });

  test('are round, few, and reach the highest bar', () => {
    for (let most = 1; most < Number.MAX_SAFE_INTEGER / 20; most = Math.ceil(most * 1.37)) {
      const ticks = amountTicks(most);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.every(Number.isSafeInteger)).toBe(true);
    }
  });
});
