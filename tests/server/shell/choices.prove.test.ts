import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFresh } from '../../support/databases.ts';
import { recording } from '../../support/recording.ts';

/** PostgreSQL says of nothing that it is as it was, so every asking is a statement. */
describe('what a user chose for the screens', () => {
  const fresh = useFresh('postgres');

  it('is read once for the frame of a page, however much of it there is', async () => {
    const { db, queries } = recording(fresh.db);
    const ana = await createTestApp({ db }).as(3);
    for (const address of ['/invoices?status=pagada', '/pagos-proveedores?rep=sin']) await ana.get(address);
    queries.length = 0;
    await ana.get('/help');
    expect(queries.filter(({ sql }) => sql.includes('user_preferences')).length).toBe(1);
  });
});
