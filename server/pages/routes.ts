import { Hono } from 'hono';
import type { AppEnv } from '../http/session.ts';
import { auditPages } from './audit/audit.tsx';
import { bankMovementPages } from './bank-statements/movements.tsx';
import { bankStatementPages } from './bank-statements/statements.tsx';
import { budgetsPages } from './budgets/budgets.tsx';
import { catalogsPages } from './catalogs/catalogs.tsx';
import { supplierCreditPages } from './catalogs/suppliers-credit-notes.tsx';
import { monthClosingPages } from './closing/closing.tsx';
import { creditNotePages } from './credit-notes/credit-notes.tsx';
import { multipleDocumentsPages } from './documents/multiple-documents.tsx';
import { singleDocumentPages } from './documents/single-document.tsx';
import { documentUploadPages } from './documents/upload.tsx';
import { exportPages } from './exports.ts';
import { firstStepsPages } from './first-steps/first-steps.tsx';
import { diotPages } from './fiscal/diot.tsx';
import { fiscalPages } from './fiscal/fiscal.tsx';
import { list69bPages } from './fiscal/list-69b.tsx';
import { paymentReceiptsDuePages } from './fiscal/receipts-due.tsx';
import { withholdingPages } from './fiscal/withholdings.tsx';
import { helpPages } from './help/help.tsx';
import { importPages } from './imports/imports.tsx';
import { invoiceChangePages } from './invoices/bulk-change.tsx';
import { attachmentPages, invoicePages } from './invoices/invoices.tsx';
import { mailPages } from './mails/mails.tsx';
import { mailSendingPages } from './mails/sending.tsx';
import { noticePages } from './notices.tsx';
import { palettePages } from './palette.ts';
import { layoutConfirmationPages } from './payment-batches/layout-confirmation.tsx';
import { paymentBatchPages } from './payment-batches/payment-batches.tsx';
import { doublePaymentPages } from './payments/double-payments.tsx';
import { paymentPages } from './payments/payments.tsx';
import { allMovementsPages } from './petty-cash/all-movements.tsx';
import { cashCountPages } from './petty-cash/cash-counts.tsx';
import { pettyCashClosingPages } from './petty-cash/closing.tsx';
import { movementAttachmentPages, pettyCashMovementPages } from './petty-cash/movements.tsx';
import { pettyCashPages } from './petty-cash/petty-cash.tsx';
import { pettyCashReplenishmentPages } from './petty-cash/replenishments.tsx';
import { balancesPages } from './reports/balances.tsx';
import { cashFlowPages } from './reports/cash-flow.tsx';
import { dashboardPages } from './reports/dashboard.tsx';
import { resultsPages } from './reports/results.tsx';
import { restoringPages } from './restoring.tsx';
import { settingsPages } from './settings/settings.tsx';
import { supplierStatementPages } from './statements/statement.tsx';
import { supplierAccountPages } from './supplier-accounts/accounts.tsx';
import { loginPages } from './users/login.tsx';
import { newUserPages } from './users/new.tsx';
import { ownSessionsPages } from './users/own-sessions.tsx';
import { profilePages } from './users/profile.tsx';
import { secondFactorPages } from './users/second-factor.tsx';
import { usersPages } from './users/users.tsx';
import { viewsPages } from './views.tsx';

export const pagesApp = new Hono<AppEnv>({ strict: false })
  .route('/', loginPages)
  .route('/', profilePages)
  .route('/', secondFactorPages)
  .route('/', ownSessionsPages)
  .route('/', auditPages)
  .route('/', usersPages)
  .route('/', newUserPages)
  .route('/', catalogsPages)
  .route('/', supplierCreditPages)
  .route('/', supplierAccountPages)
  .route('/', balancesPages)
  .route('/', budgetsPages)
  .route('/', cashFlowPages)
  .route('/', fiscalPages)
  .route('/', paymentReceiptsDuePages)
  .route('/', diotPages)
  .route('/', withholdingPages)
  .route('/', list69bPages)
  .route('/', singleDocumentPages)
  .route('/', documentUploadPages)
  .route('/', multipleDocumentsPages)
  .route('/', invoicePages)
  .route('/', invoiceChangePages)
  .route('/', attachmentPages)
  .route('/', restoringPages)
  .route('/', creditNotePages)
  .route('/', paymentPages)
  .route('/', doublePaymentPages)
  .route('/', paymentBatchPages)
  .route('/', layoutConfirmationPages)
  .route('/', bankMovementPages)
  .route('/', bankStatementPages)
  .route('/', pettyCashPages)
  .route('/', allMovementsPages)
  .route('/', pettyCashMovementPages)
  .route('/', pettyCashReplenishmentPages)
  .route('/', cashCountPages)
  .route('/', pettyCashClosingPages)
  .route('/', movementAttachmentPages)
  .route('/', resultsPages)
  .route('/', supplierStatementPages)
  .route('/', exportPages)
  .route('/', viewsPages)
  .route('/', importPages)
  .route('/', dashboardPages)
  .route('/', monthClosingPages)
  .route('/', settingsPages)
  .route('/', firstStepsPages)
  .route('/', mailPages)
  .route('/', mailSendingPages)
  .route('/', noticePages)
  .route('/', helpPages)
  .route('/', palettePages);
