import { expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import {
  previewLoadedReadings,
  storeLoadedDocuments,
} from '../../../../server/services/documents/loaded-documents.ts';
import { createLoad, readLoad } from '../../../../server/services/documents/loads.ts';
import { readSentFiles } from '../../../../server/services/documents/read-cfdi.ts';
import { addUpload } from '../../../../server/services/files.ts';
import { buildCfdi, buildCreditNote, buildReceipt, bytesOf, SAMPLE_UUID } from '../../../support/cfdi.ts';
import { buildPdf } from '../../../support/files.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addJob } from '../../../support/rows.ts';

const OTHER = 'CCCCCCCC-1111-4222-8333-DDDDDDDDDDDD';
const THIRD = 'EEEEEEEE-1111-4222-8333-FFFFFFFFFFFF';

describeEachInLongLane('documents that are sent together', (fresh) => {
  const send = async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const id = await createLoad(db, actor, [
      {
        filename: 'r.xml',
        bytes: bytesOf(buildReceipt({ uuid: THIRD, doctos: [{ amount: '50.00', of: SAMPLE_UUID }] })),
      },
      { filename: 'f.xml', bytes: bytesOf(buildCfdi()) },
      { filename: 'f.pdf', bytes: buildPdf() },
      { filename: 'f.xml', bytes: bytesOf(buildCreditNote([SAMPLE_UUID], { uuid: OTHER })) },
    ]);
    return { db, actor, id };
  };

  it('find one another, are stored together, and are deleted afterwards', async () => {
    const { db, actor, id } = await send();
    const load = await readLoad(db, actor.userId, id);
    expect(load.documents.map(({ filename, pdf }) => [filename, pdf?.filename])).toEqual([
      ['f (2).xml', undefined],
      ['f.xml', 'f.pdf'],
      ['r.xml', undefined],
    ]);
    const documents = await readSentFiles(db, load.documents, { userId: actor.userId });
    const previews = await previewLoadedReadings(db, actor, documents);
    expect(previews.map(({ outcome }) => [outcome.kind, outcome.outcome])).toEqual([
      ['E', 'created'],
      ['I', 'created'],
      ['P', 'warned'],
    ]);
    const fundingSourceId = await addFundingSource(db);
    const options = {
      jobId: await addJob(db),
      createSuppliers: true,
      fundingSourceId,
      jobAndRubroByUpload: new Map(),
    };
    const stored = await inTransaction(db, (trx) =>
      storeLoadedDocuments(trx, actor, load, documents, options),
    );
    expect(stored.map(({ outcome }) => outcome)).not.toContain('refused');
    expect(await db.selectFrom('invoices').select('paidCents').execute()).toEqual([{ paidCents: 16_600 }]);
    const files = await db.selectFrom('attachments').select('filename').orderBy('filename').execute();
    expect(files.map(({ filename }) => filename)).toContain('f.pdf');
    expect(await db.selectFrom('uploads').select('id').execute()).toEqual([]);
    expect((await readLoad(db, actor.userId, id)).outcomes).toHaveLength(3);
    await expect(
      inTransaction(db, (trx) => storeLoadedDocuments(trx, actor, load, documents, options)),
    ).rejects.toMatchObject({ kind: 'conflict' });
    expect((await checkDatabase(db)).ok).toBe(true);
  });

  it('are deleted after two days, and are accessible to nobody else', async () => {
    const { db, actor, id } = await send();
    const other = await addActor(db);
    await expect(readLoad(db, other.userId, id)).rejects.toMatchObject({ kind: 'not-found' });
    const at = new Date(Date.parse(actor.at) + 49 * 3_600_000).toISOString();
    await addUpload(db, { ...other, at }, { filename: 'a.csv', bytes: Buffer.from('a') });
    await expect(readLoad(db, actor.userId, id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('are limited in number and size', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const many = Array.from({ length: 1001 }, (_, n) => ({
      filename: `${n}.xml`,
      bytes: Buffer.from('<a/>'),
    }));
    await expect(createLoad(db, actor, many)).rejects.toMatchObject({ kind: 'too-large' });
    expect(await db.selectFrom('cfdi_loads').select('id').execute()).toEqual([]);
  });
});
