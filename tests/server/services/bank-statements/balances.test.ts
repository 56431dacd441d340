import { expect, it } from 'vitest';
import { importBankStatementFile } from '../../../../server/services/bank-statements/import-statement.ts';
import { getBankStatement } from '../../../../server/services/bank-statements/reading.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addActor, addFundingSource } from '../../../support/rows.ts';

const WITHOUT = 'Fecha,Concepto,Importe\n18/11/2026,SPEI,-100.00\n19/11/2026,SPEI,40.50\n';
const WITH = 'Fecha,Concepto,Importe,Saldo\n18/11/2026,SPEI,-100.00,900.00\n19/11/2026,SPEI,40.50,940.50\n';

describeEachDatabase('the balances of a statement', (fresh) => {
  const prepare = async () => {
    const approver = await addActor(fresh.db, { roles: [1, 3] });
    const origenderecursoId = await addFundingSource(fresh.db);
    const load = async (text: string, saldofinalCents?: number) => {
      const file = {
        origenderecursoId,
        filename: 'noviembre.csv',
        bytes: Buffer.from(text),
        saldofinalCents,
      };
      const outcome = await importBankStatementFile(fresh.db, approver, file);
      return { ...outcome, statement: await getBankStatement(fresh.db, outcome.statementId) };
    };
    return { approver, load };
  };
  const BALANCE = {
    ...{ saldoinicialCents: 100_000, saldofinalCents: 94_050, saldofecha: '2026-11-19', saldorenglon: null },
  };
  const NONE = { saldoinicialCents: null, saldofinalCents: null, saldofecha: null, saldorenglon: null };

  it('come from its column or from a typed amount, or are unknown', async () => {
    const { load } = await prepare();
    expect((await load(WITHOUT)).statement).toMatchObject(NONE);
    // The movements are stored already, but their balance is new.
    expect(await load(WITHOUT, 94_050)).toMatchObject({ bringsChanges: true, statement: BALANCE });
    expect(await load(WITH)).toMatchObject({ bringsChanges: false, statement: BALANCE });
    expect(await load(WITH, 94_050)).toMatchObject({ bringsChanges: false });
    await expect(load(WITH, 94_051)).rejects.toMatchObject({
      message: 'El archivo termina con un saldo de $940.50, y se escribió $940.51.',
      fields: { saldofinal: expect.any(String) },
    });
  });

  it('that do not follow from the movements are stored, with the line named', async () => {
    const { load } = await prepare();
    const { statement, warnings } = await load(WITH.replace('900.00', '901.00'));
    expect(statement).toMatchObject({ ...BALANCE, saldoinicialCents: 100_100, saldorenglon: 3 });
    expect(warnings).toEqual([
      'Renglón 3: su saldo no sale del anterior y del movimiento. Puede faltar un movimiento en el archivo.',
    ]);
  });

  it('are those up to today, and a typed one is refused where the file goes on after today', async () => {
    const { load } = await prepare();
    const tomorrow = `${WITH}21/11/2026,SPEI,-1.00,939.50\n`;
    await expect(load(tomorrow, 93_950)).rejects.toThrow('No se sabe de qué día es el saldo final');
    expect((await load(tomorrow)).statement).toMatchObject(BALANCE);
  });

  it('are read under further headings that the firm has set', async () => {
    const { approver, load } = await prepare();
    const text = WITH.replace('Saldo', 'Existencia');
    expect((await load(text)).statement).toMatchObject(NONE);
    await changeSetting(fresh.db, approver, 'estado.saldo', 'Existencia');
    expect((await load(text)).statement).toMatchObject(BALANCE);
    const both = WITH.replace('Saldo', 'Saldo disponible').replaceAll('18/11', '17/11');
    expect((await load(both)).statement).toMatchObject(BALANCE);
    await expect(changeSetting(fresh.db, approver, 'estado.saldo', 'Cargo')).rejects.toThrow(
      '«Cargo» ya es un encabezado de Cargos.',
    );
  });
});
