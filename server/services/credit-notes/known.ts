import { isOneOf, isOneOfTexts } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { CreditNote } from '../../../shared/credit-notes.ts';
import { numberKey } from '../../../shared/text.ts';
import { Replacements } from '../document-relations.ts';
import { append } from '../stored-rows.ts';
import type { RuleResult } from '../writing.ts';

/** A note on file, or one that an earlier row of the same table brings. */
export interface KnownNote
  extends Pick<CreditNote, 'supplierId' | 'numero' | 'uuid' | 'fecha' | 'totalCents' | 'ivaCents'>,
    Pick<CreditNote, 'otrosimpuestosCents' | 'retencionesCents' | 'appliedCents'> {
  /** 0 or below: it is not stored yet */
  id: number;
  /** of the table that brings it */
  line?: number;
}

/** A row says this of a note; null: it does not say it. */
export interface SaidNote {
  numero: string;
  uuid: string | null;
  fecha: string | null;
  totalCents: number | null;
}

/** The credit notes that rows of a table may be, and those that come with it. */
export class KnownNotes {
  readonly #byUuid = new Map<string, KnownNote>();
  readonly #byNumber = new Map<string, KnownNote[]>();
  readonly #rfcs = new Map<number, string | null>();
  #replacements = new Replacements();
  /** those that payments bring, in their order: ids from -1 downwards, until they are made */
  readonly added: KnownNote[] = [];

  async read(db: Db, uuids: readonly string[], supplierIds: readonly number[]): Promise<void> {
    const notes = await db
      .selectFrom('credit_notes')
      .select(['id', 'supplierId', 'numero', 'uuid', 'fecha', 'totalCents', 'ivaCents'])
      .select(['otrosimpuestosCents', 'retencionesCents', 'appliedCents'])
      .where((eb) => eb.or([isOneOfTexts(db, 'uuid', uuids), isOneOf(db, 'supplierId', supplierIds)]))
      .orderBy('id')
      .execute();
    for (const note of notes) this.add(note);
    this.#replacements = await Replacements.read(db, uuids);
    if (this.#replacements.isEmpty) return;
    const issuers = db.selectFrom('suppliers').select(['id', 'rfc']);
    for (const { id, rfc } of await issuers.where(isOneOf(db, 'id', supplierIds)).execute())
      this.#rfcs.set(id, rfc);
  }

  /** @param issuer the RFC in the document itself, where it is known */
  refuseReplaced({ uuid, supplierId }: Pick<KnownNote, 'uuid' | 'supplierId'>, issuer?: string): RuleResult {
    return this.#replacements.refuse({ uuid, rfc: issuer ?? this.#rfcs.get(supplierId) });
  }

  /** Two documents may have one number; a paper beside one is the same note. */
  sameNumber({
    supplierId,
    numero,
    uuid,
  }: Pick<KnownNote, 'supplierId' | 'numero' | 'uuid'>): KnownNote | undefined {
    if (numberKey(numero) === '') return undefined;
    return this.numbered(supplierId, numero).find((one) => !uuid || !one.uuid);
  }

  add(note: KnownNote): void {
    if (note.uuid) this.#byUuid.set(note.uuid, note);
    append(this.#byNumber, keyOf(note.supplierId, note.numero), note);
  }

  addNew(note: KnownNote): KnownNote {
    this.added.push(note);
    note.id = -this.added.length;
    this.add(note);
    return note;
  }

  /** A UUID says which note it is; a number is its supplier's own; without one, day and total have to do. */
  find({ uuid, numero, fecha, totalCents }: SaidNote, supplierId: number): KnownNote | undefined {
    if (uuid) return this.#byUuid.get(uuid);
    const agrees = (note: KnownNote) =>
      (!fecha || note.fecha === fecha) && (totalCents === null || note.totalCents === totalCents);
    const all = this.numbered(supplierId, numero);
    const unstamped = all.filter((note) => !note.uuid);
    const isNumbered = numberKey(numero) !== '';
    return unstamped.find(agrees) ?? (isNumbered ? (unstamped[0] ?? all.find(agrees)) : undefined);
  }

  numbered = (supplierId: number, numero: string): readonly KnownNote[] =>
    this.#byNumber.get(keyOf(supplierId, numero)) ?? [];
}

const keyOf = (supplierId: number, numero: string): string => `${supplierId}:${numberKey(numero)}`;
