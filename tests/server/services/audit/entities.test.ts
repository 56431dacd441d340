import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AUDITED_ENTITIES } from '../../../../server/services/audit/entities.ts';
import { useFreshDatabase } from '../../../support/databases.ts';

describe('the audit trail', () => {
  const fresh = useFreshDatabase('sqlite');

  it('has no entry under a noun by which it cannot be searched', async () => {
    const known = new Set<string>(AUDITED_ENTITIES);
    const entities = globSync('server/services/**/*.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\b(?:entity: |ENTITY = )'([^']+)'/g)].map(([, noun]) => noun!),
    );
    expect(entities).toContain('attachments');
    await fresh.fillDemo();
    const stored = await fresh.db.selectFrom('audit').select('entity').distinct().execute();
    const all = [...entities, ...stored.map(({ entity }) => entity)];
    expect(all.filter((noun) => !known.has(noun))).toEqual([]);
    const missing = AUDITED_ENTITIES.filter((noun) => !all.includes(noun) && noun !== 'database');
    expect(missing).toEqual([]);
  });
});
