import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitWithin, isTooLarge } from '../../islands/photos/shrink.ts';

describe('a photo', () => {
  it.each([
    ['of few bytes and pixels', 600_000, [2000, 1500], false],
    ['of one byte too many', 600_001, [800, 600], true],
    ['that is too wide', 90_000, [2001, 10], true],
    ['that is too high', 90_000, [10, 2001], true],
  ] as const)('%s is made smaller, or left alone', (_, bytes, [width, height], expected) => {
    expect(isTooLarge(bytes, { width, height })).toBe(expected);
  });

  it('fits, keeps its proportions to a pixel, and never grows', () => {
    const side = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(side, side, fc.constantFrom(2000, 1500, 1000), (width, height, most) => {
        const small = fitWithin(most, { width, height });
        expect(Math.max(small.width, small.height)).toBe(Math.min(most, Math.max(width, height)));
        expect(Math.abs(small.width * height - small.height * width)).toBeLessThanOrEqual(
          Math.max(width, height),
        );
        expect(Math.min(small.width, small.height)).toBeGreaterThan(0);
      }),
    );
  });
});
