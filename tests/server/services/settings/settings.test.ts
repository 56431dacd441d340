import { expect, it } from 'vitest';
import { SETTINGS } from '../../../../server/services/settings/definitions.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { createActor } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

const TAKEN: [key: string, value: string, stored: string][] = [
  ['empresa', '  Obras del Norte, S.A. ', 'Obras del Norte, S.A.'],
  ['empresa', '', ''],
  ['rfc', 'cvi-100512-ab1', 'CVI100512AB1'],
  ['rfc', '', ''],
  ['moneda', 'usd', 'USD'],
  ['idioma', 'ES', 'es'],
  ['tasa', '8', '8'],
  ['tasa', '16.00', '16'],
  ['tasa', '10.6667 %', '10.6667'],
  ['diascredito', '030', '30'],
  ['semanas', '53', '53'],
  ['sesion.inactiva', '168', '168'],
  ['sesion.total', '720', '720'],
  ['rol.4', 'Compras y almacén', 'Compras y almacén'],
];

const REFUSED: [key: string, value: string][] = [
  ['rfc', 'ABC'],
  ['moneda', 'pesos'],
  ['idioma', 'en'],
  ['tasa', '101'],
  ['tasa', '-1'],
  ['tasa', 'x'],
  ['diascredito', '366'],
  ['diascredito', '-1'],
  ['semanas', '0'],
  ['semanas', '1.5'],
  ['semanas', ''],
  ['sesion.inactiva', '169'],
  ['sesion.total', '0'],
  ['rol.1', '  '],
  ['empresa', 'x'.repeat(201)],
  ['empresa', 'nul\0'],
];

describeOneDatabase('the values of settings', (fresh) => {
  it.each(TAKEN)('include for %s «%s»', async (key, value, stored) => {
    await readSettings(fresh.db);
    await changeSetting(fresh.db, createActor(), key, value);
    expect((await readSettings(fresh.db))[key as keyof typeof SETTINGS]).toBe(stored);
  });

  it.each(REFUSED)('do not include for %s «%s»', async (key, value) => {
    await expect(changeSetting(fresh.db, createActor(), key, value)).rejects.toThrow(/./);
    expect(await fresh.db.selectFrom('settings').selectAll().execute()).toEqual([]);
  });
});

describeEachDatabase('the settings', (fresh) => {
  it('have their defaults until somebody changes them', async () => {
    expect(await readSettings(fresh.db)).toMatchObject({
      empresa: '',
      moneda: 'MXN',
      tasa: '16',
      diascredito: '0',
      semanas: '12',
      'sesion.inactiva': '8',
      'sesion.total': '24',
      'rol.1': 'Dirección',
      'rol.3': 'Administrador',
      'rol.6': 'Auxiliar',
    });
  });

  it('that do not exist are not found, inherited names neither', async () => {
    for (const key of ['color', 'toString', '__proto__', 'rol.7']) {
      await expect(changeSetting(fresh.db, createActor(), key, '1')).rejects.toMatchObject({
        kind: 'not-found',
      });
    }
  });

  it('leave one audit entry for each change, and none if nothing changed', async () => {
    await changeSetting(fresh.db, createActor(), 'semanas', '10');
    await changeSetting(fresh.db, createActor(), 'semanas', '10');
    await changeSetting(fresh.db, createActor(), 'empresa', '');
    const entries = await readRows(fresh.db, 'audit', {}, ['entity', 'entityId', 'before', 'after']);
    expect(entries).toEqual([
      { entity: 'settings', entityId: 'semanas', before: '{"value":"12"}', after: '{"value":"10"}' },
    ]);
  });

  it('rename the roles', async () => {
    await changeSetting(fresh.db, createActor(), 'rol.5', 'Residente');
    const role = await fresh.db.selectFrom('roles').select('rolename').where('id', '=', 5).executeTakeFirst();
    expect(role).toEqual({ rolename: 'Residente' });
  });

  it('that two processes change at once leave a history without a gap', async () => {
    const connections = [fresh.db, fresh.database.openAgain().db];
    const values = Array.from({ length: 20 }, (_, i) => String(i + 1));
    await Promise.all(
      values.map((value, i) => changeSetting(connections[i % 2]!, createActor(), 'semanas', value)),
    );
    const entries = await fresh.db.selectFrom('audit').select(['before', 'after']).orderBy('id').execute();
    const befores = entries.map((entry) => entry.before);
    expect(befores).toEqual(['{"value":"12"}', ...entries.slice(0, -1).map((entry) => entry.after)]);
  });
});

it('are named so that no preposition meets an article that it contracts with, and none precedes a question', () => {
  const texts = Object.values(SETTINGS).flatMap(({ label, description }) => [label, description]);
  expect(texts.filter((text) => / (a|de) el | a si /.test(text))).toEqual([]);
});
