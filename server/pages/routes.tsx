import { Hono } from 'hono';
import type { AppEnv } from '../session.ts';
import { balancesPages } from './balances.tsx';
import { catalogsPages } from './catalogs.tsx';
import { dashboardPages } from './dashboard.tsx';
import { helpPages } from './help.tsx';
import { invoicePages } from './invoices.tsx';
import { newUserPages } from './new-user.tsx';
import { ownSessionsPages } from './own-sessions.tsx';
import { paymentPages } from './payments.tsx';
import { resultsPages } from './results.tsx';
import { sessionPages } from './session.tsx';
import { settingsPages } from './settings.tsx';
import { usersPages } from './users.tsx';

/** Every page. */
export const pagesApp = new Hono<AppEnv>({ strict: false })
  .route('/', sessionPages)
  .route('/', ownSessionsPages)
  .route('/', usersPages)
  .route('/', newUserPages)
  .route('/', catalogsPages)
  .route('/', balancesPages)
  .route('/', invoicePages)
  .route('/', paymentPages)
  .route('/', resultsPages)
  .route('/', dashboardPages)
  .route('/', settingsPages)
  .route('/', helpPages);
