import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { runSaldo } from '../support/cli.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { temporaryFolder } from '../support/folder.ts';

/** The most rows that a table may have. */
const ROWS = 100_000;

function* lines(): Generator<string> {
  yield 'Proveedor,Obra,Factura,Emisión,Subtotal,Tasa,Observaciones\n';
  for (let n = 1; n < ROWS; n++) {
    const day = `2026-0${1 + (n % 9)}-${10 + (n % 18)}`;
    yield `"Proveedor ${n % 900}, S.A.",Obra ${n % 70},F-${n},${day},${1000 + (n % 70_000)}.50,16,"Entrega ${n % 5}"\n`;
  }
  // The first row again, at the end of the table.
  yield '"Proveedor 1, S.A.",Obra 1,F-1,2026-02-11,1001.50,16,"Entrega 1"\n';
}

describe('a table with the maximum number of rows', () => {
  const fresh = useFreshDatabase('sqlite');
  const { folder, remove } = temporaryFolder();
  afterAll(remove);

  it('is validated as a whole, so that its last row is compared with its first', async () => {
    const file = join(folder, 'facturas.csv');
    await pipeline(Readable.from(lines()), createWriteStream(file));
    const { code, out } = await runSaldo(fresh, [
      ...['import', 'invoices', file, '--create-missing', '--dry-run', '--json'],
    ]);
    expect(code).toBe(0);
    const { rows, created, unchanged, warnings } = JSON.parse(out);
    expect({ rows, created, unchanged }).toEqual({ rows: ROWS, created: ROWS - 1, unchanged: 1 });
    expect(warnings.at(-1)).toMatchObject({
      row: ROWS + 1,
      reason: 'Es igual al renglón 2: se guarda una vez.',
    });
  }, 1_200_000);
});
