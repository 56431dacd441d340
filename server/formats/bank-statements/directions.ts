import { fold } from '../../../shared/text.ts';

export type MoneyDirection = 'out' | 'in';

export type SignWords = Readonly<Record<MoneyDirection, readonly string[]>>;

const NO_SIGN_WORDS: SignWords = { out: [], in: [] };

const DIRECTIONS_BY_WORD: Readonly<Record<string, MoneyDirection>> = {
  ...mapWordsToDirection(
    'out',
    '- cargo retiro debito debe egreso salida pago d dr db dbit debit withdrawal enviado enviada',
  ),
  ...mapWordsToDirection(
    'in',
    '+ abono deposito credito haber ingreso entrada cr crdt credit deposit recibido recibida',
  ),
};

/** A letter's meaning depends on the other letter of its column: D and C, C and A, S (soll) and H (haben). */
const DIRECTIONS_BY_LETTER_PAIR: Readonly<Record<string, Readonly<Record<string, MoneyDirection>>>> = {
  c: { d: 'in', a: 'out' },
  a: { c: 'in', d: 'in' },
  s: { h: 'out' },
  h: { s: 'in' },
};

/** Word beginnings that reverse, or may reverse, the direction of the word before them. */
const REVERSING_WORD_PATTERN = /^(re?vers|devol|devuel|cancel|anul|rechaz|correc|client|no$)/;

/**
 * Finds the direction of the money for each word of a column: "Cargo SPEI", "DÉBITOS", "CR", "−".
 * @returns undefined for a word that is unknown, or that means both
 */
export function findDirections(
  texts: Iterable<string>,
  extraWords: SignWords = NO_SIGN_WORDS,
): Map<string, MoneyDirection | undefined> {
  const keys = new Map([...texts].map((text) => [text, normalizeSignText(text)]));
  const extraDirections: Record<string, MoneyDirection> = {};
  for (const direction of ['out', 'in'] as const)
    for (const word of extraWords[direction]) extraDirections[normalizeSignText(word)] = direction;
  const all = new Set(keys.values());
  return new Map([...keys].map(([text, key]) => [text, findDirection(key, all, extraDirections)]));
}

function findDirection(
  key: string,
  all: ReadonlySet<string>,
  extraDirections: Readonly<Record<string, MoneyDirection>>,
): MoneyDirection | undefined {
  if (Object.hasOwn(extraDirections, key)) return extraDirections[key];
  const partners = Object.hasOwn(DIRECTIONS_BY_LETTER_PAIR, key) ? DIRECTIONS_BY_LETTER_PAIR[key] : undefined;
  if (partners)
    return findSingleDirection(
      Object.keys(partners)
        .filter((other) => all.has(other))
        .map((other) => partners[other]!),
    );
  const findKnownDirection = (word: string) =>
    [word, word.replace(/s$/, ''), word.replace(/es$/, '')].flatMap((one) =>
      Object.hasOwn(extraDirections, one)
        ? extraDirections[one]!
        : Object.hasOwn(DIRECTIONS_BY_WORD, one)
          ? DIRECTIONS_BY_WORD[one]!
          : [],
    )[0];
  const [first = '', ...rest] = key.split(' ');
  if (rest.length > 0 && (first.length === 1 || rest.some((word) => REVERSING_WORD_PATTERN.test(word))))
    return undefined;
  const firstDirection = findKnownDirection(first);
  return (
    firstDirection &&
    findSingleDirection([firstDirection, ...rest.flatMap((word) => findKnownDirection(word) ?? [])])
  );
}

const findSingleDirection = (directions: readonly MoneyDirection[]): MoneyDirection | undefined =>
  new Set(directions).size === 1 ? directions[0] : undefined;

const normalizeSignText = (text: string): string =>
  fold(text)
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? text.replace(/[\s'"()]/g, '').replace(/^[−–—]$/, '-');

function mapWordsToDirection(direction: MoneyDirection, words: string): Record<string, MoneyDirection> {
  return Object.fromEntries(words.split(' ').map((word) => [word, direction]));
}
