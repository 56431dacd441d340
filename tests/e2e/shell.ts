import type { Page } from 'playwright-core';
import { addInvoice, addJob, addSupplier } from '../support/rows.ts';
import { useRunningApp } from '../support/running.ts';

export const RECOVERED = 'Se recuperó lo que habías escrito.';

/** A firm with one invoice that is always overdue. */
export const useShell = () =>
  useRunningApp(async ({ db }) => {
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Ñandú', diascredito: 30 });
    const jobId = await addJob(db, { jobtitle: 'Torre Roble' });
    await addInvoice(db, { supplierId, jobId, numfactura: 'A-1', fechavencimiento: '2020-01-31' });
  });

/** Waits until the draft keeper has stored the text. */
export const kept = (page: Page, text: string) =>
  page.waitForFunction((value) => (sessionStorage.drafts ?? '').includes(value), text);
