import { fold } from '../../../shared/text.ts';

export type Direction = 'out' | 'in';

/** Further words of a bank, as the firm has written them down. */
export type SignWords = Readonly<Record<Direction, readonly string[]>>;

const NO_WORDS: SignWords = { out: [], in: [] };

const KNOWN: Readonly<Record<string, Direction>> = {
  ...wordsOf(
    'out',
    '- cargo retiro debito debe egreso salida pago d dr db dbit debit withdrawal enviado enviada',
  ),
  ...wordsOf('in', '+ abono deposito credito haber ingreso entrada cr crdt credit deposit recibido recibida'),
};

/** Of a single letter its partner in the same column says what it stands for: D and C, C and A, S (soll) and H (haben). */
const BESIDE: Readonly<Record<string, Readonly<Record<string, Direction>>>> = {
  c: { d: 'in', a: 'out' },
  a: { c: 'in', d: 'in' },
  s: { h: 'out' },
  h: { s: 'in' },
};

/** Behind one of the words above these turn it round, or may. */
const TURNING = /^(re?vers|devol|devuel|cancel|anul|rechaz|correc|client|no$)/;

/**
 * Tells which way money went by each word of a column of signs: "Cargo SPEI", "DÉBITOS", "CR", "−".
 * @returns undefined for a word that is not known, or that says both
 */
export function directionsOf(
  texts: Iterable<string>,
  further: SignWords = NO_WORDS,
): Map<string, Direction | undefined> {
  const keys = new Map([...texts].map((text) => [text, signKey(text)]));
  const own: Record<string, Direction> = {};
  for (const direction of ['out', 'in'] as const)
    for (const word of further[direction]) own[signKey(word)] = direction;
  const all = new Set(keys.values());
  return new Map([...keys].map(([text, key]) => [text, directionOf(key, all, own)]));
}

function directionOf(
  key: string,
  all: ReadonlySet<string>,
  own: Readonly<Record<string, Direction>>,
): Direction | undefined {
  if (Object.hasOwn(own, key)) return own[key];
  const beside = Object.hasOwn(BESIDE, key) ? BESIDE[key] : undefined;
  if (beside)
    return oneOf(
      Object.keys(beside)
        .filter((other) => all.has(other))
        .map((other) => beside[other]!),
    );
  const knownOf = (word: string) =>
    [word, word.replace(/s$/, ''), word.replace(/es$/, '')].flatMap((one) =>
      Object.hasOwn(own, one) ? own[one]! : Object.hasOwn(KNOWN, one) ? KNOWN[one]! : [],
    )[0];
  const [first = '', ...rest] = key.split(' ');
  if (rest.length > 0 && (first.length === 1 || rest.some((word) => TURNING.test(word)))) return undefined;
  const said = knownOf(first);
  return said && oneOf([said, ...rest.flatMap((word) => knownOf(word) ?? [])]);
}

const oneOf = (directions: readonly Direction[]): Direction | undefined =>
  new Set(directions).size === 1 ? directions[0] : undefined;

/** Words without accents, dots and brackets; of a text without any its sign. */
const signKey = (text: string): string =>
  fold(text)
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? text.replace(/[\s'"()]/g, '').replace(/^[−–—]$/, '-');

function wordsOf(direction: Direction, words: string): Record<string, Direction> {
  return Object.fromEntries(words.split(' ').map((word) => [word, direction]));
}
