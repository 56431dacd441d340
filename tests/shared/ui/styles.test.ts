import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../islands/styles');
const sheets = readdirSync(folder).map((name) => ({ name, css: readFileSync(join(folder, name), 'utf8') }));
const all = sheets.map((sheet) => sheet.css).join('\n');
const rules = withoutComments(all);

/** The entry sheets: lists load only the first, other pages both. */
const ENTRIES = ['app.css', 'pages.css'];

/** Only pages with charts load this sheet, so it declares its layers itself. */
const OWN = 'charts.css';
const own = sheets.find(({ name }) => name === OWN)?.css ?? '';
const shared = sheets.filter(({ name }) => name !== OWN);

test('the stylesheet loads nothing from outside', () => {
  expect(all).not.toMatch(/https?:|\/\//);
  const files = [...all.matchAll(/url\("?([^")]+)/g)].map((match) => match[1]);
  expect(files).toEqual([expect.stringMatching(/^@fontsource-variable\/.*-latin-wght-normal\.woff2$/)]);
});

test('every sheet is imported once, into a layer', () => {
  const imported = [...all.matchAll(/@import "\.\/([\w-]+\.css)"(?: layer\(\w+\))?;/g)].map(
    (match) => match[1],
  );
  expect([...imported, ...ENTRIES].sort()).toEqual(sheets.map(({ name }) => name).sort());
  expect(all.match(/@import[^;]*"(?=;)/g)).toEqual([`@import "./${OWN}"`]);
  expect(withoutComments(own).trim()).toMatch(/^@layer components \{/);
});

test('every custom property that is used is defined', () => {
  const used = [...all.matchAll(/var\((--[\w-]+)\)/g)].map((match) => match[1]);
  const defined = new Set([...all.matchAll(/(--[\w-]+):/g)].map((match) => match[1]));
  expect(used.filter((name) => !defined.has(name!))).toEqual([]);
});

/** The breakpoints in em of the browser's font size, each with what changes from there on. */
const WIDTHS = {
  22.5: 'the bar is one line, and a week has room between names and totals',
  48: 'rows are lines of a table, no cards',
  64: 'two parts of a page stand side by side',
  77.5: 'the menu is a column',
  100: 'forms and texts have two columns',
  112: 'a row of invoices is one line',
};

test('the layout changes at six widths of the window', () => {
  const queries = [...rules.matchAll(/@media[^{]*/g)].flatMap(
    ([query]) => query.replace(/\(height[^)]*\)/g, '').match(/[\d.]+(?=em|px)/g) ?? [],
  );
  expect([...new Set(queries.map(Number))].sort((a, b) => a - b)).toEqual(
    Object.keys(WIDTHS)
      .map(Number)
      .sort((a, b) => a - b),
  );
});

test('the sheets grow no further', () => {
  expect(sheets.flatMap(({ css }) => css.match(/\n/g)).length).toBeLessThanOrEqual(4_800);
});

test('a measure in pixels is a token if it is used repeatedly', () => {
  const lengths = rules.match(/\d+px/g) ?? [];
  expect(lengths.length).toBeLessThanOrEqual(250);
});

describe('a class', () => {
  const root = join(folder, '../..');
  const files = globSync('{islands,server,shared}/**/*.{ts,tsx}', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const code = files.join('\n');
  const styled = new Set(
    [...rules.replace(/"[^"]*"/g, '').matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!),
  );

  test('in the markup has a rule', () => {
    const written = [...code.matchAll(/className="([^"]+)"/g)].flatMap(([, names]) => names!.split(' '));
    expect(written.length).toBeGreaterThan(300);
    expect(written.filter((name) => !styled.has(name))).toEqual([]);
  });

  // The class's own sheet, base.css for shared rules, and overrides.css.
  test('is styled in three sheets at most', () => {
    const sheetsOf = new Map<string, Set<string>>();
    for (const { name, css } of shared)
      for (const styledHere of subjectsOf(css))
        sheetsOf.set(styledHere, (sheetsOf.get(styledHere) ?? new Set()).add(name));
    expect(sheetsOf.size).toBeGreaterThan(200);
    expect([...sheetsOf].filter(([, names]) => names.size > 3)).toEqual([]);
    expect(sheets.length).toBeLessThanOrEqual(32);
  });

  test('with a rule is in the markup, by its full name or by its beginning', () => {
    // Each file on its own, because a lone backtick would shift the texts of all later files.
    const texts = files.flatMap((text) => text.match(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g) ?? []).join('\n');
    const words = new Set(texts.match(/[a-z][\w-]*/g));
    const begun = [...texts.matchAll(/([a-z]+-)\$\{/g)].map(([, start]) => start!);
    const unused = [...styled].filter(
      (name) => !words.has(name) && !begun.some((start) => name.startsWith(start)),
    );
    expect(unused).toEqual([]);
  });
});

type Theme = 'light' | 'dark';

/** Text on its ground reaches 4.5:1 (WCAG 1.4.3); edges of controls and marks reach 3:1 (1.4.11). */
const TEXT: [text: string, grounds: string[]][] = [
  [
    'ink',
    ['paper', 'sheet', 'shade', 'band', 'hover', 'accent-soft', 'red-soft', 'amber-soft', 'green-soft'],
  ],
  ['soft', ['paper', 'sheet', 'shade', 'band', 'hover']],
  ['accent', ['paper', 'sheet', 'hover', 'accent-soft']],
  ['accent-deep', ['paper', 'sheet', 'accent-soft', 'hover']],
  ['on-accent', ['accent', 'accent-deep']],
  ['on-spine', ['spine']],
  ['red', ['paper', 'sheet', 'shade', 'band', 'hover', 'red-soft']],
  ['amber', ['paper', 'sheet', 'amber-soft', 'hover']],
  ['green', ['paper', 'sheet', 'green-soft', 'hover']],
  ['sheet', ['red', 'amber', 'accent']], // the count on the bell
  ['paper', ['ink']], // tooltips
];

const EDGES: [edge: string, grounds: string[]][] = [
  ['edge', ['paper', 'sheet']],
  ['accent', ['paper', 'sheet', 'shade']], // the focus ring
  ['red', ['sheet', 'red-soft']],
];

describe.each<Theme>(['light', 'dark'])('in the %s theme', (theme) => {
  const cases = (pairs: typeof TEXT) =>
    pairs.flatMap(([front, grounds]) => grounds.map((ground) => [front, ground] as const));

  test.each(cases(TEXT))('%s on %s is readable', (front, ground) => {
    expect(contrast(token(front, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(cases(EDGES))('%s on %s is visible', (front, ground) => {
    expect(contrast(token(front, theme), token(ground, theme))).toBeGreaterThanOrEqual(3);
  });
});

test('in dark mode sums are lighter than the page, heavy rules do not glare, and red is red', () => {
  const [lightness] = token('paper', 'dark');
  expect(token('band', 'dark')[0]).toBeGreaterThan(lightness + 0.04);
  expect(contrast(token('line', 'dark'), token('paper', 'dark'))).toBeGreaterThanOrEqual(3);
  expect(contrast(token('line', 'dark'), token('paper', 'dark'))).toBeLessThan(6);
  const [, chroma, hue] = token('red', 'dark');
  expect(chroma).toBeGreaterThanOrEqual(0.16); // a paler red would be pink
  expect(Math.abs(hue - 27)).toBeLessThanOrEqual(4);
});

/** Finds the classes of the elements that a sheet's rules style: `btn` in `.alert > .btn:not(.btn-quiet)`. */
function subjectsOf(css: string): Set<string> {
  const found = new Set<string>();
  const enclosing: string[][] = [];
  for (const [, prelude, brace] of withoutComments(css).matchAll(/([^{};]*)([{};])/g)) {
    const outer = enclosing.at(-1) ?? [];
    if (brace === '}') enclosing.pop();
    else if (brace === '{')
      enclosing.push(prelude!.trim().startsWith('@') ? outer : lastClasses(prelude!, outer));
    else for (const name of outer) found.add(name);
  }
  return found;
}

/** @param outer the classes that `&` stands for */
function lastClasses(selectors: string, outer: string[]): string[] {
  return split(selectors, ',').flatMap((selector) => {
    const last = split(selector.replace(/[>+~]/g, ' '), ' ').at(-1) ?? '';
    const compound = last.replace(/:(not|has)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, '');
    const [, choices = ''] = /:(?:is|where)\((.*)\)/.exec(compound) ?? [];
    const named = [...compound.replace(`(${choices})`, '').matchAll(/\.([a-z][\w-]*)/g)].map(
      ([, name]) => name!,
    );
    return [...named, ...(choices ? lastClasses(choices, outer) : []), ...(last.includes('&') ? outer : [])];
  });
}

/** Splits at separators outside of brackets. */
function split(text: string, separator: ',' | ' '): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text.replace(/\s+/g, ' ')) {
    if ('(['.includes(character)) depth++;
    if (')]'.includes(character)) depth--;
    if (character === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

function withoutComments(css: string): string {
  return css.replace(/\/\*.*?\*\//gs, '');
}

type Oklch = [lightness: number, chroma: number, hue: number];

function token(name: string, theme: Theme): Oklch {
  const colour = 'oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)';
  const found = new RegExp(`--${name}: light-dark\\(${colour}, ${colour}\\)`).exec(all);
  if (!found) throw new Error(`--${name} is no colour of tokens.css`);
  return found
    .slice(1)
    .map(Number)
    .slice(theme === 'light' ? 0 : 3, theme === 'light' ? 3 : 6) as Oklch;
}

/** WCAG 2.2, contrast ratio. */
function contrast(a: Oklch, b: Oklch): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance by way of linear sRGB (matrices of CSS Color 4), out-of-gamut parts cut off. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  const cut = (part: number) => Math.min(1, Math.max(0, part));
  return 0.2126 * cut(red) + 0.7152 * cut(green) + 0.0722 * cut(blue);
}
