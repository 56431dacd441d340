import { expect, it } from 'vitest';
import { fitColumns, type PaperColumn } from '../../../../server/formats/pdf/fit.ts';

/** Every character half as wide as high. */
const font = { has: () => true, widthOf: () => 500 };
const fonts = { regular: font, bold: font };
const room = (landscape: boolean) => ({ left: 36, width: (landscape ? 792 : 612) - 72 });

/** A column of names so many characters wide, the longest word in them as long as said. */
const names = (letters: number, word: number): PaperColumn => ({
  heading: ['Correo'],
  hasNote: false,
  isFigure: false,
  isFixed: false,
  isKey: false,
  widest: letters / 2,
  widestWord: word / 2,
});

const widthAt = (columns: PaperColumn[], index: number) => {
  const fit = fitColumns(columns, room, fonts);
  return { ...fit, width: fit.panels[0]!.find((one) => one.index === index)!.width };
};

it('an address is not torn where the paper turned across holds it whole', () => {
  const others = Array.from({ length: 5 }, () => names(24, 10));
  const torn = widthAt([...others, names(38, 0)], 5);
  expect([torn.landscape, torn.width < 19 * torn.size]).toEqual([false, true]);
  const whole = widthAt([...others, names(38, 38)], 5);
  expect(whole.landscape).toBe(true);
  expect(whole.width).toBeGreaterThanOrEqual(19 * whole.size - 0.01);
});

it('a word that no column would hold turns no paper', () => {
  const others = Array.from({ length: 3 }, () => names(24, 10));
  const fit = fitColumns([...others, names(60, 60)], room, fonts);
  expect([fit.landscape, fit.size, fit.panels.length]).toEqual([false, 9.2, 1]);
});
