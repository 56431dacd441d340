import { fold } from './text.ts';

const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 128;

/** The largest multiple of 36 in a byte: larger bytes would make some of the 36 characters more likely. */
const FAIR_BYTE_LIMIT = 252;

/** Generates 8 equally likely characters of base 36 (specification, section 9) from a cryptographic source. */
export function generatePassword(fillBytes = fillRandom): string {
  let password = '';
  while (password.length < 8) {
    for (const byte of fillBytes(new Uint8Array(16))) {
      if (byte < FAIR_BYTE_LIMIT && password.length < 8) password += (byte % 36).toString(36);
    }
  }
  return findPasswordProblem(password) ? generatePassword(fillBytes) : password; // rarely, a generated password is a common one
}

/** @param ownNames names of user and firm, which alone make a bad password @returns what is wrong, or undefined */
export function findPasswordProblem(password: string, ownNames: readonly string[] = []): string | undefined {
  if ([...password].length < MIN_PASSWORD_LENGTH) return `al menos ${MIN_PASSWORD_LENGTH} caracteres`;
  if (password.length > MAX_PASSWORD_LENGTH) return `${MAX_PASSWORD_LENGTH} caracteres como máximo`;
  const plain = fold(password);
  if (isMadeOfOwnNames(plain, ownNames) || isCommonPassword(plain)) return 'una contraseña menos común';
  return undefined;
}

const fillRandom = (bytes: Uint8Array<ArrayBuffer>): Uint8Array => crypto.getRandomValues(bytes);

function isMadeOfOwnNames(plain: string, ownNames: readonly string[]): boolean {
  const texts = ownNames.map(fold);
  if (texts.some((text) => text && (plain === text || plain === text.split('@')[0]))) return true;
  const words = [...texts, ...texts.flatMap((text) => text.split(/[^a-zñ]+/))].filter(
    (word) => word.length > 2,
  );
  const rest = [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .reduce((remaining, word) => remaining.replace(createDisguisePattern(word), ''), plain);
  return rest !== plain && !/[a-zñ]/.test(rest);
}

function isCommonPassword(plain: string): boolean {
  if (new Set(plain).size < 4 || /^(.{1,6}?)\1+$/s.test(plain)) return true;
  const letters = plain.replace(/^[^a-zñ]+/, '').replace(/[^a-zñ]+$/, '');
  if (isKeyboardRun(plain) || (letters.length > 2 && isKeyboardRun(letters))) return true;
  return COMMON_WORD_PATTERNS.some((word) => isWordWithAffixes(plain, word));
}

const isKeyboardRun = (text: string): boolean =>
  KEYBOARD_RUNS.some((run) => run.includes(text) || [...run].reverse().join('').includes(text));

function isWordWithAffixes(text: string, word: RegExp): boolean {
  const rest = text.replace(word, '');
  return rest !== text && /^[^a-zñ]*$/.test(rest);
}

const KEYBOARD_RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklñzxcvbnm',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
];

const COMMON_WORDS = [
  'password passwort passw contrasena contrasenia clave secreto secret qwerty qwertz asdf zxcv admin administrador',
  'administrator root usuario user test prueba demo temporal cambiar cambiame changeme bienvenido welcome letmein',
  'iloveyou teamo tequiero mexico mexicano guadalajara monterrey saldo factura facturas empresa oficina obra obras',
  'constructora america chivas pumas cruzazul barcelona realmadrid futbol football baseball superman batman dragon',
  'monkey shadow master princess princesa sunshine computer computadora internet samsung google facebook microsoft',
  'jesus jesucristo dios maria guadalupe alejandro alejandra fernando daniela estrella angel angelito corazon amor',
  'michael jennifer jordan hunter killer starwars pokemon naruto whatever trustno login access hola holahola abc',
]
  .join(' ')
  .split(' ');

const DISGUISE_PATTERNS: Record<string, string> = {
  a: '[a4@]',
  e: '[e3]',
  i: '[i1!]',
  o: '[o0]',
  s: '[s5$]',
};

const createDisguisePattern = (word: string): RegExp =>
  new RegExp(
    word.replace(/[^a-zñ0-9]/g, '\\$&').replace(/[aeios]/g, (letter) => DISGUISE_PATTERNS[letter] ?? letter),
    'g',
  );

export const removeDisguise = (text: string): string =>
  Object.entries(DISGUISE_PATTERNS).reduce(
    (plain, [letter, class_]) => plain.replace(new RegExp(class_, 'g'), letter),
    text,
  );

const COMMON_WORD_PATTERNS = COMMON_WORDS.map(createDisguisePattern);
