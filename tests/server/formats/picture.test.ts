import { describe, expect, it } from 'vitest';
import { inspectPicture } from '../../../server/formats/picture.ts';
import { buildPdf, buildWebp, REFUSED_FILES } from '../../support/files.ts';
import { timeLimitFactor } from '../../support/patience.ts';
import { buildPng, SAMPLE_JPEG } from '../../support/pictures.ts';

describe('a picture', () => {
  it.each([0, 2, 3, 4, 6])('states its size as a PNG of colour type %i', (colour) => {
    expect(inspectPicture(buildPng(30, 7, { colour }))).toEqual({ kind: 'png', width: 30, height: 7 });
  });

  it('states its size as a JPEG, whatever follows its end', () => {
    expect(inspectPicture(SAMPLE_JPEG)).toEqual({ kind: 'jpeg', width: 12, height: 8 });
    expect(inspectPicture(Buffer.concat([SAMPLE_JPEG, Buffer.from('\0\0')]))).toMatchObject({ width: 12 });
  });

  it.each(Object.entries({ ...REFUSED_FILES, PDF: buildPdf(), WebP: buildWebp() }))(
    'is refused as %s',
    (_, bytes) => {
      expect(inspectPicture(bytes)).toBeUndefined();
    },
  );

  it('is damaged if it stops before its end', () => {
    for (const whole of [buildPng(30, 7), SAMPLE_JPEG])
      for (let length = 9; length < whole.length; length++)
        expect(() => inspectPicture(whole.subarray(0, length))).toThrow(RangeError);
  });

  it('is damaged if any byte of a PNG was changed', () => {
    const whole = buildPng(20, 5);
    for (let at = 8; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1;
      expect(() => inspectPicture(changed)).toThrow(RangeError);
    }
  });

  it('is damaged if it has fewer or more pixels than stated, and an enormous one is not unpacked', () => {
    const short = Buffer.concat([buildPng(10, 4).subarray(0, 33), buildPng(10, 5).subarray(33)]);
    expect(() => inspectPicture(short)).toThrow(RangeError);
    const began = performance.now();
    expect(inspectPicture(buildPng(9_000, 9_000, { colour: 0 }))).toMatchObject({ width: 9_000 });
    expect(performance.now() - began).toBeLessThan(10_000 * timeLimitFactor());
  });
});
