import { SQL, XSS } from '../security/payloads.ts';

/** Makes numbers that look random and repeat for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** from 0 up to, not including, 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** a whole number from `min` to `max` */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

export interface KnownValues {
  value?: unknown;
  choices?: readonly unknown[];
}

/** Makes a value that a well-meaning caller could send in a field of this name; `idOf` finds rows that exist. */
export function createPlausibleValue(
  name: string,
  random: Random,
  { value, choices }: KnownValues = {},
  idOf: (name: string, random: Random) => number | string = (_name, own) => own.int(1, 2600),
): unknown {
  if (choices && /id$/i.test(name) && random.chance(0.5)) return random.pick(choices);
  if (/id(user)?$|^cfdi$|^pdf$/i.test(name) && random.chance(0.9)) return idOf(name, random);
  if (choices && choices.length > 0 && random.chance(0.7)) return random.pick(choices);
  if (value !== undefined && value !== '' && random.chance(0.5)) return value;
  const [, make] = VALUE_CREATORS_BY_NAME.find(([pattern]) => pattern.test(name)) ?? [];
  return make ? make(random) : `Texto ${random.int(1, 1e6).toString(36)}`;
}

const day = (random: Random) => new Date(Date.UTC(2026, 0, random.int(-700, 700))).toISOString().slice(0, 10);

const VALUE_CREATORS_BY_NAME: ReadonlyArray<readonly [RegExp, (random: Random) => unknown]> = [
  [/^roles$/, (random) => [random.int(1, 6)]],
  [/fecha|date|desde|hasta|corte|openedOn|^from$|^to$/i, day],
  [/^tasa$/, (random) => random.pick([0, 8, 16, 10.6667, 12.5])],
  [/amount|subtotal|opening|pago$/i, (random) => random.int(1, 500_000) / 100],
  [/retenciones|otrosimpuestos/, (random) => random.int(0, 500) / 100],
  [/^version$/, (random) => random.int(1, 3)],
  [/^limit$/, (random) => random.int(1, 100)],
  [/diascredito/, (random) => random.int(0, 365)],
  [/weeknum/, (random) => random.int(1, 53)],
  [/^yr$|year/, (random) => random.int(2024, 2027)],
  [/sorttype/, (random) => random.pick(['ASC', 'desc'])],
  [/^active$|allowDuplicate/, (random) => random.pick([true, 'true', 'on'])],
  [/phone/, (random) => `(55) ${random.int(1000, 9999)}-${random.int(1000, 9999)}`],
  [/mail/, (random) => `persona${random.int(1, 1e6)}@saldo.test`],
  [/password|psw/, (random) => `una clave larga ${random.int(1, 1e6)}`],
  [/^rfc$/, (random) => random.pick(['', 'XAXX010101000', 'GODE561231GR8'])],
  [/kind/, (random) => random.pick(['ingreso', 'gasto'])],
];

const HOSTILE_NUMBERS = [
  ...[0, -0, -1, 1.5, 0.001, 1e308, -1e308, 1e21, 2 ** 31, 2 ** 53, 2 ** 63],
  ...[9_999_999_999.99, 10_000_000_000],
];
const OTHER_TYPES: readonly unknown[] = [
  ...[null, true, false, [], {}, [1], ['a', 'b'], [[]], { $gt: '' }, { toString: 1 }],
];
const HOSTILE_TEXTS = [
  ...'NaN Infinity -0 1e5 0x10 1,16 1,160.50 $-5 --5 ٣ １２ 9007199254740993 undefined null 1/0 5*(2'.split(
    ' ',
  ),
  ...'2026-02-30 2026-13-01 0000-00-00 2026-11-20T25:00 99999-01-01 -2026-01-01 % _ \\% " * =1+1'.split(' '),
  ...'__proto__ constructor toString ../../etc/passwd //evil.test Ñandú ｆｕｌｌ İ ﬀ 👩‍👩‍👧'.split(' '),
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\u202Etxt', '\uFEFF', '\r\nSet-Cookie: a=b', 'NEAR(a b)'],
];

const createNestedArrays = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

/** Makes a value longer than any field, or deeper, but within the limits of a request. */
const OVERSIZED_VALUE_CREATORS: readonly ((random: Random) => unknown)[] = [
  (random) => 'x'.repeat(random.int(200, 20_000)),
  (random) => '😀'.repeat(random.int(100, 3000)),
  (random) => '1'.repeat(random.int(20, 5000)),
  (random) => `${' '.repeat(random.int(100, 50_000))}x`,
  () => `a${'\u0301'.repeat(5000)}`,
  (random) => createNestedArrays(random.int(10, 500)),
  (random) => Array.from({ length: random.int(50, 2000) }, (_, n) => n),
];

export function createHostileValue(random: Random): unknown {
  if (random.chance(0.15)) return random.pick(OVERSIZED_VALUE_CREATORS)(random);
  return random.pick(
    random.pick<readonly unknown[]>([HOSTILE_NUMBERS, OTHER_TYPES, HOSTILE_TEXTS, HOSTILE_TEXTS, SQL, XSS]),
  );
}
