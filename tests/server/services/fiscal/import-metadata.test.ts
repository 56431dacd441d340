import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importMetadata } from '../../../../server/services/fiscal/import-metadata.ts';
import { buildMetadataFile, createMetadataUuid, type MetadataLine } from '../../../support/metadata.ts';
import { chooseRunCount, describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, createActor as system } from '../../../support/rows.ts';
import { readLastRow, readRows } from '../../../support/stored.ts';

const uuid = createMetadataUuid(1);

describeOneDatabase('metadata of the SAT', (fresh) => {
  const load = async (...lines: (MetadataLine | string)[]) =>
    importMetadata(fresh.db, system(), buildMetadataFile(lines));
  const stored = () => fresh.db.selectFrom('sat_documents').selectAll().orderBy('uuid').execute();

  it('is stored with the day of its file, and recorded in the trail', async () => {
    const { db } = fresh;
    await addInvoice(db, { uuid });
    const actor = await addActor(db, { roles: [2] });
    const lines = [
      { uuid, cancelado: '2026-10-20' },
      { uuid: createMetadataUuid(2), fecha: '2026-10-02' },
    ];
    const outcome = await importMetadata(db, actor, buildMetadataFile(lines, 'octubre.txt'));
    expect(outcome).toMatchObject({ filas: 2, nuevos: 2, cambiados: 0, cancelados: 1, warnings: [] });
    expect(await stored()).toEqual([
      expect.objectContaining({
        ...{ uuid, montoCents: 116_000, efecto: 'I', vigenteVisto: null },
        ...{ canceladoVisto: '2026-10-20', fechaCancelacion: '2026-10-20' },
      }),
      expect.objectContaining({
        uuid: createMetadataUuid(2),
        vigenteVisto: '2026-10-20',
        canceladoVisto: null,
      }),
    ]);
    const [row] = await db.selectFrom('sat_loads').selectAll().execute();
    expect(row).toMatchObject({
      ...{ filename: 'octubre.txt', filas: 2, userId: actor.userId, finishedAt: actor.at },
      ...{ desde: '2026-10-02', hasta: '2026-10-05', visto: '2026-10-20' },
    });
    const { entity, after } = await readLastRow(db, 'audit', {}, ['entity', 'after']);
    expect([entity, JSON.parse(after!)]).toEqual([
      'sat-documents',
      expect.objectContaining({ archivo: 'octubre.txt', filas: 2, nuevos: 2, cancelados: 1 }),
    ]);
  });

  it('that names a later day than today is known as of today', async () => {
    await load({ uuid, fecha: '2027-01-04' });
    expect(await stored()).toEqual([expect.objectContaining({ vigenteVisto: '2026-11-20' })]);
  });

  it('of one file again changes nothing', async () => {
    const lines = [{ uuid }, { uuid: createMetadataUuid(2), cancelado: '2026-10-09' }];
    await load(...lines);
    const before = await stored();
    expect(await load(...lines)).toMatchObject({ nuevos: 0, cambiados: 0, cancelados: 0 });
    expect(await stored()).toEqual(before);
    expect(await readRows(fresh.db, 'sat_loads')).toHaveLength(1);
  });

  it('never takes a cancellation back', async () => {
    await load({ uuid, cancelado: '2026-10-20' });
    await load({ uuid }, { uuid: createMetadataUuid(9), fecha: '2026-11-15' });
    expect((await stored())[0]).toMatchObject({
      ...{ vigenteVisto: '2026-11-15', canceladoVisto: '2026-10-20', fechaCancelacion: '2026-10-20' },
    });
  });

  it.each<[string, Partial<MetadataLine>]>([
    ['amount', { monto: '1.00' }],
    ['issuer', { rfc: 'OTR010203AB4' }],
    ['receiver', { receptor: 'OTR010203AB4' }],
    ['day', { fecha: '2026-10-06' }],
    ['kind', { efecto: 'E' }],
  ])('of a known UUID with another %s is not believed, in the same file or another', async (_name, other) => {
    const outcome = await load({ uuid }, { uuid, ...other });
    expect(outcome.warnings).toEqual([expect.stringContaining(uuid)]);
    const before = await stored();
    const { warnings } = await load({ uuid, ...other, cancelado: '2026-10-30' });
    expect(warnings).toEqual([expect.stringContaining(uuid)]);
    expect(await stored()).toEqual(before);
  });

  it('with rows that are not understood is stored without them, and says which', async () => {
    const { warnings } = await load({ uuid }, { uuid: createMetadataUuid(2), monto: 'x' });
    expect(warnings).toEqual(['Un renglón no se entiende y se dejó fuera: línea 3: «x» no es un monto.']);
    expect(await stored()).toHaveLength(1);
  });

  it('that was broken off is finished by the same file', async () => {
    await load({ uuid }, { uuid: createMetadataUuid(2) });
    await fresh.db.deleteFrom('sat_documents').where('uuid', '=', uuid).execute();
    await fresh.db.updateTable('sat_loads').set({ finishedAt: null }).execute();
    expect(await load({ uuid }, { uuid: createMetadataUuid(2) })).toMatchObject({ nuevos: 1 });
    expect(await readRows(fresh.db, 'sat_loads')).toEqual([
      expect.objectContaining({ finishedAt: '2026-11-20T18:00:00.000Z' }),
    ]);
  });

  it('is refused to users without access', async () => {
    const actor = await addActor(fresh.db, { roles: [4] });
    await expect(importMetadata(fresh.db, actor, buildMetadataFile([{ uuid }]))).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });

  it('adds up to the same, in whichever order its files come and however often', async () => {
    const line = fc.record({
      uuid: fc.integer({ min: 1, max: 3 }).map(createMetadataUuid),
      cancelado: fc.constantFrom('', '2026-10-09', '2026-10-21'),
    });
    const file = fc.array(line, { minLength: 1, maxLength: 4 });
    const orders = fc
      .array(file, { minLength: 1, maxLength: 3 })
      .chain((files) =>
        fc.tuple(
          fc.constant(files),
          fc.shuffledSubarray([...files, ...files], { minLength: 2 * files.length }),
        ),
      );
    const loadAll = async (files: readonly MetadataLine[][]) => {
      await fresh.db.deleteFrom('sat_documents').execute();
      await fresh.db.deleteFrom('sat_loads').execute();
      for (const lines of files) await load(...lines);
      return stored();
    };
    await fc.assert(
      fc.asyncProperty(orders, async ([files, shuffled]) => {
        expect(await loadAll(shuffled)).toEqual(await loadAll(files));
      }),
      { numRuns: chooseRunCount(6, 40) },
    );
  });
});
