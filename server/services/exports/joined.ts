import { joinPdfs } from '../../formats/pdf/joining.ts';
import { sheetPdf } from '../../formats/pdf/pdf.ts';
import type { ListExport } from '../../formats/sheets/list-export.ts';
import { type LetterheadRequest, letterheadOf } from './make-export.ts';

/** Several reports as one document, each as it is by itself, one after the other. */
export function joinedExport(
  request: LetterheadRequest,
  { file, title, noun }: Pick<ListExport<never>, 'file' | 'title' | 'noun'>,
  parts: readonly ListExport<unknown>[],
): ListExport<never> {
  const draw = async (signal?: AbortSignal) => {
    const made: Uint8Array[] = [];
    for (const part of parts)
      made.push(await sheetPdf(part, await letterheadOf(request, part), { at: request.now, signal }));
    return joinPdfs(made, { title, at: request.now });
  };
  return {
    file,
    title,
    filters: [],
    noun,
    sheet: { columns: [], pages: [] },
    toRecords: () => [],
    form: { file, draw },
  };
}
