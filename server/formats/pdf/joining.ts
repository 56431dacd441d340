import { nextStep } from '../sheets/next-step.ts';

/** Documents one after the other, as one. */
export async function joinPdfs(
  documents: readonly Uint8Array[],
  { title, at }: { title: string; at: Date },
): Promise<Uint8Array> {
  const { PDFDocument } = await import('pdf-lib');
  const joined = await PDFDocument.create({ updateMetadata: false });
  joined.setTitle(title, { showInWindowTitleBar: true });
  joined.setLanguage('es-MX');
  joined.setCreator('Saldo');
  joined.setProducer('Saldo');
  joined.setCreationDate(at);
  joined.setModificationDate(at);
  for (const bytes of documents) {
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    for (const page of await joined.copyPages(document, document.getPageIndices())) joined.addPage(page);
    await nextStep();
  }
  return joined.save({ objectsPerTick: 20 });
}
