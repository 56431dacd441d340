import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { attachFile } from '../../server/services/attachments.ts';
import { applyCredit } from '../../server/services/credit-notes/write.ts';
import { addUpload, storeFile } from '../../server/services/files.ts';
import { buildCfdi, buildConcepto, buildConceptos } from '../support/cfdi.ts';
import { buildPdf } from '../support/files.ts';
import { addCreditNote, createActor, NOW } from '../support/rows.ts';
import type { Planted } from './planted.ts';

/** Ids of the rows stored from files, one of each kind for each text. */
export interface PlantedFiles {
  attachments: number[];
  notes: number[];
  /** payments of kind `credito`, one for each note */
  credits: number[];
  /** ids of uploaded tables and CFDI that are not stored yet */
  tables: string[];
  documents: string[];
}

/** Stores an attachment, a credit note, an uploaded table and an uploaded CFDI for each text. */
export async function plantFiles(
  db: Db,
  userId: number,
  { suppliers, invoices }: Planted,
  texts: readonly string[],
): Promise<PlantedFiles> {
  const planted: PlantedFiles = { attachments: [], notes: [], credits: [], tables: [], documents: [] };
  const user = createActor({ userId });
  for (const [index, text] of texts.entries()) {
    const invoiceId = invoices[index]!;
    const pdf = { filename: 'factura.pdf', bytes: buildPdf(String(index)) };
    planted.attachments.push(await inTransaction(db, (trx) => attachFile(trx, user, invoiceId, pdf)));
    const creditNoteId = await addCreditNote(db, { supplierId: suppliers[index]!, userId });
    planted.notes.push(creditNoteId);
    const credit = await applyCredit(db, user, { creditNoteId, invoiceId, amountCents: 500 });
    planted.credits.push(credit.id);
    planted.tables.push(await addUpload(db, user, { filename: 'tabla.csv', bytes: tableOf(text) }));
    planted.documents.push(await addUpload(db, user, { filename: 'a.xml', bytes: documentOf(text) }));
  }
  await replantFiles(db, planted, texts);
  return planted;
}

/** Replaces the texts directly in the database, past the rules, because pages have to be safe for any stored text. */
export async function replantFiles(db: Db, planted: PlantedFiles, texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    const { attachments, notes, credits, tables, documents } = planted;
    const filename = text;
    await db.updateTable('attachments').set({ filename }).where('id', '=', attachments[index]!).execute();
    const note = { numero: text, numeroKey: text, comments: text, detail: JSON.stringify({ folio: text }) };
    await db.updateTable('credit_notes').set(note).where('id', '=', notes[index]!).execute();
    const comment = { comments: text };
    await db.updateTable('payments').set(comment).where('id', '=', credits[index]!).execute();
    for (const [id, bytes] of [
      [tables[index]!, tableOf(text)],
      [documents[index]!, documentOf(text)],
    ] as const) {
      const sha256 = await inTransaction(db, (trx) => storeFile(trx, bytes, NOW));
      await db.updateTable('uploads').set({ filename, sha256 }).where('id', '=', id).execute();
    }
  }
}

/** A table with the text in an unknown heading and in a row's cells. */
const tableOf = (text: string) =>
  Buffer.from(
    [
      ['Rubro', 'Descripción', `${text} ajeno`],
      [`${text} otro`, text, text], // a name unlike that of any rubro
      ['Acero', 'Varilla', '1'],
    ]
      .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join())
      .join('\n'),
  );

/** A CFDI with the text in every text attribute. */
function documentOf(text: string): Buffer {
  const safe = text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return Buffer.from(
    buildCfdi({
      root: { Serie: '', Folio: safe },
      emisor: { Rfc: 'EKU9003173C9', Nombre: safe },
      receptor: { Rfc: 'IVD920810GU2', Nombre: safe },
      conceptos: buildConceptos(buildConcepto('1000.00', '', safe)),
    }),
  );
}
