import { randomInt } from 'node:crypto';
import { hashPassword as scryptHash, verifyPassword as scryptVerify } from 'better-auth/crypto';
import { DomainError } from '../../shared/errors.ts';
import { fold } from '../../shared/text.ts';

export const MIN_PASSWORD = 8;
const MAX_PASSWORD = 128;

/** Hashes under way at once, and how many may wait: a flood of sign-ins must not stall everybody else. */
const HASHES_AT_ONCE = 2;
const HASHES_WAITING = 20;

let running = 0;
const queue: Array<() => void> = [];

/** @throws DomainError busy where too many wait already */
export const hashPassword = (password: string): Promise<string> =>
  bounded(() => scryptHash(password.normalize('NFKC')));

export const verifyPassword = ({ hash, password }: { hash: string; password: string }): Promise<boolean> =>
  bounded(() => scryptVerify({ hash, password: password.normalize('NFKC') }));

/** 8 characters of base 36 from a cryptographic source (specification, section 9). */
export function generatePassword(): string {
  const password = Array.from({ length: 8 }, () => randomInt(36).toString(36)).join('');
  return passwordProblem(password) ? generatePassword() : password; // once in a long while it is a common one
}

/** What is wrong with a password that a person chose, or nothing. `own`: words that it must not be. */
export function passwordProblem(password: string, own: readonly string[] = []): string | undefined {
  if ([...password].length < MIN_PASSWORD) return `al menos ${MIN_PASSWORD} caracteres`;
  if (password.length > MAX_PASSWORD) return `a lo más ${MAX_PASSWORD} caracteres`;
  const plain = fold(password);
  const isOwn = own.some(
    (word) => word && (plain === fold(word) || plain === fold(word.split('@')[0] ?? '')),
  );
  if (isOwn || isCommon(plain)) return 'una contraseña menos común';
  return undefined;
}

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (running >= HASHES_AT_ONCE) {
    if (queue.length >= HASHES_WAITING) {
      throw new DomainError(
        'busy',
        'Hay demasiados inicios de sesión a la vez. Intenta de nuevo en un momento.',
        {
          retryAfter: 5,
        },
      );
    }
    await new Promise<void>((resolve) => queue.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else running--;
  }
}

/** One repeated character, a run along the keyboard or the alphabet, or a well-known word with trimmings. */
function isCommon(plain: string): boolean {
  if (new Set(plain).size < 4) return true;
  if (RUNS.some((run) => run.includes(plain) || [...run].reverse().join('').includes(plain))) return true;
  return WORDS.some((word) => isTrimmed(plain, word));
}

/** The word alone or repeated, with nothing but digits and signs around it. */
function isTrimmed(text: string, word: RegExp): boolean {
  const rest = text.replace(word, '');
  return rest !== text && /^[^a-zñ]*$/.test(rest);
}

const RUNS = [
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

/** Digits and signs that people write for letters. */
const DISGUISES: Record<string, string> = { a: '[a4@]', e: '[e3]', i: '[i1!]', o: '[o0]', s: '[s5$]' };

const WORDS = COMMON_WORDS.map(
  (word) =>
    new RegExp(
      word.replace(/[aeios]/g, (letter) => DISGUISES[letter] ?? letter),
      'g',
    ),
);
