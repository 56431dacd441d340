import type { AuditTable, Trx } from '../../../db/schema.ts';
import { catalogOfCommand } from '../../../shared/catalogs/all.ts';
import type { TableKind } from '../../formats/tables/table.ts';
import type { NewInvoice } from './invoices-drafts.ts';
import type { ListEntry } from './known-catalogs.ts';
import type { NewPayment } from './payments-rows.ts';

interface Judged {
  accepted: readonly (ListEntry | NewInvoice | NewPayment)[];
  /** lists to which something is added, by their nouns */
  missing: ReadonlyMap<string, unknown>;
}

type Entry = Pick<AuditTable, 'action' | 'entity' | 'entityId' | 'before' | 'after'>;

/**
 * Whether rows that were accepted when the audit trail ended with `lastId` might not be now. What was deleted, and
 * what was done to other rows, might as well have come after the import; who is in doubt judges again.
 */
export async function mayChangeVerdicts(
  trx: Trx,
  lastId: number,
  kind: TableKind,
  { accepted, missing }: Judged,
): Promise<boolean> {
  const entries = await trx
    .selectFrom('audit')
    .select(['action', 'entity', 'entityId', 'before', 'after'])
    .where('id', '>', lastId)
    .execute();
  const touches = touchesOf(kind, accepted);
  return entries.some((entry) => (missing.has(entry.entity) && entry.action !== 'delete') || touches(entry));
}

function touchesOf(kind: TableKind, accepted: Judged['accepted']): (entry: Entry) => boolean {
  if (kind === 'invoices') return touchesInvoices(accepted as readonly NewInvoice[]);
  if (kind === 'payments') return touchesPayments(accepted as readonly NewPayment[]);
  const noun = catalogOfCommand(kind)?.noun;
  return ({ entity, action }) => entity === noun && action !== 'delete';
}

/**
 * Others of the same supplier may be the same invoice, and so may any with the same UUID; another credit of the
 * supplier is another due day.
 */
function touchesInvoices(accepted: readonly NewInvoice[]): (entry: Entry) => boolean {
  const suppliers = new Set<unknown>(accepted.map(({ supplier }) => supplier.id));
  const uuids = new Set<unknown>(accepted.flatMap(({ invoice }) => invoice.uuid ?? []));
  return ({ entity, entityId, action, after }) => {
    if (entity === 'suppliers') return action === 'update' && suppliers.has(Number(entityId));
    if (entity !== 'invoices' || action === 'delete') return false;
    const { supplierId, uuid } = valuesOf(after);
    return action === 'import' || supplierId === undefined || suppliers.has(supplierId) || uuids.has(uuid);
  };
}

/** What else is paid of the same invoices, or of a credit note, leaves less of them. */
function touchesPayments(accepted: readonly NewPayment[]): (entry: Entry) => boolean {
  const invoices = new Set<unknown>(accepted.map(({ payment }) => payment.facturaproveedorId));
  const isOfNotes = accepted.some(({ note }) => note);
  return ({ entity, entityId, action, after }) => {
    if (entity === 'credit-notes') return isOfNotes || action !== 'create';
    if (entity === 'invoices')
      return action !== 'create' && (entityId === null || invoices.has(Number(entityId)));
    if (entity !== 'payments' || action === 'delete') return false;
    const { facturaproveedorId, creditNoteId } = valuesOf(after);
    if (action === 'import' || facturaproveedorId === undefined) return true;
    return invoices.has(facturaproveedorId) || (isOfNotes && creditNoteId !== null);
  };
}

const valuesOf = (json: string | null): Record<string, unknown> => (json ? JSON.parse(json) : {});
