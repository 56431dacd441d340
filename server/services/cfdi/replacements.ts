import type { Selectable } from 'kysely';
import { insertRows } from '../../../db/bulk.ts';
import { isOneOfTexts } from '../../../db/expressions.ts';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { type CfdiReading, namedUuids, type ReadDocument } from '../../formats/cfdi/candidates.ts';
import { append } from '../stored-rows.ts';

type Relation = Selectable<Schema['document_relations']>;

/** A document that replaces others. */
type Successor = Pick<Relation, 'uuid' | 'kind' | 'numero' | 'fecha'>;

/** A document by its UUID and its issuer, who alone may replace it. */
interface Named {
  uuid: string | null;
  rfc: string;
}

/**
 * Which documents replace which (SAT, TipoRelacion 04), by what those of a part say and what any said before, stored or
 * not. Of a chain only the last one counts.
 */
export class Replacements {
  readonly #successors = new Map<string, Relation[]>();
  readonly #formers = new Map<string, Relation[]>();
  /** RFCs of those who say something of a document, by its UUID */
  readonly #issuers = new Map<string, string[]>();
  readonly #known = new Set<string>();
  readonly #new: Relation[] = [];

  /** Reads what is known of these documents and of those that they name, along whole chains. */
  static async read(db: Db, readings: readonly CfdiReading[]): Promise<Replacements> {
    const all = new Replacements();
    const said = readings.flatMap(({ replacing }) => replacing ?? []);
    const named = readings.flatMap((reading) => [reading.uuid ?? [], namedUuids(reading)].flat());
    const seen = new Set<string>();
    let next = [...named, ...said.map(({ replacedUuid }) => replacedUuid)];
    while (next.length > 0) {
      for (const uuid of next) seen.add(uuid);
      const rows = await db
        .selectFrom('document_relations')
        .selectAll()
        .where((eb) => eb.or([isOneOfTexts(db, 'uuid', next), isOneOfTexts(db, 'replacedUuid', next)]))
        .execute();
      for (const row of rows) all.#add(row);
      next = [...new Set(rows.flatMap(({ uuid, replacedUuid }) => [uuid, replacedUuid]))];
      next = next.filter((uuid) => !seen.has(uuid));
    }
    for (const { rfc, ...relation } of said) {
      const added = all.#add({ ...relation, rfc: normalizeRfc(rfc) });
      if (added) all.#new.push(added);
    }
    return all;
  }

  /** What the documents of the part say is remembered, whatever becomes of them. */
  store = (trx: Trx): Promise<void> => insertRows(trx, 'document_relations', this.#new);

  #add(relation: Relation): Relation | undefined {
    const { uuid, replacedUuid, rfc } = relation;
    const key = `${uuid} ${replacedUuid}`;
    if (this.#known.has(key)) return undefined;
    this.#known.add(key);
    append(this.#successors, keyOf({ uuid: replacedUuid, rfc }), relation);
    append(this.#formers, keyOf({ uuid, rfc }), relation);
    append(this.#issuers, replacedUuid, rfc);
    append(this.#issuers, uuid, rfc);
    return relation;
  }

  /** Documents at the ends of the chains that go on from this one, the first by day; none: it counts itself. */
  successorsOf({ uuid, rfc }: Named): Successor[] {
    if (uuid === null || !this.#successors.has(keyOf({ uuid, rfc }))) return [];
    const above = this.#reach(uuid, rfc);
    const last = [...new Set([uuid, ...above.keys()])].filter((one) => this.#isLast(one, rfc));
    return last.includes(uuid)
      ? []
      : last.map((one) => this.#formers.get(keyOf({ uuid: one, rfc }))![0]!).sort(inTime);
  }

  /** UUIDs of the documents that count in the place of this one, whoever issued it, and in the end its own. */
  livingOf(uuid: string): string[] {
    const rfcs = new Set(this.#issuers.get(uuid));
    const living = [...rfcs].flatMap((rfc) => this.successorsOf({ uuid, rfc }));
    return [...living.map((one) => one.uuid), uuid];
  }

  isReplaced = (uuid: string): boolean => this.livingOf(uuid)[0] !== uuid;

  /** UUIDs by which a document is named: its own, and those of all that it replaces. */
  familyOf(uuid: string): string[] {
    const rfcs = new Set(this.#issuers.get(uuid));
    return [uuid, ...[...rfcs].flatMap((rfc) => this.formersOf({ uuid, rfc }))];
  }

  /** UUIDs of all documents that are of one chain with this one, whoever issued them. */
  chainOf(uuid: string): string[] {
    const found = new Set([uuid]);
    for (const one of found)
      for (const key of this.#known) {
        const pair = key.split(' ');
        if (pair.includes(one)) for (const other of pair) found.add(other);
      }
    return [...found].slice(1);
  }

  /** Those that replace it directly. */
  replacersOf = ({ uuid, rfc }: Named): readonly Successor[] =>
    uuid === null ? [] : (this.#successors.get(keyOf({ uuid, rfc })) ?? []);

  /** UUIDs of all that it replaces, along whole chains; those that it names itself come first. */
  formersOf({ uuid, rfc }: Named): string[] {
    const found = new Set<string>(uuid === null ? [] : [uuid]);
    for (const one of found)
      for (const { replacedUuid } of this.#formers.get(keyOf({ uuid: one, rfc })) ?? [])
        found.add(replacedUuid);
    return [...found].slice(1);
  }

  /** UUIDs of all documents that chains of these documents hold. */
  get uuids(): string[] {
    return [...this.#known].flatMap((key) => key.split(' '));
  }

  #reach(uuid: string, rfc: string): Map<string, Relation> {
    const found = new Map<string, Relation>();
    const open = [uuid];
    for (const one of open)
      for (const relation of this.#successors.get(keyOf({ uuid: one, rfc })) ?? []) {
        if (found.has(relation.uuid)) continue;
        found.set(relation.uuid, relation);
        open.push(relation.uuid);
      }
    return found;
  }

  /** A ring has no last document: of those in it the latest counts. */
  #isLast(uuid: string, rfc: string): boolean {
    const above = this.#reach(uuid, rfc);
    if (above.size === 0) return true;
    const own = above.get(uuid);
    return (
      own !== undefined &&
      [...above.values()].every((one) => this.#reach(one.uuid, rfc).has(uuid) && inTime(one, own) <= 0)
    );
  }
}

const keyOf = ({ uuid, rfc }: Named) => `${rfc} ${uuid}`;

const inTime = (a: Successor, b: Successor): number =>
  `${a.fecha} ${a.uuid}` < `${b.fecha} ${b.uuid}` ? -1 : a.uuid === b.uuid ? 0 : 1;

/** Why a document that another one replaces is held back. */
export function sayReplaced(successors: readonly Successor[]): string | undefined {
  if (successors.length === 0) return undefined;
  const all = successors.map(({ uuid, kind, numero }) => `el CFDI ${uuid}, que es ${NOUNS[kind]} ${numero}`);
  return `${successors.length === 1 ? 'Lo sustituyó' : 'Lo sustituyeron'} ${all.join('; y ')}: no se guarda.`;
}

const NOUNS = { I: 'la factura', E: 'la nota de crédito', P: 'el recibo de pago' };

/** A document that replaces several, or that is one of several that replace the same. */
export function sayBranches(
  all: Replacements,
  named: Named,
  replacing: readonly { replacedUuid: string }[],
): string[] {
  const said: string[] = [];
  const direct = replacing.map(({ replacedUuid }) => replacedUuid);
  if (direct.length > 1) said.push(`Sustituye (relación 04) a varios CFDI: ${direct.join(', ')}.`);
  for (const uuid of direct) {
    const others = all.replacersOf({ ...named, uuid }).filter((one) => one.uuid !== named.uuid);
    for (const { uuid: other, kind, numero } of others)
      said.push(`Al CFDI ${uuid} lo sustituye también ${NOUNS[kind]} ${numero}, CFDI ${other}.`);
  }
  return said;
}

/** Of a document that has no stamp nobody can say that he replaces it. */
export const namedOf = ({ uuid, issued }: ReadDocument): Named => ({
  uuid: uuid ?? null,
  rfc: normalizeRfc(issued.detail.emisor.rfc),
});
