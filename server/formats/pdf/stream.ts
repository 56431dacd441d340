import { deflateSync } from 'node:zlib';
import type { PDFContext, PDFRef } from 'pdf-lib';

/**
 * Compressed by Node: pdf-lib's own compression is plain JavaScript, and took a third of the time of a long
 * list. Page by page it is a matter of a millisecond, and the threads beside would hold on to their memory.
 */
export const addStream = (
  context: PDFContext,
  content: string | Uint8Array,
  facts: Record<string, number> = {},
): PDFRef => context.register(context.stream(deflateSync(content), { ...facts, Filter: 'FlateDecode' }));
