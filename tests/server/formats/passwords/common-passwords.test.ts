import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  findWeakness,
  generateStrongPassword,
} from '../../../../server/formats/passwords/common-passwords.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { setTemporaryPassword } from '../../../../server/services/users/passwords.ts';
import { createUser } from '../../../../server/services/users/users.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { addJob, addUser, createActor } from '../../../support/rows.ts';

const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as {
  dictionary: Record<'passwords-common', Iterable<string>>;
};

describe('a password', () => {
  it('is refused if it is one of the ten thousand most common, in any case', () => {
    const common = [...dictionary['passwords-common']].slice(0, 10_000).filter(({ length }) => length >= 8);
    expect(common.length).toBeGreaterThan(2000);
    expect(
      common.filter((password) => !findWeakness(password) || !findWeakness(password.toUpperCase())),
    ).toEqual([]);
  });

  it.each([
    ...['guadalupe', 'constructora', 'ingeniero', 'arquitecto', 'estrellita1', 'Chivas123', 'valentina07'],
    ...[
      'Guadalajara',
      'españa123',
      'butterfly',
      '12341234',
      '19841984',
      'Saldo2026!',
      'mariposa12',
      'tequila10',
    ],
    // a common word or a name with a year or digits beside it, also in disguise
    ...[
      'Torre2026',
      'Bienvenida1',
      'cementos1',
      'C3m3nto1',
      '2026torre',
      'Ramirez99',
      'Luis1985!',
      'ana.2026',
    ],
    ...['casa12345', 'varilla#3', 'Concreto.7'],
  ])('is refused if people often choose it: %s', (password) => {
    expect(findWeakness(password)).toBe('una contraseña menos común');
  });

  it.each([
    'ladrillo rojo',
    'grúa torre 9',
    'demostracion-2026',
    'k3v9x0qa',
    'tres-perros-azules',
    'Muro.de.block7',
  ])('is accepted if nobody would guess it: %s', (password) => {
    expect(findWeakness(password)).toBeUndefined();
  });

  it('is acceptable if it was generated', () => {
    const drawn = Array.from({ length: 3000 }, () => generateStrongPassword());
    expect(drawn.filter((password) => findWeakness(password))).toEqual([]);
  });
});

describe('names', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each(['Xochimanca26', '2026-xochimanca', 'JuriquillaXochimanca9'])(
    'of obras are no password: %s',
    async (password) => {
      const draft = {
        userfirstname: 'Ana',
        userlastname: 'Ruiz',
        username: 'ana.ruiz',
        roles: [2],
        password,
      };
      await addJob(fresh.db, { jobtitle: 'Torre Xochimanca, 2.ª etapa (Juriquilla)' });
      const refused = { kind: 'invalid', fields: { password: 'Es una contraseña muy común; elige otra.' } };
      await expect(createUser(fresh.db, createActor(), draft)).rejects.toMatchObject(refused);
      await createUser(fresh.db, createActor(), { ...draft, password: 'xochimanca y lago' });
    },
  );

  it.each(['AnaRuiz2026', 'ruiz-2026-ana', 'R1v3rasur99', 'riverasur#1', 'ana.ruiz1'])(
    'of the user and the firm are no password: %s',
    async (password) => {
      await changeSetting(fresh.db, createActor(), 'empresa', 'Rivera Sur, S.A.');
      const draft = {
        userfirstname: 'Ana',
        userlastname: 'Ruiz',
        username: 'ana.ruiz',
        roles: [2],
        password,
      };
      const refused = { kind: 'invalid', fields: { password: 'Es una contraseña muy común; elige otra.' } };
      await expect(createUser(fresh.db, createActor(), draft)).rejects.toMatchObject(refused);
      const { id } = await addUser(fresh.db, { username: 'ana.ruiz' });
      await fresh.db.updateTable('users').set({ userfirstname: 'Ana', userlastname: 'Ruiz' }).execute();
      await expect(setTemporaryPassword(fresh.db, createActor(), id, password)).rejects.toMatchObject({
        kind: 'invalid',
      });
    },
  );
});
