import { expect, it } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { parseRows } from '../../server/formats/tables/parse-rows.ts';
import { parseTable } from '../../server/formats/tables/parse-table.ts';
import { planTable } from '../../server/formats/tables/plan.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { checkDatabase } from '../../server/services/database/check.ts';
import { importCfdi } from '../../server/services/documents/import.ts';
import { importTable } from '../../server/services/imports/import.ts';
import { DomainError } from '../../shared/errors.ts';
import { toPlainText } from '../../shared/remarks.ts';
import { describeEachDatabase } from '../support/databases.ts';
import { chooseRunCount } from '../support/proofs.ts';
import { tableInWords } from '../support/remarks.ts';
import { addActor, addJob, addUser } from '../support/rows.ts';
import { damageBytes, SOUND } from './damage.ts';

const COUNT = { sqlite: chooseRunCount(120, 1000, 2000), postgres: chooseRunCount(45, 200, 300) };

describeEachDatabase('T24 · damaged files that are imported', (fresh) => {
  it('are stored as a whole or not at all, and every row is accounted for', async () => {
    const actor = await addActor(fresh.db);
    await addUser(fresh.db, { roles: [3] });
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre Norte' });
    const kinds = Object.keys(SOUND) as (keyof typeof SOUND)[];
    const came = { refused: 0, stopped: 0, stored: 0 };
    for (let seed = 0; seed < COUNT[fresh.dialect]; seed++) {
      const kind = kinds[seed % kinds.length]!;
      const bytes = damageBytes(SOUND[kind], seed);
      const before = await countAll(fresh.db);
      // With the same damage an import may stop or skip rows.
      const onError = seed % 2 ? 'skip' : 'stop';
      const created =
        kind === 'xml'
          ? await loadXml(fresh.db, actor, jobId, { name: `${seed}.xml`, bytes })
          : await loadTable(fresh.db, actor, bytes, { seed, onError });
      const after = await countAll(fresh.db);
      if (!created) expect(after, `seed ${seed}`).toEqual(before);
      else expect(after.invoices - before.invoices, `seed ${seed}`).toBe(created);
      came[created === undefined ? 'refused' : created === 0 ? 'stopped' : 'stored'] += 1;
    }
    console.info(`T24 (${fresh.dialect}): ${JSON.stringify(came)}`);
    expect(Math.min(came.refused, came.stopped, came.stored)).toBeGreaterThan(0);
    const { checks } = await checkDatabase(fresh.db);
    expect(checks.filter(({ problems }) => problems.length > 0)).toEqual([]);
  }, 900_000);
});

async function loadTable(
  db: Db,
  actor: Actor,
  bytes: Buffer,
  { seed, onError }: { seed: number; onError: 'stop' | 'skip' },
): Promise<number | undefined> {
  try {
    const table = await parseTable({ bytes, filename: 'tabla', kind: 'invoices' });
    const plan = planTable(table, 'invoices', {
      decimal: '.',
      dateFormat: 'dd/mm/yyyy',
      amount: 'subtotal',
      set: { tasa: '16' },
    });
    if (plan.questions.length + plan.missingFields.length > 0) return undefined;
    const outcome = await importTable(db, actor, 'invoices', parseRows(table, plan), {
      source: 'tabla',
      sha256: table.sha256,
      columns: plan.columns,
      onError,
      createMissing: true,
    });
    const { rows, created, unchanged, refused, stored } = tableInWords(outcome);
    expect([rows, created + unchanged + refused.length], `seed ${seed}`).toEqual(
      Array(2).fill(table.rows.length),
    );
    for (const { row, column, reason } of refused) {
      expect(row, `seed ${seed}`).toBeGreaterThan(table.header.line);
      expect(
        [column, reason].every((text) => /\S/.test(text)),
        `seed ${seed}`,
      ).toBe(true);
    }
    expect(stored).toBe(onError === 'skip' || refused.length === 0);
    return stored ? created : 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.message, `seed ${seed}`).toMatch(/^\p{Lu}.*\.$/su);
    return undefined;
  }
}

async function loadXml(
  db: Db,
  actor: Actor,
  jobId: number,
  file: { name: string; bytes: Buffer },
): Promise<number | undefined> {
  const { created, files } = await importCfdi(db, actor, [file], { jobId, createSuppliers: true });
  const [{ outcome, reason } = { outcome: 'none', reason: '' }, ...others] = files;
  expect(others).toEqual([]);
  if (outcome !== 'refused') return created;
  expect(reason && toPlainText(reason), file.name).toMatch(/\S/);
  return undefined;
}

async function countAll(db: Db) {
  const counts = {} as Record<(typeof COUNTED)[number], number>;
  for (const table of COUNTED) {
    const rows = db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'));
    counts[table] = (await rows.executeTakeFirstOrThrow()).count;
  }
  return counts;
}

const COUNTED = [
  'invoices',
  'suppliers',
  'clients',
  'jobs',
  'rubros',
  'imports',
  'audit',
  'files',
  'cfdi_documents',
] as const;
