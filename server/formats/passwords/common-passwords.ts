import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { findPasswordProblem, generatePassword, removeDisguise } from '../../../shared/passwords.ts';
import { fold } from '../../../shared/text.ts';

export const PASSWORDS_FILE = 'common-passwords.bin';

/** These passwords are common in Mexico and in construction, and missing from the packages. */
const LOCAL_COMMON_PASSWORDS =
  'estrellita teamomucho tequieromucho diosesamor holamundo mivida miamor bonita hermosa chiquita princesita tigres ' +
  'construccion constructora contabilidad residente albanil albañil';

/** Hashes are cut to so many bytes, which is enough that no two words collide. */
const HASH_BYTES = 6;
const MIN_WHOLE_WORD_LENGTH = 8;
/** This many of the most common passwords are refused also with digits and signs around them. */
const COMMON_CORE_COUNT = 10_000;
/** A word this long is refused with any digits around it, a shorter one only with the most obvious digits. */
const MIN_CORE_LENGTH = 5;
const MIN_SHORT_CORE_LENGTH = 3;
const OBVIOUS_DIGITS_PATTERN = /(19|20)\d\d|1234|(\d)\2\2/;
/** Passwords with a longer common word are rare, and long enough together with the other characters. */
const MAX_CORE_LENGTH = 11;

/** @param userWords the user's own words, of which the password must not consist */
export const findWeakness = (password: string, userWords?: readonly string[]): string | undefined =>
  findPasswordProblem(password, userWords) ??
  (isListedPassword(fold(password)) ? 'una contraseña menos común' : undefined);

/** Generates another if the password is weak, because one in ten thousand happens to be a word with digits. */
export function generateStrongPassword(): string {
  const password = generatePassword();
  return findWeakness(password) ? generateStrongPassword() : password;
}

function isListedPassword(plain: string): boolean {
  const core = plain.replace(/^[^a-zñ]+/, '').replace(/[^a-zñ]+$/, '');
  return (
    isKeyInList(keyOfWholePassword(plain)) ||
    isCommonCore(core, plain, MIN_CORE_LENGTH) ||
    // One letter more, since otherwise generated passwords would match too often by chance.
    isCommonCore(removeDisguise(core), plain, MIN_CORE_LENGTH + 1)
  );
}

function isCommonCore(word: string, plain: string, length: number): boolean {
  if (word.length < length && !(word.length >= MIN_SHORT_CORE_LENGTH && OBVIOUS_DIGITS_PATTERN.test(plain)))
    return false;
  return isKeyInList(keyOfCore(word)) || (word.endsWith('s') && isKeyInList(keyOfCore(word.slice(0, -1))));
}

const keyOfWholePassword = (text: string) => `=${text}`;
const keyOfCore = (text: string) => `~${text}`;

/** The hashes are sorted and concatenated: half a megabyte, searched in place. */
let cachedHashes: Buffer | undefined;

function isKeyInList(key: string): boolean {
  cachedHashes ??= readHashes();
  const wanted = Buffer.from(hashOf(key), 'hex');
  let [from, to] = [0, cachedHashes.length / HASH_BYTES];
  while (from < to) {
    const middle = (from + to) >> 1;
    const start = middle * HASH_BYTES;
    const order = wanted.compare(cachedHashes, start, start + HASH_BYTES);
    if (order === 0) return true;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  return false;
}

const hashOf = (key: string): string => hash('sha256', key, 'hex').slice(0, 2 * HASH_BYTES);

function readHashes(): Buffer {
  if (import.meta.filename.endsWith('.ts')) return packCommonPasswords();
  const here = import.meta.dirname;
  return readFileSync(join(basename(here) === 'assets' ? join(here, '..') : here, PASSWORDS_FILE));
}

export function packCommonPasswords(): Buffer {
  const load = createRequire(import.meta.url);
  const common = readPackageWords(load('@zxcvbn-ts/language-common'), 'passwords-common');
  const spanish = load('@zxcvbn-ts/language-es-es');
  const words = SPANISH_LIST_NAMES.flatMap((name) => readPackageWords(spanish, `${name}-es-es`));
  const whole = [...common, ...words].filter((word) => word.length >= MIN_WHOLE_WORD_LENGTH);
  const plain = [...common.slice(0, COMMON_CORE_COUNT), ...words].filter((word) => /^[a-zñ]+$/.test(word));
  const cores = plain.filter(({ length }) => length >= MIN_SHORT_CORE_LENGTH && length <= MAX_CORE_LENGTH);
  const keys = new Set([...cores, ...LOCAL_COMMON_PASSWORDS.split(' ')].map(keyOfCore));
  // A word that is refused with anything around it is refused alone, too, and needs no second key.
  for (const word of whole) if (!keys.has(keyOfCore(word))) keys.add(keyOfWholePassword(word));
  return Buffer.from([...keys].map(hashOf).sort().join(''), 'hex'); // texts are sorted many times as fast as buffers
}

const SPANISH_LIST_NAMES = [
  'commonWords',
  'wikipedia',
  'lastnames',
  'firstnames',
  'seasons',
  'months',
  'daysOfWeek',
];

function readPackageWords(
  { dictionary }: { dictionary: Record<string, Iterable<string>> },
  name: string,
): string[] {
  const found = dictionary[name];
  if (!found) throw new Error(`no list ${name} in the package of common passwords`);
  return [...found].map(fold);
}
