import { expect, it } from 'vitest';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addClient } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';
import { importRows } from '../../../support/table-rows.ts';

const PUNTO = {
  suppliername: 'PUNTO REAL ESTATE S. DE R.L. DE C.V.',
  rfc: 'PRE160827P5A',
  suppliercontactperson: 'Ana',
  suppliercontactphone: '+52 55 0000 1008',
  suppliercontactemail: 'ana@ejemplo.test',
};

describeEachInLongLane('a table of suppliers, clients, jobs, rubros or sources', (fresh) => {
  const run = async (...[kind, rows, options]: Shift<Parameters<typeof importRows>>) =>
    importRows(fresh.db, await addActor(fresh.db), kind, rows, options);

  it('is stored with its texts, defaults and folded names, and one audit entry for all', async () => {
    const actor = await addActor(fresh.db);
    await changeSetting(fresh.db, actor, 'diascredito', '15');
    const rows = [PUNTO, { suppliername: 'Áridos', suppliercontactperson: 'Luis', diascredito: '30' }];
    const result = await importRows(fresh.db, actor, 'suppliers', rows);
    expect(result).toEqual({
      rows: 2,
      created: 2,
      unchanged: 0,
      refused: [],
      warnings: [{ row: 2, reason: expect.stringContaining('dígito verificador') }],
      missingCreated: {},
      stored: true,
    });
    const stored = await fresh.db.selectFrom('suppliers').selectAll().orderBy('id').execute();
    const { id: importId } = await fresh.db.selectFrom('imports').select('id').executeTakeFirstOrThrow();
    expect(stored).toMatchObject([
      { ...PUNTO, diascredito: 15, suppliernameFold: 'punto real estate s. de r.l. de c.v.', importId },
      {
        suppliername: 'Áridos',
        suppliernameFold: 'aridos',
        rfc: null,
        suppliercontactphone: '',
        diascredito: 30,
      },
    ]);
    const entries = await fresh.db.selectFrom('audit').selectAll().where('action', '=', 'import').execute();
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ entity: 'suppliers', userId: actor.userId });
    expect(JSON.parse(entries[0]!.after!)).toEqual({
      importId,
      kind: 'suppliers',
      source: 'prueba.csv',
      sha256: 'a'.repeat(64),
      created: 2,
      unchanged: 0,
      refused: 0,
      ids: stored.map(({ id }) => id),
    });
  });

  it('recognises a supplier by its RFC, however its name is punctuated', async () => {
    const again = { ...PUNTO, suppliername: 'Punto Real Estate S de RL de CV' };
    const result = await run('suppliers', [PUNTO, again]);
    expect(result).toMatchObject({ created: 1, unchanged: 1, refused: [] });
    expect(result.warnings).toContainEqual({ row: 3, reason: expect.stringContaining('renglón 2') });
    expect(await run('suppliers', [again])).toMatchObject({ created: 0, unchanged: 1, warnings: [] });
  });

  it('takes a row with a generic RFC for a new supplier if name and data differ, except for punctuation', async () => {
    const generic = { suppliername: 'A.B. Corp.', rfc: 'XEXX010101000', suppliercontactperson: 'Ann' };
    const rows = [
      generic,
      { ...generic, suppliername: 'AB Corp', suppliercontactperson: 'Bob' },
      { ...generic, suppliername: 'A B Corp' },
      { ...PUNTO, suppliername: 'Uno, S.A.' },
      { ...generic, suppliername: 'UNO SA' },
    ];
    const result = await run('suppliers', rows);
    expect(result).toMatchObject({ created: 4, unchanged: 1, refused: [] });
    expect(result.warnings.map(({ row, reason }) => [row, reason])).toContainEqual([
      3,
      'Se llama casi como «A.B. Corp.», y su RFC genérico no lo identifica: se da de alta aparte.',
    ]);
    expect(await run('suppliers', rows)).toMatchObject({ created: 0, unchanged: 5, refused: [] });
    expect(await run('suppliers', [{ ...generic, suppliercontactperson: 'Eve' }])).toMatchObject({
      refused: [{ column: 'Contacto' }],
    });
  });

  it('takes two suppliers of one name with different RFCs for two', async () => {
    const one = { suppliername: 'SERVI RENT, S.A.', suppliercontactperson: 'A', rfc: 'SRA191006GC7' };
    const other = { ...one, suppliername: 'SERVI RENT S.A', rfc: 'SRA070307UA4' };
    expect(await run('suppliers', [one, other])).toMatchObject({ created: 2, refused: [] });
  });

  it('does not identify anybody by a generic RFC', async () => {
    const one = { suppliername: 'Uno', suppliercontactperson: 'A', rfc: 'XAXX010101000' };
    const other = { ...one, suppliername: 'Otro' };
    expect(await run('suppliers', [one, other, one])).toMatchObject({
      created: 2,
      unchanged: 1,
      refused: [],
    });
  });

  it('lists every refused row and stores nothing, or stores the rest if asked to', async () => {
    const rows = [
      { clientname: 'Puertos', clientcontactperson: 'A', clientcontactemail: 'a@b.mx' },
      { clientname: 'Sin contacto', clientcontactperson: '', clientcontactemail: '' },
      { clientname: 'Mal correo', clientcontactperson: 'B', clientcontactemail: 'sin arroba' },
    ];
    const stopped = await run('clients', rows);
    expect(stopped).toMatchObject({ created: 1, stored: false });
    expect(stopped.refused.map(({ row, column }) => [row, column])).toEqual([
      [3, 'Contacto'],
      [4, 'Correo'],
    ]);
    expect(await fresh.db.selectFrom('clients').select('id').execute()).toEqual([]);
    expect(await fresh.db.selectFrom('imports').select('id').execute()).toEqual([]);
    expect(await run('clients', rows, { onError: 'skip' })).toMatchObject({ created: 1, stored: true });
    expect(await fresh.db.selectFrom('clients').select('clientname').execute()).toEqual([
      { clientname: 'Puertos' },
    ]);
  });

  it('finds a job’s client by name, or by a declared id, refuses a missing one, and adds it if asked to', async () => {
    await addClient(fresh.db, { clientname: 'Administración Portuaria' });
    const jobs = [
      { jobtitle: 'Muelle', clientname: 'administracion portuaria', jobstartdate: '2026-01-01' },
      { jobtitle: 'Bodega', clientname: 'ADMINISTRACIÓN PORTUARIA', jobduedate: '2026-01-01' },
      { jobtitle: 'Nave', clientname: 'Nadie', jobstartdate: '' },
    ];
    expect((await run('jobs', jobs)).refused).toMatchObject([
      { row: 4, column: 'Cliente', value: 'Nadie', reason: 'No existe el cliente «Nadie».' },
    ]);
    const result = await run('jobs', jobs, { createMissing: true });
    expect(result).toMatchObject({ created: 3, missingCreated: { clients: 1 } });
    const stored = await fresh.db
      .selectFrom('jobs')
      .innerJoin('clients', 'clients.id', 'clientId')
      .select(['jobtitle', 'clientname', 'clientcontactperson', 'jobstartdate'])
      .orderBy('jobs.id')
      .execute();
    expect(stored).toMatchObject([
      { jobtitle: 'Muelle', clientname: 'Administración Portuaria', jobstartdate: '2026-01-01' },
      { jobtitle: 'Bodega', clientname: 'Administración Portuaria', jobstartdate: null },
      { jobtitle: 'Nave', clientname: 'Nadie', clientcontactperson: '(sin contacto)' },
    ]);
    const entities = await readRows(fresh.db, 'audit', { action: 'import' }, ['entity']);
    expect(entities).toEqual([{ entity: 'clients' }, { entity: 'jobs' }]);
    const other = [{ jobtitle: 'Muelle', clientname: 'Nadie' }];
    expect((await run('jobs', other)).refused).toMatchObject([
      { column: 'Cliente', reason: expect.stringMatching(/«Administración Portuaria».*«Nadie»/) },
    ]);
  });

  it('stores equal rows twice if asked to, but never one RFC', async () => {
    const rubro = { nombrerubro: 'Acero', descripcionrubro: 'Varilla' };
    expect(await run('rubros', [rubro, rubro], { allowDuplicates: true })).toMatchObject({ created: 2 });
    expect(await run('suppliers', [PUNTO, PUNTO], { allowDuplicates: true })).toMatchObject({
      created: 1,
      unchanged: 1,
    });
  });
});

type Shift<T extends unknown[]> = T extends [unknown, unknown, ...infer Rest] ? Rest : never;
