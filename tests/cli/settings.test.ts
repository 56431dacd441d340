import { expect, it } from 'vitest';
import { readSettings } from '../../server/services/settings/settings.ts';
import { runSaldo } from '../support/cli.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { addActor, createActor } from '../support/rows.ts';

describeOneDatabase('saldo settings', (fresh) => {
  const terminal = createActor({ origin: 'cli', username: 'cli', osUser: 'root' });

  it('closes a period, and opens it again only with a reason', async () => {
    const set = (...args: string[]) => runSaldo(fresh, ['settings', 'set', 'cierre', ...args], terminal);
    const closing = async () => (await readSettings(fresh.db)).cierre;
    expect(await set('2026-10-31')).toMatchObject({ code: 0, out: 'cierre: 2026-10-31\n' });
    const refused = await set('2026-09-30');
    expect(refused.code).toBe(1);
    expect(refused.log).toContain('indica el motivo');
    expect(await closing()).toBe('2026-10-31');
    expect(await set('2026-09-30', '--motivo', 'Falta una factura')).toMatchObject({ code: 0 });
    expect(await set('', '--motivo', 'Falta una factura')).toMatchObject({ code: 0 });
    expect(await closing()).toBe('');
    expect((await set('31 de octubre')).code).toBe(1);
    expect(await set('2206-10-31')).toMatchObject({
      code: 1,
      log: 'saldo: 2206-10-31 está fuera de 2000 a 2099.\n',
    });
  });

  it('asks before it closes a period that ends in the future', async () => {
    const set = (...args: string[]) => runSaldo(fresh, ['settings', 'set', 'cierre', ...args], terminal);
    const closing = async () => (await readSettings(fresh.db)).cierre;
    const result = await set('2027-10-31');
    expect([result.code, result.log]).toEqual([
      1,
      'saldo: El domingo 31 de octubre de 2027 todavía no llega: lo que se capture hasta ese día pediría un motivo. Con --allow-future se cierra de todos modos.\n',
    ]);
    expect(await closing()).toBe('');
    expect(await set('2027-10-31', '--allow-future')).toMatchObject({ code: 0 });
    expect(await closing()).toBe('2027-10-31');
    // Moving the date back is not a move into the future.
    expect(await set('2027-01-31', '--motivo', 'Era 2026')).toMatchObject({ code: 0 });
  });

  it('changes nothing for a user who could not do so on the page', async () => {
    for (const [key, value] of [
      ['autorizacion', 'misma'],
      ['semaforo.cuenta', 'ignorar'],
      ['empresa', 'Otra'],
      ['cierre', '2026-10-31'],
    ] as const) {
      const before = (await readSettings(fresh.db))[key];
      const as = await addActor(fresh.db, { origin: 'cli', roles: [1, 2] });
      const refused = await runSaldo(fresh, ['settings', 'set', key, value], as);
      expect(refused).toMatchObject({ code: 1, log: expect.stringContaining(as.username) });
      expect((await readSettings(fresh.db))[key]).toBe(before);
      const admin = await addActor(fresh.db, { origin: 'cli', roles: [3] });
      expect((await runSaldo(fresh, ['settings', 'set', key, value], admin)).code).toBe(0);
    }
  });

  it('applies the same rights as users, backups and lists of administrators: role 3', async () => {
    const as = await addActor(fresh.db, { origin: 'cli', roles: [1, 2] });
    for (const args of [
      ['users', 'set-roles', as.username, '3'],
      ['users', 'reset-password', as.username],
      ['export', 'users'],
      ['db', 'backup', '/nowhere/saldo.db'],
    ])
      expect(await runSaldo(fresh, args, as)).toMatchObject({
        code: 1,
        log: expect.stringContaining(`${as.username} does not have privileges to do this.`),
      });
    await runSaldo(fresh, ['settings', 'set', 'idioma', 'es']);
    expect((await runSaldo(fresh, ['export', 'users'], as)).log).toContain(
      `${as.username} no tiene permiso para hacer esto. Indica en nombre de quién con --as.`,
    );
  });
});
