import { expect, it } from 'vitest';
import { importTable } from '../../../../server/services/imports/import.ts';
import { INVISIBLE_CHARACTERS, insertCharacter } from '../../../support/invisible.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { tableInWords } from '../../../support/remarks.ts';
import {
  addActor,
  addClient,
  addFundingSource,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
} from '../../../support/rows.ts';
import { importText } from '../../../support/tables.ts';

describeOneDatabase('names and ids in rows', (fresh) => {
  /** Imports the rows with these options. */
  async function run(
    kind: 'invoices' | 'payments' | 'jobs',
    text: string,
    {
      map,
      set,
      createMissing,
    }: { map?: Record<string, string>; set?: Record<string, string>; createMissing?: boolean } = {},
  ) {
    const options = { source: 'x', sha256: 'y', onError: 'skip', set, createMissing } as const;
    const rows = await importText(kind, text, { map, set });
    return tableInWords(await importTable(fresh.db, await addActor(fresh.db), kind, rows, options));
  }

  const CODES =
    'PROVEEDOR,OBRA,RUBRO,FACTURA,SUBTOTAL,IVA\n1,Torre,,A-1,100,16\n2,Torre,,A-2,100,16\n3,1,,A-3,100,16\n4,Torre,1,A-4,100,16\n';
  const suppliersOf = async () =>
    (await fresh.db.selectFrom('invoices').select('supplierId').orderBy('id').execute()).map(
      (one) => one.supplierId,
    );

  it('mean one supplier, obra, rubro and RFC, whatever invisible characters they contain', async () => {
    const rows = INVISIBLE_CHARACTERS.flatMap(([, character], n) =>
      ['Aceros', 'Torre', 'Varilla', 'EKU9003173C9']
        .map((text) => insertCharacter(text, character)[n % 3]!)
        .join(),
    );
    const csv = [
      'PROVEEDOR,OBRA,RUBRO,RFC,FACTURA,SUBTOTAL,IVA',
      ...rows.map((row, n) => `${row},A-${n},100,16`),
    ];
    const result = await run('invoices', csv.join('\n'), { createMissing: true });
    expect(result).toMatchObject({ created: rows.length, refused: [] });
    const { db } = fresh;
    expect(await db.selectFrom('suppliers').select(['suppliername', 'rfc']).execute()).toEqual([
      { suppliername: 'Aceros', rfc: 'EKU9003173C9' },
    ]);
    expect(await db.selectFrom('jobs').select('jobtitle').execute()).toEqual([{ jobtitle: 'Torre' }]);
    expect(await db.selectFrom('rubros').select('nombrerubro').execute()).toEqual([
      { nombrerubro: 'Varilla' },
    ]);
  });

  it('are another system’s codes if they are digits in a cell, never our ids', async () => {
    const ids = [await addSupplier(fresh.db), await addSupplier(fresh.db), await addSupplier(fresh.db)];
    await addJob(fresh.db, { jobtitle: 'Torre' });
    await addRubro(fresh.db);
    expect(ids).toEqual([1, 2, 3]);
    const { created, refused } = await run('invoices', CODES);
    expect(created).toBe(0);
    expect(refused.map(({ column, value }) => [column, value])).toEqual([
      ['Proveedor', '1'],
      ['Proveedor', '2'],
      ['Proveedor', '3'],
      ['Proveedor', '4'],
    ]);
    expect(refused[0]?.reason).toBe(
      'No existe el proveedor «1». Un número es aquí un nombre, o el código de otro sistema; si es nuestro id, toma la columna como supplierId.',
    );
    await addSupplier(fresh.db, { suppliername: '3' });
    await addSupplier(fresh.db, { suppliername: '4' });
    expect((await run('invoices', CODES)).refused.map(({ column, value }) => [column, value])).toEqual([
      ['Proveedor', '1'],
      ['Proveedor', '2'],
      ['Obra', '1'],
      ['Rubro', '1'],
    ]);
  });

  it('find a supplier that is called by a number', async () => {
    await addSupplier(fresh.db);
    const id = await addSupplier(fresh.db, { suppliername: '1' });
    await addJob(fresh.db, { jobtitle: 'Torre' });
    await run('invoices', 'Proveedor,Obra,Folio,Subtotal,IVA\n1,Torre,A-1,100,16\n');
    expect(await suppliersOf()).toEqual([id]);
  });

  it('are our ids in a column declared to hold them, or in a value for every row', async () => {
    const ids = [await addSupplier(fresh.db), await addSupplier(fresh.db, { suppliername: 'Aceros' })];
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    const text = `prov,ob,Folio,Subtotal,IVA\n${ids[0]},${jobId},A-1,100,16\n${ids[1]},${jobId},A-2,100,16\n`;
    const map = { supplierId: 'prov', jobId: 'ob' };
    expect(await run('invoices', text, { map })).toMatchObject({ created: 2, refused: [] });
    expect(await suppliersOf()).toEqual(ids);
    const plain = 'Folio,Subtotal,IVA\nB-1,100,16\n';
    const set = { suppliername: String(ids[1]), jobId: String(jobId) };
    expect(await run('invoices', plain, { set })).toMatchObject({ created: 1, refused: [] });
    expect(await suppliersOf()).toEqual([...ids, ids[1]]);
  });

  it('are refused if the id does not exist, or belongs to another row than the name', async () => {
    const id = await addSupplier(fresh.db, { suppliername: 'Aceros', rfc: 'EME170704QVA' });
    await addJob(fresh.db, { jobtitle: 'Torre' });
    const text = `código,Proveedor,RFC,Obra,Subtotal,IVA\n99,,,Torre,1,0.16\n${id},Otro,,Torre,1,0.16\n${id},,SRA070307UA4,Torre,1,0.16\nx,,,Torre,1,0.16\n`;
    const { refused } = await run('invoices', text, { map: { supplierId: 'código' } });
    expect(refused.map(({ column, reason }) => [column, reason])).toEqual([
      ['Id de proveedor', 'No existe el proveedor con el id 99.'],
      ['Id de proveedor', `El id ${id} es de «Aceros», no de «Otro».`],
      ['RFC', '«Aceros» está con el RFC EME170704QVA; aquí dice SRA070307UA4.'],
      ['código', 'No es un id: un número entero mayor que 0.'],
    ]);
  });

  it('are never made ids by a heading', async () => {
    await addSupplier(fresh.db);
    await addJob(fresh.db, { jobtitle: 'Torre' });
    const text = 'supplierId,Proveedor,Obra,Subtotal,IVA\n1,Nadie,Torre,100,16\n';
    expect(await run('invoices', text)).toMatchObject({ refused: [{ value: 'Nadie' }] });
  });

  it('with an RFC mean a new supplier, not one on file of the same name with another RFC', async () => {
    const other = await addSupplier(fresh.db, { suppliername: 'Aceros', rfc: 'EME170704QVA' });
    await addJob(fresh.db, { jobtitle: 'Torre' });
    const text = 'Proveedor,RFC,Obra,Folio,Subtotal,IVA\nAceros,SRA070307UA4,Torre,A-1,100,16\n';
    expect(await run('invoices', text, { createMissing: true })).toMatchObject({
      created: 1,
      missingCreated: { suppliers: 1 },
    });
    expect(await suppliersOf()).not.toEqual([other]);
    expect(await fresh.db.selectFrom('suppliers').select('rfc').orderBy('id').execute()).toEqual([
      { rfc: 'EME170704QVA' },
      { rfc: 'SRA070307UA4' },
    ]);
  });

  it('are an RFC if the supplier’s cell holds one', async () => {
    const id = await addSupplier(fresh.db, { suppliername: 'Aceros', rfc: 'EME170704QVA' });
    await addJob(fresh.db, { jobtitle: 'Torre' });
    const text =
      'Proveedor,Obra,Folio,Subtotal,IVA\neme-170704-qva,Torre,A-1,100,16\nSRA070307UA4,Torre,A-2,100,16\n';
    expect(await run('invoices', text, { createMissing: true })).toMatchObject({
      created: 2,
      missingCreated: { suppliers: 1 },
    });
    const added = await fresh.db
      .selectFrom('suppliers')
      .select(['suppliername', 'rfc'])
      .where('id', '<>', id)
      .execute();
    expect(added).toEqual([{ suppliername: 'SRA070307UA4', rfc: 'SRA070307UA4' }]);
    expect((await suppliersOf())[0]).toBe(id);
  });

  it('are treated in the same way for the clients of obras and the sources of payments', async () => {
    const clientId = await addClient(fresh.db, { clientname: 'Puertos' });
    expect(await run('jobs', `Obra,Cliente\nMuelle,${clientId}\n`)).toMatchObject({
      refused: [{ column: 'Cliente' }],
    });
    expect(await run('jobs', `Obra,c\nMuelle,${clientId}\n`, { map: { clientId: 'c' } })).toMatchObject({
      created: 1,
    });
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' });
    const id = await addFundingSource(fresh.db, { origenderecursonombre: 'Caja' });
    const paying = `Proveedor,Factura,Importe pagado,Banco\nAceros,A-1,10,${id}\n`;
    expect(await run('payments', paying)).toMatchObject({
      refused: [{ column: 'Origen de recurso', value: String(id) }],
    });
    expect(await run('payments', paying, { map: { origenderecursoId: 'Banco' } })).toMatchObject({
      created: 1,
    });
  });
});
