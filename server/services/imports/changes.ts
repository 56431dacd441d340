import type { AuditTable, Trx } from '../../../db/schema.ts';
import { catalogOfCommand } from '../../../shared/catalogs/all.ts';
import { numberKey } from '../../../shared/text.ts';
import type { TableKind } from '../../formats/tables/table.ts';
import type { NewInvoice } from './invoices-drafts.ts';
import type { Judged } from './judging-all.ts';
import type { NewPayment } from './payments-rows.ts';

type Entry = Pick<AuditTable, 'action' | 'entity' | 'entityId' | 'before' | 'after'>;

/** Whether an entry is about what a row says that is still to be stored. */
type Touches = (entry: Entry, stored: number) => boolean;

/**
 * Whether rows that were accepted when the audit trail ended with `lastId` might not be now. What was deleted, and
 * what was done to other rows, might as well have come after the import, and so may what was done once a row is
 * stored; who is in doubt judges again.
 */
export class OthersChanges {
  readonly #missing: Judged['missing'];
  readonly #touches: Touches;
  #lastId: number;

  constructor(lastId: number, kind: TableKind, { accepted, missing }: Judged) {
    this.#lastId = lastId;
    this.#missing = missing;
    this.#touches = touchesOf(kind, accepted);
  }

  /** @param stored how many of the accepted rows are stored by now */
  async mayChangeVerdicts(trx: Trx, stored = 0): Promise<boolean> {
    const entries = await trx
      .selectFrom('audit')
      .select(['id', 'action', 'entity', 'entityId', 'before', 'after'])
      .where('id', '>', this.#lastId)
      .orderBy('id')
      .execute();
    const isTouched = entries.some(
      (entry) =>
        (this.#missing.has(entry.entity as never) && entry.action !== 'delete') ||
        this.#touches(entry, stored),
    );
    this.#lastId = entries.at(-1)?.id ?? this.#lastId;
    return isTouched;
  }
}

function touchesOf(kind: TableKind, accepted: Judged['accepted']): Touches {
  if (kind === 'invoices') return touchesInvoices(accepted as readonly NewInvoice[]);
  if (kind === 'payments') return touchesPayments(accepted as readonly NewPayment[]);
  const noun = catalogOfCommand(kind)?.noun;
  return ({ entity, action }) => entity === noun && action !== 'delete';
}

/**
 * Others of the same supplier may be the same invoice or look like it, and so may any with the same UUID; another
 * credit of the supplier is another due day.
 */
function touchesInvoices(accepted: readonly NewInvoice[]): Touches {
  const suppliers = new Set<unknown>(accepted.map(({ supplier }) => supplier.id));
  let places: Map<string, number> | undefined;
  return ({ entity, entityId, action, before, after }, stored) => {
    if (entity === 'suppliers')
      return (
        action === 'update' &&
        suppliers.has(Number(entityId)) &&
        valuesOf(before).diascredito !== valuesOf(after).diascredito
      );
    if (entity !== 'invoices' || action === 'delete') return false;
    const { supplierId, numfactura, totalCents, uuid, formerUuid } = valuesOf(after);
    if (action === 'import' || supplierId === undefined || numfactura === undefined) return true;
    places ??= lastPlaces(accepted, ({ invoice, supplier }) =>
      keysOf({ ...invoice, supplierId: supplier.id, number: invoice.numfacturaKey }),
    );
    const values = { supplierId, totalCents, uuid, formerUuid, number: numberKey(String(numfactura)) };
    return keysOf(values).some((key) => isAhead(places, key, stored));
  };
}

interface Keys {
  supplierId: unknown;
  number: string;
  totalCents: unknown;
  uuid: unknown;
  formerUuid: unknown;
}

const keysOf = ({ supplierId, number, totalCents, uuid, formerUuid }: Keys): string[] => [
  ...(number ? [`${supplierId} ${number}`] : []),
  `${supplierId} = ${totalCents}`,
  ...[uuid, formerUuid].filter(Boolean).map(String),
];

/** What else is paid of the same invoices, or of a credit note, leaves less of them. */
function touchesPayments(accepted: readonly NewPayment[]): Touches {
  const invoices = lastPlaces(accepted, ({ payment }) => [payment.facturaproveedorId]);
  const isOfNotes = accepted.some(({ note }) => note);
  return ({ entity, entityId, action, after }, stored) => {
    if (entity === 'credit-notes') return isOfNotes || action !== 'create';
    if (entity === 'invoices')
      return action !== 'create' && (entityId === null || isAhead(invoices, Number(entityId), stored));
    if (entity !== 'payments' || action === 'delete') return false;
    const { facturaproveedorId, creditNoteId } = valuesOf(after);
    if (action === 'import' || facturaproveedorId === undefined) return true;
    return isAhead(invoices, Number(facturaproveedorId), stored) || (isOfNotes && creditNoteId !== null);
  };
}

/** Where the last of the rows with a key stands. */
function lastPlaces<Row, Key>(rows: readonly Row[], keys: (row: Row) => Key[]): Map<Key, number> {
  const places = new Map<Key, number>();
  for (const [place, row] of rows.entries()) for (const key of keys(row)) places.set(key, place);
  return places;
}

const isAhead = <Key>(places: ReadonlyMap<Key, number> | undefined, key: Key, stored: number): boolean =>
  (places?.get(key) ?? -1) >= stored;

const valuesOf = (json: string | null): Record<string, unknown> => (json ? JSON.parse(json) : {});
