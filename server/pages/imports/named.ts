import type { Db } from '../../../db/schema.ts';
import { catalogOf, catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { ParsedRow, TableKind } from '../../formats/tables/table.ts';
import { References } from '../../services/imports/references.ts';
import { Refused } from '../../services/imports/row-values.ts';
import type { RowFate } from '../../services/imports/run.ts';
import type { ImportQuery } from './query.ts';

/** A row, and the rows of other lists that it names, as they are called there. */
export interface NamedRow extends ParsedRow {
  fate: RowFate;
  named: Readonly<Record<string, { name: string; isNew: boolean } | undefined>>;
}

/** What a row of each kind is stored with; a payment's supplier only tells its invoice apart. */
const NAMES: Partial<Record<TableKind, Readonly<Record<string, Catalog>>>> = {
  invoices: { suppliername: suppliers, jobtitle: jobs, nombrerubro: rubros },
  payments: { origenderecursonombre: fundingSources },
  cajas: { origenderecursonombre: fundingSources, jobtitle: jobs },
  'movimientos-caja': { origenderecursonombre: fundingSources, jobtitle: jobs, nombrerubro: rubros },
  ...Object.fromEntries(catalogs.map((catalog) => [catalog.command, namedBy(catalog)])),
};

/** The lists that a catalog refers to, by their names. */
function namedBy({ fields }: Catalog): Record<string, Catalog> {
  const named = fields.flatMap(({ ref }) => (ref ? [catalogOf(ref)] : []));
  return Object.fromEntries(named.map((catalog) => [catalog.nameField, catalog]));
}

/** Finds what rows name as the import will find it, and what the import would add. */
export async function nameRows(
  db: Db,
  query: ImportQuery,
  rows: readonly Omit<NamedRow, 'named'>[],
): Promise<NamedRow[]> {
  const names = Object.entries(NAMES[query.kind] ?? {});
  const references = new References(query.createMissing, query.set);
  if (rows.length > 0) {
    await references.read(
      db,
      names.map(([, catalog]) => catalog),
    );
  }
  return rows.map((row) => ({
    ...row,
    named: Object.fromEntries(
      names.map(([field, catalog]) => [field, entryOf(references, catalog, row, field)]),
    ),
  }));
}

function entryOf(references: References, catalog: Catalog, { values }: ParsedRow, field: string) {
  try {
    const entry =
      catalog === suppliers ? references.supplier(values, []) : references.named(catalog, values, field);
    return entry && { name: entry.name, isNew: entry.id < 0 };
  } catch (error) {
    if (error instanceof Refused) return undefined; // the row is refused, and says why
    throw error;
  }
}
