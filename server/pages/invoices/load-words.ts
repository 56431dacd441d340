import { formatMoney } from '../../../shared/money.ts';
import { factsOf } from '../../services/cfdi/documents.ts';
import type { LoadedPreview } from '../../services/cfdi/loaded-documents.ts';
import type { Load } from '../../services/cfdi/loads.ts';
import { sayCount } from './load-outcomes.tsx';

export const canBeStored = ({ outcome }: LoadedPreview) =>
  outcome.outcome === 'created' || outcome.outcome === 'warned';
export const isNewInvoice = (preview: LoadedPreview) =>
  canBeStored(preview) && 'candidate' in preview.reading && !preview.outcome.linked;

/** Seen once and not ticked. */
export const isLeft = ({ outcomes }: Load, { upload }: LoadedPreview): boolean =>
  outcomes.some(({ name, outcome }) => outcome === 'left' && name === upload.filename);

export const isNewSupplier = (preview: LoadedPreview) =>
  canBeStored(preview) && !preview.supplier && !('refused' in preview.reading);

export const newSuppliers = (previews: readonly LoadedPreview[]): string[] => [
  ...new Set(previews.filter(isNewSupplier).map(({ reading }) => factsOf(reading).emisor ?? '')),
];

const MOST_NAMED = 6;

export function sayNew(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const listed = `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` y ${more} más` : ''}`;
  return names.length === 1
    ? `No está en la lista de proveedores: se dará de alta ${listed}`
    : `No están en la lista de proveedores: se darán de alta ${names.length} (${listed})`;
}

/** "40 documentos: 36 facturas nuevas, por $1,160.50; 2 se ligan a facturas capturadas a mano; 1 ya estaba." */
export function sayWhat(previews: readonly LoadedPreview[]): string {
  const fresh = previews.filter(isNewInvoice);
  const sum = fresh.reduce((total, { reading }) => total + (factsOf(reading).totalCents ?? 0), 0);
  const storable = previews.filter(canBeStored);
  const count = (test: (preview: LoadedPreview) => boolean) => previews.filter(test).length;
  const linked = storable.filter(({ outcome }) => outcome.linked && outcome.kind === 'I').length;
  const notes = storable.filter(({ outcome }) => outcome.kind === 'E').length;
  const receipts = storable.filter(({ outcome }) => outcome.kind === 'P').length;
  const known = count(({ outcome }) => outcome.outcome === 'unchanged');
  const refused = count(({ outcome }) => outcome.outcome === 'refused');
  const parts = [
    fresh.length > 0 &&
      `${sayCount(fresh.length, 'factura nueva', 'facturas nuevas')} por ${formatMoney(sum)}`,
    linked > 0 && sayCount(linked, 'se liga a una factura que ya está', 'se ligan a facturas que ya están'),
    notes > 0 && sayCount(notes, 'nota de crédito', 'notas de crédito'),
    receipts > 0 && sayCount(receipts, 'recibo de pago', 'recibos de pago'),
    known > 0 && sayCount(known, 'ya estaba', 'ya estaban'),
    refused > 0 && sayCount(refused, 'no se guarda', 'no se guardan'),
  ];
  return `${sayCount(previews.length, 'documento', 'documentos')}: ${parts.filter(Boolean).join('; ')}.`;
}
