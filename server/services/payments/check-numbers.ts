import type { Trx } from '../../../db/schema.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { fold } from '../../../shared/text.ts';
import { selectPayments } from './reading.ts';

/** What an author should know, each with the id of the payment that it is about. */
export interface AboutPayments {
  warnings: string[];
  about: number[];
}

/** One cheque may pay several invoices of one supplier; the same number for another supplier deserves a look. */
export async function warnOfCheckNumber(trx: Trx, payment: Payment): Promise<AboutPayments> {
  const ofSupplier = trx
    .selectFrom('invoices as own')
    .innerJoin('invoices as same', 'same.supplierId', 'own.supplierId')
    .select('same.id')
    .where('own.id', '=', payment.facturaproveedorId);
  const used = withNumbers(trx, payment.origenderecursoId, [payment.checknum]);
  return used ? told(await used.where('facturaproveedorId', 'not in', ofSupplier).limit(1).execute()) : NONE;
}

/** The cheques of a batch are new ones, whoever gets them: each that was drawn on their source before. */
export async function warnOfCheckNumbers(trx: Trx, payments: readonly Payment[]): Promise<AboutPayments> {
  const numbers = payments.map(({ checknum }) => checknum);
  const used = withNumbers(trx, payments[0]?.origenderecursoId ?? null, numbers);
  if (!used) return NONE;
  const first = Math.min(...payments.map(({ id }) => id));
  const before = await used
    .where('payments.id', '<', first)
    .orderBy('payments.id', 'desc')
    .limit(MOST)
    .execute();
  const latest = new Map(before.toReversed().map((one) => [fold(one.checknum), one]));
  return told([...latest.values()]);
}

/** As many former uses as are looked through. */
const MOST = 1000;

const NONE: AboutPayments = { warnings: [], about: [] };

function withNumbers(trx: Trx, origenderecursoId: number | null, checknums: readonly string[]) {
  const folded = [...new Set(checknums.filter(Boolean).map(fold))];
  if (folded.length === 0 || origenderecursoId === null) return undefined;
  return selectPayments(
    trx
      .selectFrom('payments')
      .where('checknumFold', 'in', folded)
      .where('payments.origenderecursoId', '=', origenderecursoId),
  );
}

const told = (used: readonly Payment[]): AboutPayments => ({
  warnings: used.map(
    ({ checknum, suppliername, amountCents }) =>
      `El cheque ${checknum} ya se usó para ${suppliername} (${formatMoney(amountCents)}).`,
  ),
  about: used.map(({ id }) => id),
});
