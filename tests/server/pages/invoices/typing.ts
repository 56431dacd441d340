import type { Db } from '../../../../db/schema.ts';
import type { PageContent } from '../../../support/page.ts';
import { addJob, addSupplier } from '../../../support/rows.ts';

/** The fields of a new invoice: supplier, obra and the required ones. */
export const typedInvoice = async (db: Db, more: Record<string, string> = {}) => ({
  supplierId: String(await addSupplier(db, { suppliername: 'Concretos del Norte', diascredito: 30 })),
  jobId: String(await addJob(db, { jobtitle: 'Torre Reforma' })),
  ...{ rubroId: '', numfactura: 'A-1', comments: '' },
  ...{ fechaemision: '2026-11-18', fecharecepcion: '2026-11-20', fechavencimiento: '' },
  ...{ subtotal: '$1,000.00', tasa: '16', otrosimpuestos: '0', retenciones: '0' },
  ...more,
});

const KEPT = 'supplierId jobId numfactura subtotal tasa otrosimpuestos retenciones version'.split(' ');

/** The fields of an unchanged edit form, without dates and remarks. */
export const sentBack = (page: PageContent) =>
  Object.fromEntries(KEPT.map((name) => [name, page.value(name)]));
