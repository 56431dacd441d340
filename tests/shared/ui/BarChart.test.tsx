import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { type Bar, BarChart, chooseAmountTicks } from '../../../shared/ui/BarChart.tsx';

const bar = (label: string, note: string, ...amounts: number[]): Bar => ({
  label,
  note,
  amounts: amounts.map((cents) => ({ cents })),
});

const bars: Bar[] = [
  bar('SEM 46', '9 – 15 nov', 300_00),
  bar('SEM 47', '16 – 22 nov', 150_00),
  bar('SEM 48', '23 – 29 nov', 0),
  bar('SEM 49', '30 nov – 6 dic', 1),
];

const draw = (shown: Bar[], series = ['Por pagar']) =>
  renderToStaticMarkup(<BarChart caption="Por pagar" heading="Semana" series={series} bars={shown} />);

const numbersOf = (html: string, attribute: string, bar = 'bar-0') =>
  [...html.matchAll(new RegExp(`<rect class="${bar}" [^>]*\\b${attribute}="([\\d.]+)%?"`, 'g'))].map(
    (match) => Number(match[1]),
  );

describe('a bar chart', () => {
  test('draws each bar as high as its amount, side by side', () => {
    const html = draw(bars);
    const heights = numbersOf(html, 'height');
    expect(heights[0]).toBe(2 * heights[1]!);
    expect(heights.slice(2)).toEqual([0, 1]); // nothing is nothing, one cent can be seen
    expect(numbersOf(html, 'x')).toEqual([4.5, 29.5, 54.5, 79.5]);
  });

  test('keeps amounts and notes within half a page if there are few places', () => {
    const months = Array.from({ length: 12 }, (_, at) => bar(`mes ${at}`, '2026', 100_00));
    expect([draw(bars), draw(months)].map((html) => /class="chart ([^"]*)"/.exec(html)?.[1])).toEqual([
      'of-1 few',
      'of-1',
    ]);
  });

  test('draws two bars for each place of two series, on one scale, and names them', () => {
    const html = draw(
      [bar('oct', '2026', 400_00, 100_00), bar('nov', '2026', 0, 200_00)],
      ['Facturado', 'Pagado'],
    );
    const [billed, paid] = [numbersOf(html, 'height'), numbersOf(html, 'height', 'bar-1').slice(1)];
    expect(billed[1]).toBe(4 * paid[0]!);
    expect(billed.slice(2)).toEqual([0]);
    expect(html).toMatch(/<p class="legend"><span><svg[^>]*><rect[^>]*><\/rect><\/svg>Facturado<\/span>/);
    expect(html).toMatch(
      /<td[^>]*>oct \(2026\)<\/td><td[^>]*data-label="Facturado"[^>]*><span class="money">\$400\.00/,
    );
  });

  test('says in the legend what bars below zero are, if there are any', () => {
    const legendOf = (left: number) =>
      /<p class="legend">(.*?)<\/p>/.exec(
        renderToStaticMarkup(
          <BarChart
            caption="Flujo"
            series={['Sale', 'Queda']}
            negativeLabel="Falta"
            bars={[bar('SEM 46', '9 – 15 nov', 300_00, left)]}
          />,
        ),
      )![1];
    expect(legendOf(-1)).toMatch(/<rect class="late"[^>]*><\/rect><\/svg>Falta<\/span>$/);
    expect(legendOf(0)).not.toContain('Falta');
  });

  test('links a bar, and its figure in the table, to the rows that it sums', () => {
    const html = draw(
      bars.map(({ amounts, ...rest }) => ({
        ...rest,
        amounts: amounts.map(({ cents }) => ({
          cents,
          href: cents > 0 ? `/x?${rest.label.slice(4)}` : undefined,
        })),
      })),
    );
    expect(
      [...html.matchAll(/<a[^>]*href="([^"]*)" aria-label="([^"]*)"/g)].map(([, ...found]) => found),
    ).toEqual([
      ['/x?46', 'SEM 46 (9 – 15 nov): $300.00'],
      ['/x?47', 'SEM 47 (16 – 22 nov): $150.00'],
      ['/x?49', 'SEM 49 (30 nov – 6 dic): $0.01'],
    ]);
    expect(html).toContain('<a href="/x?47" class="money">$150.00</a>');
  });

  test('labels its lines with few digits', () => {
    expect(draw([bar('a', '', 600_000_000), bar('b', '', 50_000_000)])).toContain('>$2 M</text>');
    expect(draw([bar('a', '', 100_000_00)])).toContain('>$25 mil</text>');
    expect(draw([bar('a', '', 9_00)])).toContain('>$2.50</text>');
  });

  test('is a table for screen readers, and the drawing is hidden from them', () => {
    const html = draw(bars);
    expect(html).toMatch(/<svg[^>]*role="group" aria-label="Por pagar"/);
    expect(html.replace(/<g[^>]* aria-hidden="true">.*?<\/g>/gs, '')).not.toContain('<text');
    expect(html).toMatch(
      /<details class="behind"><summary>Ver las cifras<\/summary><div class="table-wrap"><table/,
    );
    expect(html).toMatch(/<td[^>]*>SEM 47 \(16 – 22 nov\)<\/td><td[^>]*><span class="money">\$150\.00</);
    expect([...html.matchAll(/<tr/g)]).toHaveLength(1 + bars.length);
  });

  test('is a chart even if it is empty', () => {
    expect(draw(bars.map(({ label, note }) => bar(label, note, 0)))).not.toMatch(/NaN|Infinity/);
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
    expect(chooseAmountTicks(most)).toEqual(ticks);
  });

  test('are round, few, and reach the highest bar', () => {
    for (let most = 1; most < Number.MAX_SAFE_INTEGER / 20; most = Math.ceil(most * 1.37)) {
      const ticks = chooseAmountTicks(most);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.every(Number.isSafeInteger)).toBe(true);
    }
  });
});
