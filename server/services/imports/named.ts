import type { Trx } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { clients } from '../../../shared/catalogs/clients.ts';
import type { TableImport } from '../../formats/tables/table.ts';
import { type ListEntry, readList } from './known-catalogs.ts';
import type { MakingContext, NewRows } from './new-rows.ts';
import type { References } from './references.ts';
import { inOrder, makeEntries } from './writing.ts';

/** Which members of drafts name entries of which catalog, by ids below zero where these come with the file. */
type Naming<Draft> = { readonly [Member in keyof Draft]?: Catalog };

/** Counts the entries that come with stored drafts, the clients of new obras too, by the command of their list. */
export function countMissing<Draft extends object>(
  stored: readonly Draft[],
  references: References,
  naming: Naming<Draft>,
): TableImport['missingCreated'] {
  const named = [...namedBy(stored, references, naming)];
  return Object.fromEntries(named.map(([{ command }, entries]) => [command, entries.size]));
}

/**
 * Makes the entries that accepted drafts name and that nobody has added since they were looked for; each draft learns
 * the ids of what it names. The entries themselves stay as they are: all of it may be run again.
 */
export async function bringNamed<Draft extends object>(
  context: MakingContext & { db: Trx },
  accepted: readonly Draft[],
  references: References,
  naming: Naming<Draft>,
): Promise<NewRows[]> {
  const named = namedBy(accepted, references, naming);
  const copies = new Map<ListEntry, ListEntry>();
  const lists: NewRows[] = [];
  for (const catalog of inOrder([...named.keys()].map(({ noun }) => noun))) {
    const onFile = await readList(context.db, catalog, { lock: true });
    const added: ListEntry[] = [];
    for (const entry of named.get(catalog)!) {
      const [there] = onFile.named(entry.name);
      const copy = there ?? { ...entry, parent: entry.parent && (copies.get(entry.parent) ?? entry.parent) };
      copies.set(entry, copy);
      if (!there) added.push(copy);
    }
    lists.push(await makeEntries(context, catalog, added));
  }
  for (const draft of accepted)
    for (const [entry, member] of entriesOf(draft, references, naming))
      Object.assign(draft, { [member]: copies.get(entry)!.id });
  return lists;
}

function namedBy<Draft extends object>(
  drafts: readonly Draft[],
  references: References,
  naming: Naming<Draft>,
): Map<Catalog, Set<ListEntry>> {
  const named = new Map<Catalog, Set<ListEntry>>();
  const add = (catalog: Catalog, entry: ListEntry) =>
    named.set(catalog, (named.get(catalog) ?? new Set()).add(entry));
  for (const draft of drafts)
    for (const [entry, , catalog] of entriesOf(draft, references, naming)) {
      add(catalog, entry);
      if (entry.parent && entry.parent.id < 0) add(clients, entry.parent);
    }
  return named;
}

function* entriesOf<Draft extends object>(
  draft: Draft,
  references: References,
  naming: Naming<Draft>,
): Generator<[ListEntry, keyof Draft, Catalog]> {
  for (const member of Object.keys(naming) as (keyof Draft)[]) {
    const id = draft[member];
    const catalog = naming[member]!;
    if (typeof id === 'number' && id < 0) yield [references.list(catalog).withId(id)!, member, catalog];
  }
}
