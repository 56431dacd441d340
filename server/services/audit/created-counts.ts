const createdCountsSinceStart = new Map<string, number>();

/** The numbers of rows created since the process started, by entity; rows that were rolled back are not counted. */
export const getCreatedCountsSinceStart = (): ReadonlyMap<string, number> => createdCountsSinceStart;

export function countRowsCreatedByEntry({
  action,
  entity,
  after,
}: {
  action: string;
  entity: string;
  after?: object;
}) {
  const rows = action === 'create' ? 1 : action === 'import' ? countImportedRows(after) : 0;
  addCreatedCount(entity, rows);
}

/** A worker thread sends the drained counts to the thread that counts for the whole process. */
export function drainCreatedCounts(): [entity: string, rows: number][] {
  const drained = [...createdCountsSinceStart];
  createdCountsSinceStart.clear();
  return drained;
}

export function addCreatedCount(entity: string, rows: number): void {
  if (rows > 0) createdCountsSinceStart.set(entity, (createdCountsSinceStart.get(entity) ?? 0) + rows);
}

function countImportedRows(after: object = {}): number {
  const { created, count, ids } = after as { created?: unknown; count?: unknown; ids?: unknown };
  const named = [created, count].find((value) => typeof value === 'number');
  return typeof named === 'number' ? named : Array.isArray(ids) ? ids.length : 0;
}
