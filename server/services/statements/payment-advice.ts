import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatForeign, toForeignCents } from '../../../shared/foreign-amounts.ts';
import type { Cents } from '../../../shared/money.ts';

interface AdvisedPaymentRow {
  id: number;
  supplierId: number;
  suppliername: string;
  rfc: string;
  suppliercontactemail: string;
  paymentdate: PlainDate;
  numfactura: string;
  uuid: string | null;
  jobtitle: string;
  checknum: string;
  origenderecursonombre: string | null;
  totalCents: Cents;
  /** what was paid of the invoice before this payment, including credit notes */
  beforeCents: Cents;
  amountCents: Cents;
  moneda: string | null;
  tipocambio: string | null;
  importemonedaCents: Cents | null;
  metodopago: string | null;
}

/** `invoiceId`: one of the supplier's invoices */
type SupplierDay = ({ supplierId: number } | { invoiceId: number }) & { date: PlainDate };

export type PaymentAdvice = Awaited<ReturnType<typeof readPaymentAdvice>>;
export type AdvisedPayment = PaymentAdvice['payments'][number];

/** Aviso de pago. Applied credit notes are left out: they pay no money. @throws DomainError not-found */
export async function readPaymentAdvice(db: Db, selection: { paymentIds: readonly number[] } | SupplierDay) {
  const condition =
    'paymentIds' in selection
      ? isOneOf(db, 'payments.id', selection.paymentIds)
      : sql`invoices."supplierId" = ${'supplierId' in selection ? selection.supplierId : sql`(select "supplierId" from invoices where id = ${selection.invoiceId})`}
          and payments.paymentdate = ${selection.date}`;
  const { rows } = await sql<AdvisedPaymentRow>`
    select payments.id, payments.paymentdate, payments.checknum, payments."amountCents",
      invoices."supplierId", suppliers.suppliername, suppliers.rfc, suppliers.suppliercontactemail, invoices.numfactura, invoices.uuid, invoices."totalCents", invoices.metodopago,
      invoices.moneda, invoices.tipocambio, payments."importemonedaCents",
      jobs.jobtitle, funding_sources.origenderecursonombre,
      coalesce((select sum(p."amountCents") from payments p where p."facturaproveedorId" = invoices.id
        and (p.paymentdate, p.id) < (payments.paymentdate, payments.id)), 0) as "beforeCents"
    from payments
      join invoices on invoices.id = payments."facturaproveedorId"
      join suppliers on suppliers.id = invoices."supplierId"
      join jobs on jobs.id = invoices."jobId"
      left join funding_sources on funding_sources.id = payments."origenderecursoId"
    where payments.kind = 'pago' and ${condition}
    order by invoices.numfactura, payments.id`.execute(db);
  const [first] = rows;
  if (!first) throw noPaymentError(selection);
  const { supplierId, suppliername, rfc, suppliercontactemail, paymentdate } = first;
  const payments = rows.map((payment) => ({
    ...payment,
    restCents: payment.totalCents - payment.beforeCents - payment.amountCents,
    /** the supplier owes a receipt (REP) for the payment (SAT, MetodoPago PPD) */
    needsReceipt: payment.metodopago === 'PPD',
  }));
  const supplier = { id: supplierId, suppliername, rfc, suppliercontactemail };
  return { supplier, date: paymentdate, payments };
}

export function describeForeignPaid({ moneda, tipocambio, ...paid }: AdvisedPayment): string | undefined {
  if (moneda === null) return undefined;
  return formatForeign(paid.importemonedaCents ?? toForeignCents(paid.amountCents, tipocambio!), moneda);
}

function noPaymentError(selection: Parameters<typeof readPaymentAdvice>[1]): DomainError {
  const message =
    'paymentIds' in selection
      ? `No existe el pago ${selection.paymentIds[0]}, o es parte de una nota de crédito.`
      : `No hay pagos a este proveedor el ${formatLongDate(selection.date)}.`;
  return new DomainError('not-found', message);
}
