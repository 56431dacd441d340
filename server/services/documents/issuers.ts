import { isOneOfTexts } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { catalogWarnings } from '../../../shared/catalogs/rules.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { isGenericRfc, isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { fold } from '../../../shared/text.ts';
import type { CfdiParty } from '../../formats/cfdi/document.ts';
import { MAX_NAME_LENGTH } from '../../formats/cfdi/invoices.ts';

export interface KnownSupplier {
  /** Below zero: a supplier that a document would create. */
  id: number;
  suppliername: string;
  rfc: string | null;
  diascredito: number;
}

export interface IssuedDocument {
  suppliername: string;
  detail: { emisor: CfdiParty };
}

export class IssuerSuppliers {
  readonly #byRfc = new Map<string, KnownSupplier>();
  readonly #byName = new Map<string, KnownSupplier[]>();
  /** Suppliers by RFC (and name, if the RFC is generic), and by the ids below zero that drafts use for them. */
  readonly #pending = new Map<string | number, KnownSupplier>();
  readonly #created = new Set<KnownSupplier>();

  get createdCount(): number {
    return this.#created.size;
  }

  async read(db: Db, issued: readonly IssuedDocument[]): Promise<void> {
    if (issued.length === 0) return;
    const rfcs = new Set(issued.map(({ detail }) => normalizeRfc(detail.emisor.rfc)));
    const names = new Set(issued.map(({ suppliername }) => fold(suppliername)));
    const found = await db
      .selectFrom('suppliers')
      .select(['id', 'suppliername', 'rfc', 'diascredito'])
      .where((eb) =>
        eb.or([
          isOneOfTexts(
            db,
            'rfc',
            [...rfcs].filter((rfc) => !isGenericRfc(rfc)),
          ),
          isOneOfTexts(db, 'suppliernameFold', [...names]),
        ]),
      )
      .orderBy('id')
      .execute();
    for (const supplier of found) this.#add(supplier);
  }

  #add(supplier: KnownSupplier): void {
    if (supplier.rfc && !isGenericRfc(supplier.rfc)) {
      if (this.#byRfc.has(supplier.rfc)) return;
      this.#byRfc.set(supplier.rfc, supplier);
    }
    const name = fold(supplier.suppliername);
    const namesakes = this.#byName.get(name) ?? [];
    if (!namesakes.some(({ id }) => id === supplier.id)) this.#byName.set(name, [...namesakes, supplier]);
  }

  /** A generic RFC identifies nobody, so the name has to match too. Several suppliers may share both. */
  findSuppliersFor(issued: IssuedDocument): readonly KnownSupplier[] {
    const rfc = normalizeRfc(issued.detail.emisor.rfc);
    if (isGenericRfc(rfc)) return this.#namesakes(issued).filter((one) => one.rfc === rfc);
    const found = this.#byRfc.get(rfc);
    return found ? [found] : [];
  }

  findStoredSupplier = (issued: IssuedDocument): KnownSupplier | undefined =>
    this.findSuppliersFor(issued).find(({ id }) => id > 0);

  #namesakes = ({ suppliername }: IssuedDocument): readonly KnownSupplier[] =>
    this.#byName.get(fold(suppliername)) ?? [];

  /** The supplier is created once a document of it is stored. */
  getOrAddPendingSupplier(issued: IssuedDocument): KnownSupplier {
    const rfc = normalizeRfc(issued.detail.emisor.rfc);
    const key = isGenericRfc(rfc) ? `${rfc} ${fold(issued.suppliername)}` : rfc;
    const supplier = this.#pending.get(key) ?? { id: -1 - this.#pending.size, ...supplierFromIssuer(issued) };
    this.#pending.set(key, supplier).set(supplier.id, supplier);
    return supplier;
  }

  /** @param id the id below zero that drafts use, also after the supplier was stored under its own id */
  findPendingSupplier = (id: number): KnownSupplier | undefined =>
    id < 0 ? this.#pending.get(id) : undefined;

  /** @returns warnings about the new supplier; none if it was created before */
  markCreatedAndWarn(issued: IssuedDocument, supplier: KnownSupplier): string[] {
    if (this.#created.has(supplier)) return [];
    const warnings = this.#warnOfNewSupplier(issued);
    this.#created.add(supplier);
    this.#add(supplier);
    return warnings;
  }

  #warnOfNewSupplier(issued: IssuedDocument): string[] {
    const { rfc, nombre } = issued.detail.emisor;
    const { suppliername } = issued;
    // The document's own warnings report a malformed RFC.
    const warnings = isRfc(rfc) ? catalogWarnings(suppliers, { rfc }) : [];
    if (nombre === '') warnings.push(`El emisor no trae nombre: el proveedor queda como «${suppliername}».`);
    else if (suppliername !== nombre)
      warnings.push(`El nombre del proveedor se recortó a ${MAX_NAME_LENGTH} caracteres.`);
    const namesakes = this.#namesakes(issued);
    if (namesakes.length > 0) {
      const others = namesakes.map((one) => `${one.rfc ?? 'sin RFC'}, id ${one.id}`).join('; ');
      warnings.push(
        `Se dio de alta otro proveedor «${suppliername}»: ya había uno con ese nombre (${others}).`,
      );
    }
    return warnings;
  }
}

export const supplierFromIssuer = ({ suppliername, detail }: IssuedDocument) => ({
  suppliername,
  rfc: normalizeRfc(detail.emisor.rfc),
  diascredito: 0,
});

export function findSupplierProblem(
  { detail: { emisor } }: IssuedDocument,
  foundSuppliers: readonly KnownSupplier[],
  createSuppliers: boolean | undefined,
): string | undefined {
  if (foundSuppliers.length > 1)
    return `Hay varios proveedores «${emisor.nombre}» con el RFC ${emisor.rfc}: ${foundSuppliers.map(({ id }) => id).join(', ')}.`;
  if (foundSuppliers.length === 1) return undefined;
  const name = emisor.nombre ? ` («${emisor.nombre}»)` : '';
  if (!createSuppliers)
    return `No hay un proveedor con el RFC ${emisor.rfc}${name}, y no se pidió darlo de alta.`;
  const maxLength = suppliers.fields.find(({ type }) => type === 'rfc')!.max;
  const { length } = normalizeRfc(emisor.rfc);
  if (length > 0 && length <= maxLength) return undefined;
  return `El RFC del emisor, «${emisor.rfc.slice(0, 40)}», no sirve para darlo de alta.`;
}
