import { listsPdf } from '../../formats/pdf/pdf.ts';
import type { ListExport } from '../../formats/sheets/list-export.ts';
import { type LetterheadRequest, letterheadOf } from './make-export.ts';

/** Several reports as one document, each as it is by itself, one after the other. */
export function joinedExport(
  request: LetterheadRequest,
  { file, title, noun }: Pick<ListExport<never>, 'file' | 'title' | 'noun'>,
  parts: readonly ListExport<unknown>[],
): ListExport<never> {
  const draw = async (signal?: AbortSignal) => {
    const heads = await Promise.all(parts.map((part) => letterheadOf(request, part)));
    const lists = parts.map((part, index) => [part, heads[index]!] as const);
    return listsPdf(lists, { title, at: request.now, signal });
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
