import { type RawBuilder, sql } from 'kysely';
import { listed } from '../../../db/bulk.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { numberKey } from '../../../shared/text.ts';

export interface KnownCredit {
  /** below zero: of this import, not stored yet */
  id: number;
  supplierId: number;
  numero: string;
  uuid: string | null;
  fecha: PlainDate;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
  appliedCents: Cents;
}

/** The credit notes that rows of a file may be parts of, on file and of the file itself. */
export class KnownCredits {
  readonly #byUuid = new Map<string, KnownCredit>();
  readonly #byNumber = new Map<string, KnownCredit[]>();
  readonly #ids = new Set<number>();
  /** those whose notes are all here */
  readonly supplierIds = new Set<number>();
  /** of this import, in their order: ids from -1 downwards, until they are made */
  readonly added: KnownCredit[] = [];

  /** What is there already stays as it is. */
  add(note: KnownCredit): void {
    if (this.#ids.has(note.id)) return;
    this.#ids.add(note.id);
    if (note.uuid) this.#byUuid.set(note.uuid, note);
    const key = numberedKey(note.supplierId, note.numero);
    const list = this.#byNumber.get(key);
    if (list) list.push(note);
    else this.#byNumber.set(key, [note]);
  }

  /** Registers a note of this import, under an id that no row has. */
  addNew(note: KnownCredit): void {
    this.added.push(note);
    note.id = -this.added.length;
    this.add(note);
  }

  withUuid = (uuid: string): KnownCredit | undefined => this.#byUuid.get(uuid);

  numbered = (supplierId: number, numero: string): readonly KnownCredit[] =>
    this.#byNumber.get(numberedKey(supplierId, numero)) ?? [];
}

const numberedKey = (supplierId: number, numero: string): string => `${supplierId}:${numberKey(numero)}`;

const KEYS_AT_ONCE = 5000;

/** Reads the notes of these UUIDs, and all of these suppliers. */
export async function readCredits(
  db: Db,
  known: KnownCredits,
  { uuids, supplierIds }: { uuids: readonly string[]; supplierIds: readonly number[] },
): Promise<void> {
  const read = async <Key>(
    keys: readonly Key[],
    column: 'uuid' | 'supplierId',
    toTable: (keys: readonly Key[]) => RawBuilder<unknown>,
  ) => {
    for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
      const wanted = toTable(keys.slice(at, at + KEYS_AT_ONCE));
      const found = await sql<KnownCredit>`
        select n.id, n."supplierId", n.numero, n.uuid, n.fecha, n."ivaCents", n."otrosimpuestosCents",
          n."retencionesCents", n."totalCents", n."appliedCents"
        from ${wanted} as w cross join credit_notes as n where ${sql.ref(`n.${column}`)} = w.k
        order by n.id`.execute(db);
      for (const note of found.rows) known.add(note);
    }
  };
  await read(uuids, 'uuid', (keys) =>
    listed(
      db,
      { k: 'text' },
      keys.map((k) => ({ k })),
    ),
  );
  const others = supplierIds.filter((id) => !known.supplierIds.has(id));
  for (const id of others) known.supplierIds.add(id);
  await read(others, 'supplierId', (keys) =>
    listed(
      db,
      { k: 'bigint' },
      keys.map((k) => ({ k })),
    ),
  );
}
