import { expect, it } from 'vitest';
import { LETTER } from '../../../../server/formats/pdf/document.ts';
import { fitColumns, type PaperColumn } from '../../../../server/formats/pdf/fit.ts';

/** Every character half as wide as high. */
const font = { has: () => true, widthOf: () => 500 };
const fonts = { regular: font, bold: font };

/** A column of names so many characters wide, the longest word in them as long as said. */
const names = (letters: number, word: number): PaperColumn => ({
  heading: ['Correo'],
  hasNote: false,
  kind: 'text',
  isKey: false,
  widest: letters / 2,
  widestWord: word / 2,
});

const widthAt = (columns: PaperColumn[], index: number) => {
  const fit = fitColumns(columns, fonts);
  return { ...fit, width: fit.panels[0]!.find((one) => one.index === index)!.width };
};

it('an address is not torn where the paper turned across holds it whole', () => {
  const others = Array.from({ length: 5 }, () => names(24, 10));
  const torn = widthAt([...others, names(38, 0)], 5);
  expect([torn.paper === LETTER, torn.width < 19 * torn.size]).toEqual([true, true]);
  const whole = widthAt([...others, names(38, 38)], 5);
  expect(whole.paper).not.toBe(LETTER);
  expect(whole.width).toBeGreaterThanOrEqual(19 * whole.size - 0.01);
});

it('a word that no column would hold turns no paper', () => {
  const others = Array.from({ length: 3 }, () => names(24, 10));
  const fit = fitColumns([...others, names(60, 60)], fonts);
  expect([fit.paper, fit.size, fit.panels.length]).toEqual([LETTER, 9.2, 1]);
});
