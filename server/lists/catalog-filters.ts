import { clients } from '../../shared/catalogs/clients.ts';
import { fundingSources } from '../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { rubros } from '../../shared/catalogs/rubros.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { NO_RUBRO_NAME } from '../../shared/invoices.ts';

/** Each list says for itself what is its own about a filter that it shares with others. */
export const bySupplier = {
  kind: 'ref',
  name: 'supplierId',
  label: 'Proveedor',
  catalog: suppliers,
  all: 'Todos',
  flag: ['--supplier <proveedor>', 'id o nombre exacto'],
} as const;

export const byJob = {
  kind: 'ref',
  name: 'jobId',
  label: 'Obra',
  catalog: jobs,
  all: 'Todas',
  flag: ['--job <obra>', 'id o nombre exacto'],
} as const;

export const byClient = {
  kind: 'ref',
  name: 'clientId',
  label: 'Cliente',
  says: 'De la obra',
  catalog: clients,
  all: 'Todos',
} as const;

export const byRubro = {
  kind: 'ref',
  name: 'rubroId',
  label: 'Rubro',
  catalog: rubros,
  all: 'Todos',
  none: NO_RUBRO_NAME,
  flag: ['--rubro <rubro>', 'id o nombre exacto; 0: las que no tienen'],
} as const;

export const bySource = {
  kind: 'ref',
  name: 'origenderecursoId',
  label: 'Origen de recurso',
  catalog: fundingSources,
  all: 'Todos',
  none: 'Sin origen',
  flag: ['--origen <origen>', 'id o nombre exacto; 0: los que no tienen'],
} as const;

/** The rows about one invoice, which only its own page leads to. */
export const byInvoice = {
  kind: 'row',
  name: 'facturaproveedorId',
  label: 'Factura',
  table: 'invoices',
  column: 'numfactura',
  only: 'link',
} as const;

export const byUser = {
  kind: 'row',
  name: 'userId',
  label: 'Usuario',
  table: 'users',
  column: 'username',
} as const;

/** Everything is as it was when that day ended. */
export const AS_OF = {
  kind: 'date',
  name: 'corte',
  label: 'Corte',
  flag: ['--corte <fecha>', 'AAAA-MM-DD: todo como era al terminar ese día; si falta, hoy'],
} as const;
