import { isOneOf, isOneOfTexts } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { CreditNote } from '../../../shared/credit-notes.ts';
import { documentNumberKey } from '../../../shared/text.ts';
import { Replacements } from '../document-relations.ts';
import { appendToMapEntry } from '../stored-rows.ts';
import type { RuleResult } from '../write-drafts.ts';

/** A stored note, or one that an earlier row states. */
export interface KnownCreditNote
  extends Pick<CreditNote, 'supplierId' | 'numero' | 'uuid' | 'fecha' | 'totalCents' | 'ivaCents'>,
    Pick<CreditNote, 'otrosimpuestosCents' | 'retencionesCents' | 'appliedCents'> {
  id: number;
  /** The note's line in the table, if the note is not stored. */
  line?: number;
}

/** A credit note as a row of a table states it; a member is null where its cell is empty. */
export interface StatedCreditNote {
  numero: string;
  uuid: string | null;
  fecha: string | null;
  totalCents: number | null;
}

export class KnownNotes {
  readonly #byUuid = new Map<string, KnownCreditNote>();
  readonly #byNumber = new Map<string, KnownCreditNote[]>();
  readonly #rfcs = new Map<number, string | null>();
  #replacements = new Replacements();
  /** New notes that rows of payments state, in their order; they have ids from -1 downwards until they are stored. */
  readonly addedNotes: KnownCreditNote[] = [];

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

  /** @param issuer the RFC stated in the document, if known; else the supplier's RFC counts */
  replacedRefusal(
    { uuid, supplierId }: Pick<KnownCreditNote, 'uuid' | 'supplierId'>,
    issuer?: string,
  ): RuleResult {
    return this.#replacements.replacedRefusal({ uuid, rfc: issuer ?? this.#rfcs.get(supplierId) });
  }

  /** Two CFDI may share a number, but a note without UUID is the same as any note of that number. */
  findNoteOfSameNumber({
    supplierId,
    numero,
    uuid,
  }: Pick<KnownCreditNote, 'supplierId' | 'numero' | 'uuid'>): KnownCreditNote | undefined {
    if (documentNumberKey(numero) === '') return undefined;
    return this.listWithNumber(supplierId, numero).find((one) => !uuid || !one.uuid);
  }

  add(note: KnownCreditNote): void {
    if (note.uuid) this.#byUuid.set(note.uuid, note);
    appendToMapEntry(this.#byNumber, creditNoteNumberKey(note.supplierId, note.numero), note);
  }

  addWithProvisionalId(note: KnownCreditNote): KnownCreditNote {
    this.addedNotes.push(note);
    note.id = -this.addedNotes.length;
    this.add(note);
    return note;
  }

  /** Finds a note by its UUID; one without UUID by supplier and number; one without number by date and total. */
  find(
    { uuid, numero, fecha, totalCents }: StatedCreditNote,
    supplierId: number,
  ): KnownCreditNote | undefined {
    if (uuid) return this.#byUuid.get(uuid);
    const hasSameDayAndTotal = (note: KnownCreditNote) =>
      (!fecha || note.fecha === fecha) && (totalCents === null || note.totalCents === totalCents);
    const all = this.listWithNumber(supplierId, numero);
    const unstamped = all.filter((note) => !note.uuid);
    const isNumbered = documentNumberKey(numero) !== '';
    return (
      unstamped.find(hasSameDayAndTotal) ??
      (isNumbered ? (unstamped[0] ?? all.find(hasSameDayAndTotal)) : undefined)
    );
  }

  listWithNumber = (supplierId: number, numero: string): readonly KnownCreditNote[] =>
    this.#byNumber.get(creditNoteNumberKey(supplierId, numero)) ?? [];
}

const creditNoteNumberKey = (supplierId: number, numero: string): string =>
  `${supplierId}:${documentNumberKey(numero)}`;
