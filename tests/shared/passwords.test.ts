import { describe, expect, it } from 'vitest';
import { findPasswordProblem, generatePassword } from '../../shared/passwords.ts';

/** Stands in for the random generator: it fills arrays with these bytes, again and again. */
const repeatBytes = (...bytes: number[]) => {
  let next = 0;
  return (into: Uint8Array) => into.map(() => bytes[next++ % bytes.length] ?? 0);
};

describe('a generated password', () => {
  it('has 8 characters of base 36, differs each time, and is none that would be refused', () => {
    const passwords = Array.from({ length: 2000 }, () => generatePassword());
    for (const password of passwords) {
      expect(password).toMatch(/^[0-9a-z]{8}$/);
      expect(findPasswordProblem(password)).toBeUndefined();
    }
    expect(new Set(passwords).size).toBe(passwords.length);
  });

  it('uses each random byte below 252, seven of them for each character, and none above', () => {
    const drawn = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      // five other bytes, so that the password is not refused
      const password = generatePassword(repeatBytes(byte, 19, 255, 3, 32, 254, 9, 33, 253, 0, 252, 26, 11));
      const isUsed = byte < 252;
      expect(password).toBe(`${isUsed ? (byte % 36).toString(36) : ''}j3w9x0qb`.slice(0, 8));
      if (isUsed) drawn.set(password[0]!, (drawn.get(password[0]!) ?? 0) + 1);
    }
    expect([...drawn.keys()].join('')).toBe('0123456789abcdefghijklmnopqrstuvwxyz');
    expect(new Set(drawn.values())).toEqual(new Set([7]));
  });

  it('is generated again if it is a common one', () => {
    const common = [...'admin123'].map((letter) => Number.parseInt(letter, 36));
    const good = [...'k3v9x0qa'].map((letter) => Number.parseInt(letter, 36));
    const bytes = repeatBytes(...common, ...common, ...good, ...good);
    expect(generatePassword(bytes)).toBe('k3v9x0qa');
  });
});
