import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import {
  computeRemainingForeign,
  type ForeignPaymentSums,
  NO_FOREIGN_PAYMENTS,
} from '../../../shared/foreign-amounts.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';

type InvoiceWithCurrency = Pick<Invoice, 'id' | 'totalCents' | 'paidCents' | 'moneda' | 'tipocambio'>;

export async function readForeignPaymentSums(
  db: Db,
  invoices: readonly Pick<Invoice, 'id' | 'moneda'>[],
): Promise<Map<number, ForeignPaymentSums>> {
  const foreign = invoices.filter(({ moneda }) => moneda !== null).map(({ id }) => id);
  const found = new Map(foreign.map((id) => [id, NO_FOREIGN_PAYMENTS]));
  if (foreign.length === 0) return found;
  const { rows } = await sql<
    ForeignPaymentSums & { id: number }
  >`select "facturaproveedorId" as id, count(*) as "paymentCount",
      coalesce(sum("importemonedaCents"), 0) as "foreignCents",
      coalesce(sum(case when "importemonedaCents" is not null then "amountCents" end), 0) as "settledPesoCents"
    from payments where ${isOneOf(db, 'facturaproveedorId', foreign)} group by "facturaproveedorId"`.execute(
    db,
  );
  for (const { id, ...sums } of rows) found.set(id, sums);
  return found;
}

type PaymentAmounts = Pick<Payment, 'amountCents' | 'importemonedaCents'>;

export const computeNewPaymentSums = (
  paidSums: ForeignPaymentSums,
  payment: PaymentAmounts,
  sign: 1 | -1,
): ForeignPaymentSums => ({
  paymentCount: paidSums.paymentCount + sign,
  foreignCents: paidSums.foreignCents + sign * (payment.importemonedaCents ?? 0),
  settledPesoCents:
    paidSums.settledPesoCents + (payment.importemonedaCents === null ? 0 : sign * payment.amountCents),
});

export function computeForeignBalance(
  invoice: InvoiceWithCurrency,
  paidSums: ForeignPaymentSums,
  excludedPayment?: PaymentAmounts,
) {
  const paidCents = invoice.paidCents - (excludedPayment?.amountCents ?? 0);
  const remainingSums = excludedPayment ? computeNewPaymentSums(paidSums, excludedPayment, -1) : paidSums;
  const tipocambio = invoice.tipocambio!;
  return {
    pendingCents: invoice.totalCents - paidCents,
    remainingCents: computeRemainingForeign(
      { totalCents: invoice.totalCents, paidCents, tipocambio },
      remainingSums,
    ),
  };
}

/** @returns what is still owed of each foreign invoice, in its own currency, by invoice id */
export async function readRemainingForeign(
  db: Db,
  invoices: readonly InvoiceWithCurrency[],
): Promise<Map<number, Cents>> {
  const paid = await readForeignPaymentSums(db, invoices);
  return new Map(
    invoices.flatMap((invoice): [number, Cents][] => {
      const paidSums = paid.get(invoice.id);
      return paidSums ? [[invoice.id, computeForeignBalance(invoice, paidSums).remainingCents]] : [];
    }),
  );
}
