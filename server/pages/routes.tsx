import { Hono } from 'hono';
import type { AppEnv } from '../session.ts';
import { balancesPages } from './balances.tsx';
import { catalogsPages } from './catalogs.tsx';
import { invoicePages } from './invoices.tsx';
import { paymentPages } from './payments.tsx';
import { sessionPages } from './session.tsx';

/** Every page. */
export const pagesApp = new Hono<AppEnv>({ strict: false })
  .route('/', sessionPages)
  .route('/', catalogsPages)
  .route('/', balancesPages)
  .route('/', invoicePages)
  .route('/', paymentPages);
