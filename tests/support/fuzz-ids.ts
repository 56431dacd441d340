import type { Db, Schema } from '../../db/schema.ts';
import type { Random } from './fuzz-values.ts';

/** Which table a path or a field's name speaks of: the first word found. */
const WORDS: ReadonlyArray<readonly [RegExp, keyof Schema]> = [
  [/^cfdi$|^pdf$|^\/importar/, 'uploads'],
  [/movimientos/i, 'petty_cash_movements'],
  [/caja-chica/i, 'petty_cash_funds'],
  [/presupuestos/i, 'jobs'],
  [/programaciones/i, 'payment_batches'],
  [/cuenta/i, 'supplier_accounts'],
  [/nota-de-credito|creditNote/i, 'credit_notes'],
  [/supplier/i, 'suppliers'],
  [/client/i, 'clients'],
  [/job/i, 'jobs'],
  [/rubro/i, 'rubros'],
  [/origen|fundingSource/i, 'funding_sources'],
  [/factura|invoice/i, 'invoices'],
  [/payment|pagos/i, 'payments'],
  [/user/i, 'users'],
];

const AT_ONCE = 30;

/** Ids of rows that exist, some of each table, looked up anew now and then: what is deleted stays deleted. */
export class LiveIds {
  readonly #ids = new Map<keyof Schema, (number | string)[]>();
  #attachments: { id: number; invoiceId: number | null }[] = [];
  readonly #db: Db;
  readonly #random: Random;

  constructor(db: Db, random: Random) {
    this.#db = db;
    this.#random = random;
  }

  async refresh(): Promise<void> {
    this.#attachments = await this.#db
      .selectFrom('attachments')
      .select(['id', 'invoiceId'])
      .orderBy('id', 'desc')
      .limit(AT_ONCE)
      .execute();
    const uploads = this.#db.selectFrom('uploads').select('id').orderBy('createdAt', 'desc').limit(AT_ONCE);
    this.#ids.set(
      'uploads',
      (await uploads.execute()).map(({ id }) => id),
    );
    for (const [, table] of WORDS) {
      if (table === 'uploads') continue;
      const ids = this.#db.selectFrom(table as 'invoices').select('id');
      const first = this.#random.int(0, 2600);
      // Mostly open ones: a paid invoice takes no payment.
      const some = table === 'invoices' ? ids.whereRef('paidCents', '<', 'totalCents') : ids;
      const rows = await some.where('id', '>', first).orderBy('id').limit(AT_ONCE).execute();
      const found = rows.length > 0 ? rows : await some.orderBy('id', 'desc').limit(AT_ONCE).execute();
      this.#ids.set(
        table,
        found.map(({ id }) => id),
      );
    }
  }

  /** An id that a path or a field of this name may hold. */
  of(name: string, random: Random): number | string {
    const [, table] = WORDS.find(([word]) => word.test(name)) ?? [];
    const ids = (table && this.#ids.get(table)) || [];
    return ids.length > 0 && random.chance(0.9) ? random.pick(ids) : random.int(1, 2600);
  }

  /** A path with an id for each `:id`; two of them belong together. */
  path(pattern: string, random: Random): string {
    const both = /:id\/adjuntos\/:id/.test(pattern) && this.#attachments.length > 0;
    if (!both || random.chance(0.1)) return pattern.replace(/:id/g, () => String(this.of(pattern, random)));
    const { id, invoiceId } = random.pick(this.#attachments);
    return pattern.replace(':id', String(invoiceId)).replace(':id', String(id));
  }
}
