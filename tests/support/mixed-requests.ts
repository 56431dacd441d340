import { openDatabase } from '../../db/open.ts';
import { addSession, addUser } from './rows.ts';

interface MixedRequestContext {
  token: string;
  suppliers: readonly number[];
  invoices: readonly number[];
}

export async function prepareMixedRequests(file: string): Promise<MixedRequestContext> {
  const { db, close } = openDatabase(`file:${file}`, { root: '/', createIfMissing: false });
  const { id } = await addUser(db, { username: `memoria${Date.now()}`, roles: [1, 3] });
  const token = await addSession(db, id, new Date().toISOString());
  const suppliers = await db.selectFrom('suppliers').select('id').limit(500).execute();
  const invoices = await db
    .selectFrom('invoices')
    .select('id')
    .whereRef('paidCents', '<', 'totalCents')
    .limit(500)
    .execute();
  await close();
  return { token, suppliers: suppliers.map((row) => row.id), invoices: invoices.map((row) => row.id) };
}

/** Sends one request of a day's usual mix, which the number `n` chooses. @returns its status */
export async function sendMixedRequest(
  baseUrl: string,
  context: MixedRequestContext,
  n: number,
): Promise<number> {
  const headers = { 'x-access-token': context.token, 'content-type': 'application/json' };
  const id = context.invoices[n % context.invoices.length]!;
  const isPayment = n % 20 === 7;
  const body = JSON.stringify({ facturaproveedorId: id, paymentamount: 0.01, checknum: `M-${n}` });
  const answer = isPayment
    ? await fetch(`${baseUrl}/api/payments/newpayment`, { method: 'POST', headers, body })
    : await fetch(baseUrl + mixedPathOf(n, id, context.suppliers), { headers });
  await answer.arrayBuffer();
  return answer.status;
}

function mixedPathOf(n: number, invoiceId: number, suppliers: readonly number[]): string {
  const supplierId = suppliers[n % suppliers.length]!;
  if (n % 100 === 0) return '/reporte-saldos';
  if (n % 100 === 20) return '/?desde=2025-11-21&hasta=2026-11-20';
  if (n % 100 === 40) return '/dashboard';
  if (n % 500 === 60) return `/invoices/export.csv?supplierId=${supplierId}`;
  if (n % 500 === 160) return `/invoices/export.xlsx?supplierId=${supplierId}`;
  if (n % 500 === 260) return `/pagos-proveedores/export.csv?supplierId=${supplierId}`;
  const day = `2026-${String(1 + (n % 9)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`;
  const paths = [
    '/invoices',
    `/invoices?sortfield=fechavencimiento&supplierId=${supplierId}`,
    `/invoices?fechaemisionDesde=${day}`,
    `/invoices?numfactura=${1000 + (n % 9000)}`,
    '/invoices?status=vencida',
    '/pagos-proveedores',
    `/pagos-proveedores?paymentdateDesde=${day}`,
    `/editinvoicepage/${invoiceId}`,
    `/new-payment?facturaproveedorId=${invoiceId}`,
    '/new-invoice',
    `/suppliers?suppliername=${n % 90}`,
    `/api/suppliers/search/?limit=8&suppliername=${n % 97}`,
    `/api/facturaproveedores/search/?limit=50&supplierId=${supplierId}`,
  ];
  return paths[n % paths.length]!;
}
