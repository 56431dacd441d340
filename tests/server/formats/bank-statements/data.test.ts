import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMovements } from '../../../../server/formats/bank-statements/movements.ts';
import { readSantanderTable } from '../../../../server/formats/bank-statements/santander.ts';
import { readTableBytes } from '../../../support/tables.ts';

/** Real statements, kept outside the repository. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data/reports');

/** By file: day and cents of every movement, or the refusal. */
const FILES: Record<string, readonly (readonly [fecha: string, cents: number])[] | string> = {
  'santander_signo.csv': [
    ['2026-11-02', 1_030_093],
    ['2026-11-02', -2_600_000],
  ],
  'santander_original.csv': [
    ['2026-11-02', 1_030_093],
    ['2026-11-02', -2_600_000],
  ],
  'banco_importe_egreso.csv': [
    ['2026-11-02', -2_600_000],
    ['2026-11-03', 50_000],
  ],
  'banco_importe_sin_signo.csv': 'Nada dice cuáles de «Importe» son cargos y cuáles abonos',
  'banco_cargo_reverso.csv': [
    ['2026-11-02', -50_000],
    ['2026-11-03', 50_000],
  ],
  'banco_dos_cuentas.csv': 'El archivo trae varias cuentas: 65509990001, 65509990002.',
  'banco_movimiento_viejo.csv': [['2026-10-05', -1_160_000]],
  'hsbc.csv': [
    ['2026-11-05', -1_250_000],
    ['2026-11-04', 4_000_000],
  ],
  'banorte.csv': [
    ['2026-11-03', 500_017],
    ['2026-11-05', -230_092],
  ],
  'bbva.txt': [
    ['2026-11-05', -400_060],
    ['2026-11-04', 2_200_050],
  ],
  'banamex.csv': [
    ['2026-11-04', -2_500_000],
    ['2026-11-05', 1_000_000],
  ],
};

describe('the collected bank statements', () => {
  if (!existsSync(join(folder, 'MANIFEST.tsv'))) {
    it.skip('is skipped without the external files of reported problems', () => undefined);
    return;
  }

  it.each(Object.entries(FILES))(
    '%s is read as it comes, or refused with a message',
    async (name, expected) => {
      const bytes = readFileSync(join(folder, name));
      const read = async () => readMovements(readSantanderTable(bytes) ?? (await readTableBytes(bytes)));
      if (typeof expected === 'string') return expect(read()).rejects.toThrow(expected);
      expect((await read()).map(({ fecha, amountCents }) => [fecha, amountCents])).toEqual(expected);
    },
  );

  it('with two accounts are read for the chosen one', async () => {
    const table = await readTableBytes(readFileSync(join(folder, 'banco_dos_cuentas.csv')));
    const movements = readMovements(table, { cuenta: '65509990002' });
    expect(movements.map(({ amountCents }) => amountCents)).toEqual([-20_000]);
  });

  it('with a running number do not count it among the digits of a movement', async () => {
    const [movement] = readMovements(await readTableBytes(readFileSync(join(folder, 'banorte.csv'))));
    expect(`${movement!.referencia} ${movement!.descripcion}`).not.toMatch(/\b74\b/);
  });
});
