import type { Trx } from '../../../db/schema.ts';
import { CLOSING, shareClosing } from '../closing/closing.ts';
import type { Judged } from './judging-all.ts';

/**
 * Whether rows that were accepted when the audit trail ended with `lastId` might not be now. What was deleted, and
 * what was done to other rows, might as well have come after the import; who is in doubt judges again.
 */
export class OthersChanges {
  readonly #missing: Judged['missing'];
  readonly #judge: Judged['judge'];
  #lastId: number;

  constructor(lastId: number, { judge, missing }: Judged) {
    this.#lastId = lastId;
    this.#missing = missing;
    this.#judge = judge;
  }

  async mayChangeVerdicts(trx: Trx): Promise<boolean> {
    // Who moves the closing date has done so by now, or does it after this.
    await shareClosing(trx);
    const entries = await trx
      .selectFrom('audit')
      .select(['id', 'action', 'entity', 'entityId', 'before', 'after'])
      .where('id', '>', this.#lastId)
      .orderBy('id')
      .execute();
    const isTouched = entries.some(
      (entry) =>
        (entry.entity === 'settings' && entry.entityId === CLOSING) ||
        (this.#missing.has(entry.entity as never) && entry.action !== 'delete') ||
        this.#judge.touches(entry),
    );
    this.#lastId = entries.at(-1)?.id ?? this.#lastId;
    return isTouched;
  }
}
