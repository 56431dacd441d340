import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { hasRfcCheckDigit, isGenericRfc, isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { MAX_NAME } from '../../formats/cfdi/candidates.ts';
import type { Issued, KnownOnFile, KnownSupplier } from './on-file.ts';
import type { CfdiPart } from './part.ts';

/** Who issued a credit note or a receipt, created where that is wanted; or why its supplier will not do. */
export async function supplierOf(
  { known, writer, options }: CfdiPart,
  issued: Issued,
  suppliers: readonly KnownSupplier[],
): Promise<{ supplier: KnownSupplier; warnings: string[] } | { problem: string }> {
  const problem = judgeSupplier(issued, suppliers, options.createSuppliers);
  if (problem) return { problem };
  if (suppliers[0]) return { supplier: suppliers[0], warnings: [] };
  const warnings = warnOfNewSupplier(issued, known);
  const supplier = await writer.addSupplier(issued);
  known.addSupplier(supplier);
  return { supplier, warnings };
}

/** Why a document's supplier will not do, or nothing. */
export function judgeSupplier(
  issued: Issued,
  [supplier, ...others]: readonly (KnownSupplier | undefined)[],
  createSuppliers: boolean | undefined,
): string | undefined {
  const { emisor } = issued.detail;
  if (!supplier) return createSuppliers ? badSupplier(issued) : missingSupplier(issued);
  if (others.length === 0) return undefined;
  const ids = [supplier, ...others].map((one) => one?.id).join(', ');
  return `Hay varios proveedores «${emisor.nombre}» con el RFC ${emisor.rfc}: ${ids}.`;
}

export function warnOfNewSupplier(candidate: Issued, known: KnownOnFile): string[] {
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

function missingSupplier({ detail: { emisor } }: Issued): string {
  const name = emisor.nombre ? ` («${emisor.nombre}»)` : '';
  return `No hay un proveedor con el RFC ${emisor.rfc}${name}, y no se pidió darlo de alta.`;
}

function badSupplier({ detail: { emisor } }: Issued): string | undefined {
  const most = suppliers.fields.find(({ type }) => type === 'rfc')!.max;
  const { length } = normalizeRfc(emisor.rfc);
  if (length > 0 && length <= most) return undefined;
  return `El RFC del emisor, «${emisor.rfc.slice(0, 40)}», no sirve para darlo de alta.`;
}
