import { Hono } from 'hono';
import type { AppEnv } from '../session.ts';
import { balancesPages } from './balances.tsx';
import { catalogsPages } from './catalogs.tsx';
import { dashboardPages } from './dashboard.tsx';
import { invoicePages } from './invoices.tsx';
import { paymentPages } from './payments.tsx';
import { resultsPages } from './results.tsx';
import { sessionPages } from './session.tsx';
import { settingsPages } from './settings.tsx';

/** Every page. */
export const pagesApp = new Hono<AppEnv>({ strict: false })
  .route('/', sessionPages)
  .route('/', catalogsPages)
  .route('/', balancesPages)
  .route('/', invoicePages)
  .route('/', paymentPages)
  .route('/', resultsPages)
  .route('/', dashboardPages)
  .route('/', settingsPages);
