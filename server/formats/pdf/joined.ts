/** Documents as one, page after page. */
export async function joinPdfs(documents: readonly Uint8Array[]): Promise<Uint8Array> {
  const { PDFDocument } = await import('pdf-lib');
  const joined = await PDFDocument.create();
  for (const [index, bytes] of documents.entries()) {
    const one = await PDFDocument.load(bytes, { updateMetadata: false });
    if (index === 0) joined.setTitle(one.getTitle() ?? '');
    for (const page of await joined.copyPages(one, one.getPageIndices())) joined.addPage(page);
  }
  return joined.save();
}
