import { Hono } from 'hono';
import type { AppEnv } from '../session.ts';
import { catalogsPages } from './catalogs.tsx';
import { sessionPages } from './session.tsx';

/** Every page. */
export const pagesApp = new Hono<AppEnv>({ strict: false })
  .route('/', sessionPages)
  .route('/', catalogsPages);
