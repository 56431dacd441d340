import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { startServer } from '../../support/server.ts';

it('a server whose log nobody reads any more answers and stops as ever', async () => {
  const { folder, remove } = temporaryFolder();
  const server = await startServer({ DATABASE_URL: `file:${folder}/saldo.db` });
  try {
    server.process.stdout?.destroy();
    server.process.stderr?.destroy();
    for (let n = 0; n < 20; n++) expect((await fetch(`${server.url}/login`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0 });
  } finally {
    server.process.kill('SIGKILL');
    remove();
  }
});
