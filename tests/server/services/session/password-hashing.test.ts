import { describe, expect, it } from 'vitest';
import {
  hashPassword,
  isOutdatedHash,
  verifyPassword,
} from '../../../../server/services/session/password-hashing.ts';
import { scryptHash } from '../../../../server/services/session/scrypt.ts';
import { findPasswordProblem, generatePassword } from '../../../../shared/passwords.ts';

const COMMON = `
password password1 password123 Passw0rd1 p@ssw0rd P@$$w0rd! 12345678 123456789 87654321 qwertyui qwerty123
qwertyuiop 1qaz2wsx 1q2w3e4r q1w2e3r4 iloveyou iloveyou1 teamo123 tequiero tequiero1 sunshine princess
princesa football football1 baseball superman trustno1 abcdefgh abcd1234 abc12345 aaaaaaaa 11111111
00000000 aabbaabb asdfghjk zxcvbnm1 contraseña Contraseña1 contrasena c0ntr4s3ñ4 mexico2026 Mexico86!
guadalupe guadalajara cruzazul barcelona administrador Admin123 adm1n123 admin2026 usuario1 bienvenido
Welcome1 welcome123 letmein1 computer internet pokemon1 starwars whatever holahola hola1234 temporal
Temporal1 cambiame secreto1 saldo2026 facturas Facturas1 constructora alejandro fernando estrella jesus123
amoramor`
  .trim()
  .split(/\s/);

const GOOD = [
  'ladrillo rojo',
  'k3v9x0qa',
  'Tz7!mmPq',
  'el camión azul',
  'correcthorse',
  'grúa torre 9',
  'ñandú vuela',
];

describe('a password', () => {
  it.each(COMMON)('may not be «%s»', (password) => {
    expect(findPasswordProblem(password)).toBe('una contraseña menos común');
  });

  it.each(GOOD)('may be «%s»', (password) => {
    expect(findPasswordProblem(password)).toBeUndefined();
  });

  it('has 8 characters at least, as a reader counts them, and 128 at most', () => {
    expect(findPasswordProblem('k3v9x0q')).toBe('al menos 8 caracteres');
    expect(findPasswordProblem('😀😁😂🤣')).toBe('al menos 8 caracteres');
    expect(findPasswordProblem('k3v9x0qa'.repeat(16))).toBeUndefined();
    expect(findPasswordProblem(`${'k3v9x0qa'.repeat(16)}x`)).toBe('128 caracteres como máximo');
  });

  it('may not be obvious from its owner', () => {
    const own = ['aruiz.perez', 'ana.ruiz@obras.mx', 'Ana', ''];
    for (const password of ['aruiz.perez', 'ARUIZ.PEREZ', 'ana.ruiz@obras.mx', 'Ana.Ruiz']) {
      expect(findPasswordProblem(password, own), password).toBe('una contraseña menos común');
    }
    expect(findPasswordProblem('ana vende tejas', own)).toBeUndefined();
  });

  it('that is generated has 8 characters of base 36, is no common one, and never repeats', () => {
    const passwords = Array.from({ length: 500 }, () => generatePassword());
    for (const password of passwords) {
      expect(password).toMatch(/^[0-9a-z]{8}$/);
      expect(findPasswordProblem(password)).toBeUndefined();
    }
    expect(new Set(passwords).size).toBe(passwords.length);
  });
});

describe('a hash', () => {
  it('matches the same password in any Unicode form, and no other', async () => {
    const hash = await hashPassword('Camión Ñ 9');
    expect(hash).not.toContain('Cami');
    expect(await verifyPassword({ hash, password: 'Camión Ñ 9'.normalize('NFD') })).toBe(true);
    expect(await verifyPassword({ hash, password: 'camión ñ 9' })).toBe(false);
  });

  it('states its cost, and one of another cost is accepted too', async () => {
    const hash = await hashPassword('ladrillo rojo');
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/);
    expect(isOutdatedHash(hash)).toBe(false);
    const cheaper = await scryptHash('ladrillo rojo', { ln: 10, r: 8, p: 1 });
    expect(isOutdatedHash(cheaper)).toBe(true);
    expect(await verifyPassword({ hash: cheaper, password: 'ladrillo rojo' })).toBe(true);
    expect(await verifyPassword({ hash: cheaper, password: 'ladrillo azul' })).toBe(false);
    for (const broken of ['', '$scrypt$', 'x:y', `${hash}$`, hash.replace('ln=15', 'ln=')])
      expect(await verifyPassword({ hash: broken, password: 'ladrillo rojo' })).toBe(false);
  });
});
