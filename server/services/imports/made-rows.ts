import { reserveIds } from '../../../db/bulk.ts';
import type { StoredPayments } from '../../../db/open-imports.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { catalogOfCommand } from '../../../shared/catalogs/all.ts';
import type { TableImport, TableKind } from '../../formats/tables/table.ts';
import { audit } from '../audit/audit.ts';
import type { NewInvoice } from './invoices-drafts.ts';
import type { Judged } from './judging-all.ts';
import type { ListEntry } from './known-catalogs.ts';
import type { NewPayment } from './payments-rows.ts';
import type { Run } from './run.ts';
import {
  inOrder,
  type MakingContext,
  makeCredits,
  makeEntries,
  makeInvoices,
  makePayments,
  type NewRows,
} from './writing.ts';

export interface Made {
  importId: number;
  /** what is referred to first; those of the file last */
  lists: NewRows[];
}

/** All that is to be stored, with its ids. */
export async function makeRows(db: Db, { actor, kind }: Run, { accepted, missing }: Judged): Promise<Made> {
  if (accepted.length === 0) return { importId: 0, lists: [] };
  const [importId = 0] = await reserveIds(db, 'imports', 1);
  const context: MakingContext = { db, actor, importId };
  const lists: NewRows[] = [];
  for (const catalog of inOrder(missing.keys()))
    lists.push(await makeEntries(context, catalog, [...missing.get(catalog.noun)!]));
  if (kind === 'payments') lists.push(await makeCredits(context, accepted as NewPayment[]));
  lists.push(await makeOwn(context, kind, accepted));
  return { importId, lists: lists.filter(({ ids }) => ids.length > 0) };
}

function makeOwn(context: MakingContext, kind: TableKind, accepted: Judged['accepted']): Promise<NewRows> {
  if (kind === 'invoices') return makeInvoices(context, accepted as NewInvoice[]);
  if (kind === 'payments') return makePayments(context, accepted as NewPayment[]);
  return makeEntries(context, catalogOfCommand(kind)!, accepted as ListEntry[]);
}

/** The import's own record. */
export async function addRecord(trx: Trx, { actor, kind, options }: Run, importId: number): Promise<void> {
  const { source, sha256 } = options;
  const record = { id: importId, kind, source, sha256, at: actor.at, userId: actor.userId };
  await trx.insertInto('imports').values(record).execute();
}

/** One entry for each list. */
export function auditRun(
  trx: Trx,
  { actor, kind, options }: Run,
  { unchanged, refused }: TableImport,
  { importId, lists }: Made,
): void {
  const { source, sha256 } = options;
  for (const [index, { entity, ids }] of lists.entries()) {
    const isOwn = index === lists.length - 1;
    const counts = isOwn ? { unchanged, refused: refused.length } : {};
    const after = { importId, kind, source, sha256, created: ids.length, ...counts, ids };
    audit(trx, actor, { action: 'import', entity, after });
  }
}

/** The payments among what is stored, by their ids. */
export function paymentsOf({ importId, lists }: Made): StoredPayments | undefined {
  const ids = lists.find(({ table }) => table === 'payments')?.ids;
  return ids && { importId, from: ids[0]!, to: ids.at(-1)! };
}
