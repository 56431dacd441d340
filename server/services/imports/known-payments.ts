import { sql } from 'kysely';
import { listed } from '../../../db/bulk.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';

export interface KnownPayment {
  /** below zero: of this import, not stored yet */
  id: number;
  /** the line of this file that it comes from */
  line?: number;
  facturaproveedorId: number;
  supplierId: number;
  suppliername: string;
  paymentdate: PlainDate;
  amountCents: Cents;
  importebancoCents: Cents | null;
  checknum: string;
  /** as it is compared */
  checkFold: string;
  origenderecursoId: number | null;
  /** of a part of a credit note; below zero: of this import */
  creditNoteId: number | null;
  comments: string;
}

/** The payments on file that rows may be, and those that used the same checks. */
export class KnownPayments {
  readonly #byKey = new Map<string, [KnownPayment]>();
  readonly #undated = new Map<string, KnownPayment[]>();
  readonly #byCheck = new Map<string, KnownPayment[]>();

  add(payment: KnownPayment): void {
    const undated = keyOf(payment.facturaproveedorId, payment);
    const key = `${undated}|${payment.paymentdate}`;
    // The first of equal ones stands for all of them.
    if (!this.#byKey.has(key)) this.#byKey.set(key, [payment]);
    const same = this.#undated.get(undated);
    if (same) same.push(payment);
    else this.#undated.set(undated, [payment]);
    this.addCheck(payment);
  }

  /** One for each supplier is enough to warn by. */
  addCheck(payment: KnownPayment): void {
    if (!payment.checknum || payment.origenderecursoId === null) return;
    const key = checkKey(payment);
    const list = this.#byCheck.get(key);
    if (!list) this.#byCheck.set(key, [payment]);
    else if (!list.some(({ supplierId }) => supplierId === payment.supplierId)) list.push(payment);
  }

  /** A row without a date, which was stored under the day it came in, is known by the rest; it may be several. */
  find(invoiceId: number, draft: SoughtPayment): readonly KnownPayment[] {
    const key = keyOf(invoiceId, draft);
    if (!draft.paymentdate) return this.#undated.get(key) ?? [];
    return this.#byKey.get(`${key}|${draft.paymentdate}`) ?? [];
  }

  /** A payment to another supplier with the same check of the same source. */
  sameCheck(payment: KnownPayment): KnownPayment | undefined {
    return this.#byCheck.get(checkKey(payment))?.find(({ supplierId }) => supplierId !== payment.supplierId);
  }
}

export interface SoughtPayment extends Pick<KnownPayment, 'amountCents' | 'checkFold' | 'creditNoteId'> {
  paymentdate: PlainDate | null;
}

interface Wanted {
  invoiceIds: readonly number[];
  /** folded number and source */
  checks: readonly { c: string; o: number }[];
  pause?: () => Promise<void>;
}

const KEYS_AT_ONCE = 5000;

/** Reads the payments of these invoices, and who else was paid with these checks. */
export async function readPayments(db: Db, known: KnownPayments, wanted: Wanted): Promise<void> {
  const { invoiceIds, pause = async () => {} } = wanted;
  const { rows } = await sql`select 1 from payments limit 1`.execute(db);
  if (rows.length === 0) return;
  const select = sql`select p.id, p."facturaproveedorId", i."supplierId", s.suppliername, p.paymentdate,
    p."amountCents", p."importebancoCents", p.checknum, p."checknumFold" as "checkFold", p."origenderecursoId",
    p."creditNoteId", p.comments`;
  const joins = sql`join invoices as i on i.id = p."facturaproveedorId" join suppliers as s on s.id = i."supplierId"`;
  for (let at = 0; at < invoiceIds.length; at += KEYS_AT_ONCE) {
    const ids = listed(
      db,
      { id: 'bigint' },
      invoiceIds.slice(at, at + KEYS_AT_ONCE).map((id) => ({ id })),
    );
    const found = await sql<KnownPayment>`${select} from ${ids} as w cross join payments as p ${joins}
      where p."facturaproveedorId" = w.id order by p.id`.execute(db);
    for (const payment of found.rows) known.add(payment);
    await pause();
  }
  const checks = [...new Map(wanted.checks.map((check) => [`${check.c}|${check.o}`, check])).values()];
  for (let at = 0; at < checks.length; at += KEYS_AT_ONCE) {
    const pairs = listed(db, { c: 'text', o: 'bigint' }, checks.slice(at, at + KEYS_AT_ONCE));
    const found = await sql<KnownPayment>`${select} from ${pairs} as w cross join payments as p ${joins}
      where p."checknumFold" = w.c and p."origenderecursoId" = w.o order by p.id`.execute(db);
    for (const payment of found.rows) known.addCheck(payment);
    await pause();
  }
}

export const keyOf = (
  invoiceId: number,
  { amountCents, checkFold, creditNoteId }: Pick<KnownPayment, 'amountCents' | 'checkFold' | 'creditNoteId'>,
) => `${invoiceId}|${creditNoteId ?? ''}|${amountCents}|${checkFold}`;

export const checkKey = ({ origenderecursoId, checkFold }: KnownPayment) =>
  `${origenderecursoId}|${checkFold}`;
