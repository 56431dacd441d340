import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { buildCfdi, bytesOf, uuidOfNumber } from '../../../support/cfdi.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { GROUPING_SPACES, INVISIBLE_CHARACTERS, insertCharacter } from '../../../support/invisible.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addJob, addSupplier } from '../../../support/rows.ts';

const RFC = 'EKU9003173C9';

/** Small public reports, kept outside the repository. */
const reports = resolve(import.meta.dirname, '../../../../../shared/data/reports');

const fileOf = (n: number, Rfc: string, uuid = uuidOfNumber(n)) => ({
  name: `${n}.xml`,
  bytes: bytesOf(buildCfdi({ uuid, root: { Folio: `${n}` }, emisor: { Rfc, Nombre: 'Escuela Kemper' } })),
});

describeEachDatabase('an issuer whose RFC is written in many ways', (fresh) => {
  const suppliers = () => fresh.db.selectFrom('suppliers').select('rfc').orderBy('id').execute();

  it('is one supplier in one load, as the dry run reports', async () => {
    const actor = await addActor(fresh.db);
    const jobId = await addJob(fresh.db);
    const ways = [...INVISIBLE_CHARACTERS, ...GROUPING_SPACES].flatMap(([, character]) =>
      insertCharacter(RFC, character),
    );
    const files = [RFC, ...ways, RFC.toLowerCase()].map((rfc, n) => fileOf(n, rfc));
    const load = (dryRun: boolean) =>
      importCfdi(fresh.db, actor, files, { jobId, createSuppliers: true, dryRun });
    const dry = await load(true);
    expect(dry).toMatchObject({ created: files.length, refused: 0, suppliersCreated: 1 });
    const { files: outcomes, ...counts } = await load(false);
    expect(counts).toEqual({ ...counts, created: dry.created, warned: dry.warned, suppliersCreated: 1 });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(dry.files.map(({ outcome }) => outcome));
    expect(await suppliers()).toEqual([{ rfc: RFC }]);
  });

  it('is identified by its name if the RFC is generic', async () => {
    const actor = await addActor(fresh.db);
    const jobId = await addJob(fresh.db);
    const names = INVISIBLE_CHARACTERS.flatMap(([, character]) =>
      insertCharacter('Público en general', character),
    );
    const files = names.map((Nombre, n) => ({
      name: `${n}.xml`,
      bytes: bytesOf(
        buildCfdi({
          uuid: uuidOfNumber(n),
          root: { Folio: `${n}` },
          emisor: { Rfc: 'XAXX010101000', Nombre },
        }),
      ),
    }));
    const load = (dryRun: boolean) =>
      importCfdi(fresh.db, actor, files, { jobId, createSuppliers: true, dryRun });
    for (const dryRun of [true, false])
      expect(await load(dryRun)).toMatchObject({ refused: 0, created: names.length, suppliersCreated: 1 });
    expect(await suppliers()).toEqual([{ rfc: 'XAXX010101000' }]);
  });

  it('is the supplier on file, in loads of their own, and its document is recognised by its UUID', async () => {
    const actor = await addActor(fresh.db);
    const jobId = await addJob(fresh.db);
    await addSupplier(fresh.db, { rfc: RFC });
    for (const [index, [, character]] of INVISIBLE_CHARACTERS.entries()) {
      const load = (uuid: string) =>
        importCfdi(fresh.db, actor, [fileOf(index, insertCharacter(RFC, character)[index % 3]!, uuid)], {
          jobId,
        });
      const [first, again] = [
        await load(uuidOfNumber(index)),
        await load(insertCharacter(uuidOfNumber(index), character)[1]!),
      ];
      expect([first.created, again.unchanged]).toEqual([1, 1]);
    }
    expect(await suppliers()).toEqual([{ rfc: RFC }]);
  });
});

describeOneDatabase('the reported pair of documents of one issuer', (fresh) => {
  const files = ['rfc_invisible.xml', 'rfc_limpio.xml'].map((name) => join(reports, name));
  if (!files.every((file) => existsSync(file))) {
    it.skip('is skipped without the external files of reported problems', () => undefined);
    return;
  }

  it('gives one supplier with two invoices', async () => {
    const actor = await addActor(fresh.db);
    const jobId = await addJob(fresh.db);
    const load = (dryRun: boolean) =>
      importCfdi(
        fresh.db,
        actor,
        files.map((name) => ({ name, bytes: readFileSync(name) })),
        { jobId, createSuppliers: true, dryRun },
      );
    const dry = await load(true);
    const run = await load(false);
    expect([dry.suppliersCreated, run.suppliersCreated, run.refused]).toEqual([1, 1, 0]);
    expect(run.files.map(({ outcome }) => outcome)).toEqual(dry.files.map(({ outcome }) => outcome));
    expect(await fresh.db.selectFrom('suppliers').select('id').execute()).toHaveLength(1);
    expect(await fresh.db.selectFrom('invoices').select('id').execute()).toHaveLength(2);
  });
});
