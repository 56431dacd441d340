import type { BatchFile } from '../../../shared/payment-batches.ts';
import type { StoredLayout } from '../../services/bank-files/layouts.ts';

/** "SHA-256 1f3a…, la cambió ana.ruiz, la confirmó beto.paz": what a layout says, and whose word that is. */
export const originOf = ({ sha256, own }: Pick<StoredLayout, 'sha256' | 'own'>): string =>
  originText(sha256, own?.author ?? null, own?.confirmer ?? null);

/** The same of the layout that a file was written by. */
export const layoutOfFile = ({ layout, layoutSha256, layoutAuthor, layoutConfirmer }: BatchFile): string =>
  layoutSha256
    ? `Plantilla ${layout}, ${originText(layoutSha256, layoutAuthor, layoutConfirmer)}`
    : `Plantilla ${layout}, de antes de que se anotara quién la cambió`;

const originText = (sha256: string, author: string | null, confirmer: string | null): string =>
  [
    author ? 'propia' : 'de fábrica',
    `SHA-256 ${sha256.slice(0, 16)}…`,
    author && `la cambió ${author}`,
    confirmer && `la confirmó ${confirmer}`,
  ]
    .filter(Boolean)
    .join(', ');
