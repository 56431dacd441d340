import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { addDays } from '../../shared/dates.ts';
import { formatMoney } from '../../shared/money.ts';
import { hasRfcCheckDigit, isGenericRfc, isRfc, normalizeRfc } from '../../shared/rfc.ts';
import { numberKey, oneLine } from '../../shared/text.ts';
import { type CfdiCandidate, type CfdiDetail, MAX_NAME } from './cfdi-candidates.ts';
import type { KnownInvoice, KnownOnFile, KnownSupplier } from './cfdi-known.ts';
import { LOOKALIKE_DAYS, lookalikeWarning } from './invoice-rules.ts';

export type CfdiVerdict =
  | { unchanged: KnownInvoice }
  | { refused: string }
  /** supplier undefined: to be created */
  | { supplier: KnownSupplier | undefined; warnings: string[] };

export interface JudgingOptions {
  jobId: number;
  createSuppliers: boolean;
  /** UUIDs that documents of this import replace, with the file of each */
  replaced: ReadonlyMap<string, string>;
}

/**
 * Stored, known already, or refused: by what is on file. A stamped document is its UUID alone; one without
 * a stamp is its supplier and number, and where it has none either, supplier, date, total and job.
 */
export function judgeCandidate(
  candidate: CfdiCandidate,
  known: KnownOnFile,
  options: JudgingOptions,
): CfdiVerdict {
  const { draft, detail } = candidate;
  const twin = draft.uuid ? known.invoiceOf(draft.uuid) : undefined;
  if (twin)
    return sameDocument(candidate, twin) ? { unchanged: twin } : refuse(otherFigures(candidate, twin));
  const unlinked = draft.uuid ? known.unlinkedFrom(draft.uuid) : undefined;
  if (unlinked) {
    return refuse(`Es el CFDI del que se desligó ${label(unlinked)}: se retiene para no duplicarla.`);
  }
  const [supplier, ...others] = known.suppliersOf(candidate);
  const alike = supplier ? sameNumber(candidate, supplier, known, options.jobId) : [];
  if (!draft.uuid && alike[0]) {
    const same = alike.find((one) => sameFigures(candidate, one));
    return same ? { unchanged: same } : refuse(otherFigures(candidate, alike[0]));
  }
  if (candidate.mismatch) return refuse(candidate.mismatch);
  const replaced = judgeReplacement(candidate, known, options.replaced);
  if (replaced) return refuse(replaced);
  if (!supplier) {
    const problem = options.createSuppliers ? badSupplier(detail) : missingSupplier(detail);
    return problem ? refuse(problem) : { supplier, warnings: warnOfNewSupplier(candidate, known) };
  }
  if (others.length > 0) {
    const ids = [supplier, ...others].map(({ id }) => id).join(', ');
    return refuse(
      `Hay varios proveedores «${detail.emisor.nombre}» con el RFC ${detail.emisor.rfc}: ${ids}.`,
    );
  }
  const captured = alike.find((one) => !one.uuid && one.totalCents === draft.totalCents);
  if (captured) {
    return refuse(
      `Coincide en proveedor, número y total con ${label(captured)}, que no tiene UUID: se retiene para no duplicarla.`,
    );
  }
  return { supplier, warnings: warnOfOthers(candidate, supplier, alike[0], known) };
}

const refuse = (refused: string): CfdiVerdict => ({ refused });

/** In either order of the files: what one replaces and the one that replaces it are never owed both. */
function judgeReplacement(
  { draft, replaces }: CfdiCandidate,
  known: KnownOnFile,
  replaced: ReadonlyMap<string, string>,
): string | undefined {
  for (const uuid of replaces) {
    const former = known.invoiceOf(uuid);
    if (former)
      return `Sustituye (relación 04) al CFDI ${uuid}, que es ${label(former)}: se retiene para no duplicarla.`;
  }
  const successor = draft.uuid && replaced.get(draft.uuid);
  return successor ? `Lo sustituye (relación 04) el CFDI de «${successor}»: se retiene.` : undefined;
}

function missingSupplier({ emisor }: CfdiDetail): string {
  const name = emisor.nombre ? ` («${emisor.nombre}»)` : '';
  return `No hay un proveedor con el RFC ${emisor.rfc}${name}, y no se pidió darlo de alta.`;
}

function badSupplier({ emisor }: CfdiDetail): string | undefined {
  const most = suppliers.fields.find(({ type }) => type === 'rfc')!.max;
  const { length } = normalizeRfc(emisor.rfc);
  if (length > 0 && length <= most) return undefined;
  return `El RFC del emisor, «${emisor.rfc.slice(0, 40)}», no sirve para darlo de alta.`;
}

function sameNumber(
  { draft }: CfdiCandidate,
  { id }: KnownSupplier,
  known: KnownOnFile,
  jobId: number,
): readonly KnownInvoice[] {
  if (numberKey(draft.numfactura)) return known.numbered(id, draft.numfactura);
  const isAlike = (one: KnownInvoice) =>
    one.jobId === jobId && !numberKey(one.numfactura) && one.fechaemision === draft.fechaemision;
  return known.withTotal(id, draft.totalCents).filter(isAlike);
}

function warnOfOthers(
  { draft }: CfdiCandidate,
  { id }: KnownSupplier,
  numbered: KnownInvoice | undefined,
  known: KnownOnFile,
): string[] {
  const from = addDays(draft.fechaemision, -LOOKALIKE_DAYS);
  const to = addDays(draft.fechaemision, LOOKALIKE_DAYS);
  const lookalikes = known
    .withTotal(id, draft.totalCents)
    .filter(({ fechaemision }) => fechaemision && fechaemision >= from && fechaemision <= to)
    .filter((one) => one !== numbered)
    .slice(0, 3)
    .map(lookalikeWarning);
  if (!numbered) return lookalikes;
  const how = numbered.uuid ? 'con otro UUID' : 'sin UUID y con otro total';
  return [`El proveedor ya tiene ${label(numbered)}, ${how}.`, ...lookalikes];
}

function warnOfNewSupplier(candidate: CfdiCandidate, known: KnownOnFile): string[] {
  const { rfc, nombre } = candidate.detail.emisor;
  const { suppliername } = candidate;
  const warnings: string[] = [];
  // That a generic or malformed RFC is one, the document's own warnings say.
  if (isRfc(rfc) && !isGenericRfc(rfc) && !hasRfcCheckDigit(rfc))
    warnings.push(`El dígito verificador del RFC ${rfc} no corresponde.`);
  if (nombre === '') warnings.push(`El emisor no trae nombre: el proveedor queda como «${suppliername}».`);
  else if (suppliername !== nombre)
    warnings.push(`El nombre del proveedor se recortó a ${MAX_NAME} caracteres.`);
  const namesakes = known.namesakes(candidate);
  if (namesakes.length > 0) {
    const others = namesakes.map((one) => `${one.rfc ?? 'sin RFC'}, id ${one.id}`).join('; ');
    warnings.push(
      `Se dio de alta otro proveedor «${suppliername}»: ya había uno con ese nombre (${others}).`,
    );
  }
  return warnings;
}

/** The same document again: compared by what it says itself, for its invoice may have been corrected since. */
function sameDocument(candidate: CfdiCandidate, stored: KnownInvoice): boolean {
  const { detail } = stored;
  if (!detail) return sameFigures(candidate, stored);
  const own = candidate.detail;
  return (
    candidate.moneda === stored.moneda &&
    AMOUNTS.every((name) => own[name] === detail[name]) &&
    own.emisor.rfc === detail.emisor.rfc &&
    own.fecha === detail.fecha &&
    numberKey(`${own.serie}-${own.folio}`) === numberKey(`${detail.serie}-${detail.folio}`)
  );
}

const sameFigures = ({ draft }: CfdiCandidate, stored: KnownInvoice): boolean =>
  AMOUNTS.every((name) => draft[name] === stored[name]) &&
  (stored.fechaemision === null || stored.fechaemision === draft.fechaemision);

const AMOUNTS = [
  'subtotalCents',
  'ivaCents',
  'otrosimpuestosCents',
  'retencionesCents',
  'totalCents',
] as const;

function otherFigures({ draft, detail, moneda }: CfdiCandidate, stored: KnownInvoice): string {
  const same = draft.uuid ? 'El mismo UUID' : 'El mismo número de este proveedor';
  const [here, there] =
    draft.uuid && stored.detail
      ? [
          `${formatMoney(detail.totalCents)} ${moneda}`,
          `${formatMoney(stored.detail.totalCents)} ${stored.moneda}`,
        ]
      : [formatMoney(draft.totalCents), formatMoney(stored.totalCents)];
  const difference = here === there ? `el mismo total, ${here}` : `total ${there}; en este archivo ${here}`;
  return oneLine(`${same} ya está en ${label(stored)} con otros datos (${difference}): es un conflicto.`);
}

/** "la factura A-12 (id 7)". */
const label = ({ id, numfactura }: KnownInvoice): string =>
  `la factura ${numfactura || 'sin número'} (${id === undefined ? 'de esta importación' : `id ${id}`})`;
