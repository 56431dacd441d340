import { Hono } from 'hono';
import type { AppEnv } from '../http/session.ts';
import { auditApi } from './audit.ts';
import { balancesApi } from './balances.ts';
import { budgetsApi } from './budgets.ts';
import { catalogsApi } from './catalogs.ts';
import { documentationApi } from './docs.tsx';
import { invoicesApi } from './invoices.ts';
import { paymentBatchesApi } from './payment-batches.ts';
import { paymentsApi } from './payments.ts';
import { pettyCashApi } from './petty-cash.ts';
import { sessionApi } from './session.ts';
import { suppliersApi } from './suppliers.ts';
import { usersApi } from './users.ts';

/** Everything under /api, each path with and without a trailing slash. */
export const api: Hono<AppEnv> = new Hono<AppEnv>({ strict: false })
  .route('/', sessionApi)
  .route('/', usersApi)
  .route('/facturaproveedores', balancesApi)
  .route('/facturaproveedores', invoicesApi)
  .route('/payments', paymentsApi)
  .route('/programaciones', paymentBatchesApi)
  .route('/cajachica', pettyCashApi)
  .route('/presupuestos', budgetsApi)
  .route('/suppliers', suppliersApi)
  .route('/', catalogsApi)
  .route('/', auditApi)
  .route(
    '/',
    documentationApi(() => api.routes),
  );
