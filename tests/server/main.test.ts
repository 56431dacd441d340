import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useFresh } from '../support/databases.ts';
import { addUser } from '../support/rows.ts';
import { startServer } from '../support/server.ts';

describe('a server that starts', () => {
  const fresh = useFresh('sqlite');

  it('serves also where an import that broke off cannot be taken back', async () => {
    await sql`insert into open_imports values (1, 'another-machine 1 x', '2026-01-01T00:00:00.000Z', 0)`.execute(
      fresh.db,
    );
    await sql`insert into open_import_rows values (1, 0, 'no_such_table', 1, 1, 1, 1)`.execute(fresh.db);
    const server = await startServer({ DATABASE_URL: fresh.database.url });
    try {
      expect((await fetch(`${server.url}/login`)).status).toBe(200);
      expect(server.output()).toMatch(/could not be taken back/);
      expect(await server.stop()).toMatchObject({ code: 0 });
    } finally {
      server.process.kill('SIGKILL');
    }
  });

  it('says how to make an administrator where none is left', async () => {
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
});
