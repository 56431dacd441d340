import { describe, expect, it } from 'vitest';
import { useFreshDatabase } from '../support/databases.ts';
import { addUser } from '../support/rows.ts';
import { startServer } from '../support/server.ts';

describe('a server that starts', () => {
  const fresh = useFreshDatabase('sqlite');

  it('says how to create an administrator if none is left', async () => {
    await addUser(fresh.db, { roles: [2, 4] });
    await addUser(fresh.db, { roles: [1, 3], active: false });
    const server = await startServer({ DATABASE_URL: fresh.database.url });
    try {
      expect(server.output()).toContain('No hay ningún administrador activo');
      expect(server.output()).toContain('saldo users set-roles QUIÉN 1 3');
      await server.stop();
    } finally {
      server.process.kill('SIGKILL');
    }
  });

  it('ends without an error when it is stopped while it still loads what later requests need', async () => {
    for (const delay of [0, 300]) {
      const server = await startServer({ DATABASE_URL: fresh.database.url });
      await new Promise((resolve) => setTimeout(resolve, delay));
      expect(await server.stop()).toMatchObject({ code: 0 });
      expect(server.output()).toContain('"stopped"');
      expect(server.output()).not.toContain('"level":"error"');
    }
  });
});
