import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  attachFile,
  listAttachments,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
  readAttachment,
  removeAttachment,
} from '../../../server/services/attachments.ts';
import type { Actor } from '../../../server/services/audit/audit.ts';
import { backUpAndDeleteAllInvoices } from '../../../server/services/delete-all.ts';
import { importCfdi } from '../../../server/services/documents/import.ts';
import { addUpload } from '../../../server/services/files.ts';
import { deleteInvoice, unlinkCfdi } from '../../../server/services/invoices/invoices.ts';
import { buildCfdi, bytesOf } from '../../support/cfdi.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { buildJpeg, buildPdf, buildPng, buildWebp, REFUSED_FILES } from '../../support/files.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { describeEachInLongLane } from '../../support/proofs.ts';
import { addActor, addInvoice, addJob } from '../../support/rows.ts';
import { readRow, readRows } from '../../support/stored.ts';

const attach = (db: Db, actor: Actor, invoiceId: number, bytes: Buffer, filename = 'archivo') =>
  inTransaction(db, (trx) => attachFile(trx, actor, invoiceId, { filename, bytes }));

const countFiles = async (db: Db) => (await db.selectFrom('files').select('sha256').execute()).length;

const auditOf = (db: Db) => readRows(db, 'audit', { entity: 'attachments' }, ['action', 'entityId']);

/** Reads the audit entries of imports. */
async function importsOf(db: Db): Promise<{ created: number; attachmentIds: number[] }[]> {
  const entries = db.selectFrom('audit').select('after').where('entity', '=', 'invoices').orderBy('id');
  return (await entries.execute()).map(({ after }) => JSON.parse(after!));
}

describeEachDatabase('a file that is kept with an invoice', (fresh) => {
  it('is a CFDI, a PDF or a picture by its content, and gets the matching name', async () => {
    const actor = await addActor(fresh.db);
    const invoiceId = await addInvoice(fresh.db);
    const files: [Buffer, string][] = [
      [bytesOf(buildCfdi()), 'factura.XML'],
      [Buffer.from(`\ufeff${buildCfdi({ declaration: '' })}`, 'utf16le'), 'ancho.txt'],
      [buildPdf(), 'C:\\Escáner\\hoja 1.pdf'],
      [buildPng(), 'foto.html'],
      [buildJpeg(), 'foto.JPEG'],
      [buildWebp(), '../../../etc/passwd'],
    ];
    for (const [bytes, name] of files) await attach(fresh.db, actor, invoiceId, bytes, name);
    const kept = await listAttachments(fresh.db, invoiceId);
    expect(kept.map(({ kind, filename }) => [kind, filename])).toEqual([
      ['cfdi', 'factura.XML'],
      ['cfdi', 'ancho.txt.xml'],
      ['pdf', 'hoja 1.pdf'],
      ['imagen', 'foto.html.png'],
      ['imagen', 'foto.JPEG'],
      ['imagen', 'passwd.webp'],
    ]);
    for (const [index, { id, size, username }] of kept.entries()) {
      const { bytes } = await readAttachment(fresh.db, invoiceId, id);
      expect(Buffer.from(bytes)).toEqual(files[index]![0]);
      expect([size, username]).toEqual([bytes.length, actor.username]);
    }
  });

  it.each(Object.entries(REFUSED_FILES))('is never %s, whatever its name', async (_what, bytes) => {
    const actor = await addActor(fresh.db);
    const invoiceId = await addInvoice(fresh.db);
    await expect(attach(fresh.db, actor, invoiceId, bytes, 'factura.pdf')).rejects.toMatchObject({
      kind: 'invalid',
      code: 'not_allowed_file',
    });
    expect([await listAttachments(fresh.db, invoiceId), await countFiles(fresh.db)]).toEqual([[], 0]);
  });

  it('has at most 5 MB, and there are at most twenty', async () => {
    const actor = await addActor(fresh.db);
    const invoiceId = await addInvoice(fresh.db);
    const large = (size: number) => Buffer.concat([buildPdf()], size);
    await attach(fresh.db, actor, invoiceId, large(MAX_ATTACHMENT_BYTES));
    await expect(attach(fresh.db, actor, invoiceId, large(MAX_ATTACHMENT_BYTES + 1))).rejects.toMatchObject({
      kind: 'too-large',
    });
    for (let n = 1; n < MAX_ATTACHMENTS; n++) await attach(fresh.db, actor, invoiceId, buildPng(String(n)));
    await expect(attach(fresh.db, actor, invoiceId, buildPng('más'))).rejects.toMatchObject({
      code: 'too_many_attachments',
    });
    expect(await listAttachments(fresh.db, invoiceId)).toHaveLength(MAX_ATTACHMENTS);
    expect(await countFiles(fresh.db)).toBe(MAX_ATTACHMENTS);
  });

  it('is stored once for the same bytes, and deleted with the last reference to it', async () => {
    const actor = await addActor(fresh.db);
    const [one, other] = [await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const id = await attach(fresh.db, actor, one, buildPdf(), 'a.pdf');
    expect(await attach(fresh.db, actor, one, buildPdf(), 'b.pdf')).toBe(id);
    const second = await attach(fresh.db, actor, other, buildPdf());
    expect(await countFiles(fresh.db)).toBe(1);
    await removeAttachment(fresh.db, actor, one, id);
    expect(await countFiles(fresh.db)).toBe(1);
    await expect(readAttachment(fresh.db, one, second)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(removeAttachment(fresh.db, actor, one, second)).rejects.toMatchObject({ kind: 'not-found' });
    await removeAttachment(fresh.db, actor, other, second);
    expect(await countFiles(fresh.db)).toBe(0);
    expect((await auditOf(fresh.db)).map(({ action, entityId }) => [action, Number(entityId)])).toEqual([
      ['create', id],
      ['create', second],
      ['delete', id],
      ['delete', second],
    ]);
  });

  it('is deleted a month after its invoice, and stays if somebody has still to decide about it', async () => {
    const actor = await addActor(fresh.db);
    const id = await addInvoice(fresh.db);
    await attach(fresh.db, actor, id, buildPdf('uno'));
    await attach(fresh.db, actor, id, buildPdf('dos'));
    await addUpload(fresh.db, actor, { filename: 'dos.pdf', bytes: buildPdf('dos') });
    await deleteInvoice(fresh.db, actor, id);
    expect(await countFiles(fresh.db)).toBe(2);
    const at = new Date(Date.parse(actor.at) + 31 * 24 * 3_600_000).toISOString();
    await deleteInvoice(fresh.db, { ...actor, at }, await addInvoice(fresh.db));
    expect(await countFiles(fresh.db)).toBe(1);
    const { before } = await readRow(fresh.db, 'audit', { action: 'delete' }, ['before']);
    expect(JSON.parse(before!).attachments).toHaveLength(2);
  });

  it('is deleted with the whole list, and is in the copy that is made of it', async () => {
    const place = temporaryFolder();
    try {
      const actor = await addActor(fresh.db);
      await attach(fresh.db, actor, await addInvoice(fresh.db), buildPdf());
      await backUpAndDeleteAllInvoices({ db: fresh.db, config: { dataFolder: place.folder } }, actor);
      expect([
        await countFiles(fresh.db),
        await fresh.db.selectFrom('attachments').selectAll().execute(),
      ]).toEqual([0, []]);
      const folder = join(place.folder, 'backups');
      const copy = readdirSync(folder).find((name) =>
        name.endsWith(fresh.dialect === 'sqlite' ? '.db' : '.jsonl'),
      );
      const kept = readFileSync(join(folder, copy!));
      const wanted = fresh.dialect === 'sqlite' ? buildPdf() : buildPdf().toString('base64');
      expect(kept.includes(wanted)).toBe(true);
    } finally {
      place.remove();
    }
  });
});

describeEachInLongLane('the XML of an imported CFDI', (fresh) => {
  const importOne = async (actor: Actor, bytes = bytesOf(buildCfdi())) =>
    importCfdi(fresh.db, actor, [{ name: 'noviembre.zip/facturas/A 12.xml', bytes }], {
      jobId: await addJob(fresh.db),
      createSuppliers: true,
    });

  it('is kept with its invoice to the byte, with one remark for the import, and not stored again', async () => {
    const actor = await addActor(fresh.db);
    const bytes = Buffer.from(
      buildCfdi({ declaration: '<?xml version="1.0" encoding="ISO-8859-1"?>' }),
      'latin1',
    );
    const [done] = (await importOne(actor, bytes)).files;
    const [kept, ...others] = await listAttachments(fresh.db, done!.invoiceId!);
    expect([kept?.kind, kept?.filename, kept?.size, others]).toEqual(['cfdi', 'A 12.xml', bytes.length, []]);
    const read = await readAttachment(fresh.db, done!.invoiceId!, kept!.id);
    expect([Buffer.from(read.bytes).equals(bytes), read.mediaType]).toEqual([true, 'application/xml']);
    const again = await importOne(actor, bytes);
    expect(again.files[0]).toMatchObject({ outcome: 'unchanged', invoiceId: done!.invoiceId });
    expect(await listAttachments(fresh.db, done!.invoiceId!)).toEqual([kept]);
    expect(await importsOf(fresh.db)).toMatchObject([{ created: 1, attachmentIds: [kept!.id] }]);
  });

  it('stays as long as the invoice is linked to it, and may be deleted afterwards', async () => {
    const actor = await addActor(fresh.db);
    const invoiceId = (await importOne(actor)).files[0]!.invoiceId!;
    const [kept] = await listAttachments(fresh.db, invoiceId);
    await expect(removeAttachment(fresh.db, actor, invoiceId, kept!.id)).rejects.toMatchObject({
      code: 'cfdi_attachment',
    });
    await unlinkCfdi(fresh.db, actor, invoiceId);
    expect(await listAttachments(fresh.db, invoiceId)).toEqual([kept]);
    await removeAttachment(fresh.db, actor, invoiceId, kept!.id);
    expect(await countFiles(fresh.db)).toBe(0);
  });

  it('is not stored in a dry run, nor for what was refused', async () => {
    const actor = await addActor(fresh.db);
    const files = [{ name: 'a.xml', bytes: bytesOf(buildCfdi()) }];
    await importCfdi(fresh.db, actor, files, { jobId: await addJob(fresh.db) });
    const options = { jobId: await addJob(fresh.db), createSuppliers: true, dryRun: true };
    expect((await importCfdi(fresh.db, actor, files, options)).created).toBe(1);
    expect(await countFiles(fresh.db)).toBe(0);
  });

  it('is written after a number of bytes, not held in memory until the end', async () => {
    const actor = await addActor(fresh.db);
    const files = Array.from({ length: 5 }, (_, n) => ({
      name: `${n}.xml`,
      bytes: bytesOf(
        buildCfdi({
          uuid: `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`,
          root: { Folio: `F${n}` },
        }),
      ),
    }));
    const options = {
      jobId: await addJob(fresh.db),
      createSuppliers: true,
      bytesPerPart: files[0]!.bytes.length * 2,
    };
    expect((await importCfdi(fresh.db, actor, files, options)).created).toBe(5);
    expect((await importsOf(fresh.db)).map(({ attachmentIds }) => attachmentIds.length)).toEqual([2, 2, 1]);
  });
});
