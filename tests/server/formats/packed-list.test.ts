import { describe, expect, it } from 'vitest';
import { PackedList } from '../../../server/formats/packed-list.ts';

const filled = (count: number) => {
  const list = new PackedList<{ n: number }>();
  for (let n = 0; n < count; n++) list.push({ n });
  return list;
};
const numbers = (rows: Iterable<{ n: number }>) => [...rows].map(({ n }) => n);

describe('a packed list', () => {
  it.each([0, 1, 499, 500, 501, 1700])('of %i rows gives them back in order, as often as asked', (count) => {
    const list = filled(count);
    const all = Array.from({ length: count }, (_, n) => n);
    expect(list).toHaveLength(count);
    expect(numbers(list)).toEqual(all);
    expect(numbers(list)).toEqual(all);
    for (const [from, to] of [
      [0, 3],
      [490, 1010],
      [600, undefined],
    ] as const)
      expect(numbers(list.slice(from, to))).toEqual(all.slice(from, to));
  });

  it('opens the packs of single rows', () => {
    const list = filled(1700);
    for (const n of [3, 1699, 499, 500, 0]) expect(list.at(n)).toEqual({ n });
  });

  it('is handed over pack by pack', () => {
    const other = new PackedList<{ n: number }>();
    const list = new PackedList<{ n: number }>((pack, count) => other.addPack(pack, count));
    for (let n = 0; n < 1200; n++) list.push({ n });
    expect(other).toHaveLength(1000);
    list.end();
    expect(numbers(other)).toEqual(Array.from({ length: 1200 }, (_, n) => n));
    expect(() => other.addPack(new Uint8Array(), 1)).toThrow('not full');
  });
});
