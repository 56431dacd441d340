import { expect, it } from 'vitest';
import { DEFAULT_HEADINGS } from '../../../../server/formats/bank-statements/movements.ts';
import { headingKey } from '../../../../server/formats/tables/headings.ts';
import { importBankStatementFile } from '../../../../server/services/bank-statements/import-statement.ts';
import { getBankStatement } from '../../../../server/services/bank-statements/reading.ts';

import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addFundingSource } from '../../../support/rows.ts';

describeEachInLongLane('the columns of bank statements', (fresh) => {
  it('are those that the firm sets, and the known ones if it sets none', async () => {
    const { db } = fresh;
    const chief = await addActor(db, { roles: [1, 3] });
    const origenderecursoId = await addFundingSource(db);
    const load = (name: string) => {
      const text = `Día Contable,Detalle,${name},Abono\n19/11/2026,Comisión ${name},5.00,\n`;
      return importBankStatementFile(db, chief, {
        origenderecursoId,
        filename: 'a.csv',
        bytes: Buffer.from(text),
      });
    };
    await expect(load('Salidas')).rejects.toMatchObject({ code: 'bad_statement' });
    await changeSetting(db, chief, 'estado.fecha', 'Día contable');
    await changeSetting(db, chief, 'estado.cargo', ' Salidas ,\nSALIDAS, Retiro de fondos');
    expect((await readSettings(db))['estado.cargo']).toBe('SALIDAS, Retiro de fondos');
    expect(await load('Salidas')).toMatchObject({ bringsChanges: true, movements: 1 });
    await expect(load('Cargo')).rejects.toMatchObject({ code: 'bad_statement' });
    await changeSetting(db, chief, 'estado.cargo', '');
    expect(await load('Cargo')).toMatchObject({ bringsChanges: true });
    const entries = await db
      .selectFrom('audit')
      .select('entityId')
      .where('entity', '=', 'settings')
      .where('entityId', 'like', 'estado.%')
      .execute();
    expect(entries).toHaveLength(3);
  });

  it('may be extended by the words that a column of signs uses', async () => {
    const { db } = fresh;
    const chief = await addActor(db, { roles: [1, 3] });
    const origenderecursoId = await addFundingSource(db);
    const bytes = Buffer.from('Fecha,Importe,Tipo\n19/11/2026,5.00,Erogación\n19/11/2026,7.00,Percepción\n');
    const load = () => importBankStatementFile(db, chief, { origenderecursoId, filename: 'a.csv', bytes });
    await expect(load()).rejects.toThrow('«Erogación», «Percepción» en «Tipo»');
    await changeSetting(db, chief, 'estado.cargos', 'Erogación, C');
    await changeSetting(db, chief, 'estado.abonos', 'percepcion');
    const { statementId } = await load();
    const { movements } = await getBankStatement(db, statementId);
    expect(movements.map(({ amountCents }) => amountCents)).toEqual([-500, 700]);
  });

  it.each([
    ['estado.abonos', 'Erogación', '«Erogación» ya es una palabra de cargo.'],
    ['estado.abonos', 'Ingreso, Retiros', '«Retiros» ya es una palabra de cargo.'],
    ['estado.cargos', 'Abono SPEI', '«Abono SPEI» ya es una palabra de abono.'],
    ['estado.cargos', '+', '«+» no es un encabezado'],
  ])('are of one kind: %s may not have %s', async (key, value, message) => {
    const chief = await addActor(fresh.db, { roles: [3] });
    await changeSetting(fresh.db, chief, 'estado.cargos', 'Erogación');
    await expect(changeSetting(fresh.db, chief, key, value)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { [key]: expect.stringContaining(message) },
    });
  });

  it.each([
    ['«---» no es un encabezado', '---'],
    ['pasa de 60 letras', 'x'.repeat(61)],
    ['máximo 40', Array.from({ length: 41 }, (_, n) => `c${n}`).join(',')],
    ['«Depósito» ya es un encabezado de Abonos', 'Cargo, Depósito'],
  ])('are refused in words: %s', async (message, value) => {
    const chief = await addActor(fresh.db, { roles: [3] });
    await expect(changeSetting(fresh.db, chief, 'estado.cargo', value)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { 'estado.cargo': expect.stringContaining(message) },
    });
    expect((await readSettings(fresh.db))['estado.cargo']).toBe('');
  });
});

it('have no known heading for two columns', () => {
  const keys = Object.values(DEFAULT_HEADINGS).flatMap((names) => [...new Set(names.map(headingKey))]);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
