import { Hono } from 'hono';
import { Document } from '../layout.tsx';
import { renderDocument } from '../render.tsx';
import type { AppEnv } from '../session.ts';
import { attachmentPages } from './attachments.ts';
import { balancesPages } from './balances.tsx';
import { catalogsPages } from './catalogs.tsx';
import { dashboardPages } from './dashboard.tsx';
import { exportPages } from './exports.ts';
import { helpPages } from './help.tsx';
import { importPages } from './imports/imports.tsx';
import { invoicePages } from './invoices.tsx';
import { loadInvoicePages } from './load-invoice.tsx';
import { newUserPages } from './new-user.tsx';
import { ownSessionsPages } from './own-sessions.tsx';
import { paymentPages } from './payments.tsx';
import { pettyCashPages } from './petty-cash.tsx';
import { pettyCashMovementPages } from './petty-cash-movements.tsx';
import { resultsPages } from './results.tsx';
import { sessionPages } from './session.tsx';
import { settingsPages } from './settings.tsx';
import { supplierCreditPages } from './supplier-credit.tsx';
import { usersPages } from './users.tsx';

/** Every page. */
export const pagesApp = new Hono<AppEnv>({ strict: false })
  .route('/', sessionPages)
  .route('/', ownSessionsPages)
  .route('/', usersPages)
  .route('/', newUserPages)
  .route('/', catalogsPages)
  .route('/', supplierCreditPages)
  .route('/', balancesPages)
  .route('/', invoicePages)
  .route('/', attachmentPages)
  .route('/', loadInvoicePages)
  .route('/', paymentPages)
  .route('/', pettyCashPages)
  .route('/', pettyCashMovementPages)
  .route('/', resultsPages)
  .route('/', exportPages)
  .route('/', importPages)
  .route('/', dashboardPages)
  .route('/', settingsPages)
  .route('/', helpPages)
  // Every component on one page, to be judged by eye; only the development server has a rule for it.
  .get('/_ui', async (c) => {
    const { UiPage } = await import('./ui.tsx');
    return renderDocument(
      c,
      <Document title="Componentes" kind="app">
        <UiPage />
      </Document>,
    );
  });
