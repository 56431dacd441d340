import { Hono } from 'hono';
import type { AppEnv } from '../http/session.ts';
import { auditApi } from './audit.ts';
import { balancesApi } from './balances.ts';
import { bankFilesApi } from './bank-files.ts';
import { bankStatementsApi } from './bank-statements.ts';
import { budgetsApi } from './budgets.ts';
import { cashFlowApi } from './cash-flow.ts';
import { catalogsApi } from './catalogs.ts';
import { creditNotesApi } from './credit-notes.ts';
import { defineDocumentationApi } from './docs.tsx';
import { fiscalApi } from './fiscal.ts';
import { fiscalReturnsApi } from './fiscal-returns.ts';
import { invoicesApi } from './invoices.ts';
import {
  batchAdvicesMailApi,
  mailsApi,
  paymentAdviceMailApi,
  receiptsRequestMailApi,
  supplierStatementMailApi,
} from './mails.ts';
import { paymentBatchesApi } from './payment-batches.ts';
import { paymentsApi } from './payments.ts';
import { pettyCashApi } from './petty-cash.ts';
import { sessionApi } from './session.ts';
import { signaturesApi } from './signatures.ts';
import { supplierStatementsApi } from './statements.ts';
import { supplierAccountsApi } from './supplier-accounts.ts';
import { usersApi } from './users.ts';

/** Each path works with and without a trailing slash. */
export const api: Hono<AppEnv> = new Hono<AppEnv>({ strict: false })
  .route('/', sessionApi)
  .route('/', usersApi)
  .route('/facturaproveedores', balancesApi)
  .route('/facturaproveedores', invoicesApi)
  .route('/payments', paymentsApi)
  .route('/payments', paymentAdviceMailApi)
  .route('/creditos', creditNotesApi)
  .route('/programaciones', paymentBatchesApi)
  .route('/programaciones', bankFilesApi)
  .route('/programaciones', bankStatementsApi)
  .route('/programaciones', batchAdvicesMailApi)
  .route('/cajachica', pettyCashApi)
  .route('/presupuestos', budgetsApi)
  .route('/flujo', cashFlowApi)
  .route('/fiscal', fiscalApi)
  .route('/fiscal', fiscalReturnsApi)
  .route('/suppliers', supplierStatementsApi)
  .route('/suppliers', supplierStatementMailApi)
  .route('/suppliers', receiptsRequestMailApi)
  .route('/suppliers', supplierAccountsApi)
  .route('/', catalogsApi)
  .route('/', auditApi)
  .route('/', signaturesApi)
  .route('/correos', mailsApi)
  .route(
    '/',
    defineDocumentationApi(() => api.routes),
  );
