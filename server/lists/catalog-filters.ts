import type { Catalog } from '../../shared/catalogs/catalog.ts';
import { clients } from '../../shared/catalogs/clients.ts';
import { fundingSources } from '../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { rubros } from '../../shared/catalogs/rubros.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { NO_RUBRO_NAME } from '../../shared/invoices.ts';

const referenceFilter = <const Name extends string, const More extends object>(
  name: Name,
  catalog: Catalog,
  label: string,
  overrides: More,
) =>
  ({
    kind: 'ref',
    name,
    label,
    catalog,
    all: catalog.texts.one.startsWith('la ') ? 'Todas' : 'Todos',
    ...overrides,
  }) as const;

const ID_OR_NAME_HELP = 'id o nombre exacto';

export const supplierFilter = referenceFilter('supplierId', suppliers, 'Proveedor', {
  flag: ['--supplier <proveedor>', ID_OR_NAME_HELP],
});

export const jobFilter = referenceFilter('jobId', jobs, 'Obra', { flag: ['--job <obra>', ID_OR_NAME_HELP] });

export const clientFilter = referenceFilter('clientId', clients, 'Cliente', { description: 'De la obra' });

export const rubroFilter = referenceFilter('rubroId', rubros, 'Rubro', {
  none: NO_RUBRO_NAME,
  flag: ['--rubro <rubro>', `${ID_OR_NAME_HELP}; 0: las que no tienen`],
});

export const fundingSourceFilter = referenceFilter('origenderecursoId', fundingSources, 'Origen de recurso', {
  none: 'Sin origen',
  flag: ['--origen <origen>', `${ID_OR_NAME_HELP}; 0: los que no tienen`],
});

/** Only links on the invoice's page set this filter, so it has no control. */
export const invoiceFilter = {
  kind: 'row',
  name: 'facturaproveedorId',
  label: 'Factura',
  table: 'invoices',
  column: 'numfactura',
  only: 'link',
} as const;

export const userFilter = {
  kind: 'row',
  name: 'userId',
  label: 'Usuario',
  table: 'users',
  column: 'username',
} as const;

export const AS_OF_FILTER = {
  kind: 'date',
  name: 'corte',
  label: 'Corte',
  flag: ['--corte <fecha>', 'AAAA-MM-DD: todo como era al terminar ese día; si falta, hoy'],
} as const;
