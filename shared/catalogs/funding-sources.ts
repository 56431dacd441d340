import { api, pages } from '../urls.ts';
import type { Catalog } from './catalog.ts';

export const fundingSources: Catalog = {
  noun: 'funding-sources',
  command: 'origenes',
  table: 'funding_sources',
  nameField: 'origenderecursonombre',
  foldField: 'origenderecursonombreFold',
  fields: [
    {
      name: 'origenderecursonombre',
      label: 'Nombre',
      type: 'text',
      max: 200,
      fold: 'origenderecursonombreFold',
    },
    { name: 'origenderecursodescripcion', label: 'Descripción', type: 'textarea', max: 2000 },
  ],
  columns: [
    { name: 'id', label: 'ID' },
    { name: 'origenderecursonombre', label: 'Nombre' },
    { name: 'origenderecursodescripcion', label: 'Descripción', hideOnSmall: true },
  ],
  sortFields: { id: 'id', name: 'origenderecursonombreFold' },
  sortLabels: { id: 'ID', name: 'Nombre' },
  required: ['origenderecursonombre'],
  paths: {
    list: pages.fundingSources,
    create: pages.newFundingSource,
    edit: pages.editFundingSource,
    api: api.fundingSources,
    apiCreate: '/neworiginofresource',
  },
  texts: {
    list: 'Origen de recursos',
    create: 'Nuevo origen de recurso',
    edit: 'Editar origen de recurso',
    filter: 'Nombre del origen',
    picker: 'Seleccionar el origen de recurso',
    one: 'el origen de recurso',
    many: 'orígenes de recurso',
    save: 'Guardar',
    emptyHint: 'Aquí van las cuentas y fondos con los que se paga.',
    requiredOnCreate: 'Se requiere el nombre del origen de recurso.',
    requiredOnEdit: 'Se requiere un nombre para el origen de recurso.',
    created: 'Se creó el origen correctamente. Redirigiendo a la lista de origed de recurso...',
    updated: 'El origen de recurso ha sido actualizado. Redirigiendo a la lista de origen de recurso...',
  },
  help: 'origenes',
  referredBy: [
    { table: 'payments', column: 'origenderecursoId', one: 'un pago', many: 'pagos' },
    { table: 'petty_cash_funds', column: 'fundingSourceId', one: 'una caja chica', many: 'cajas chicas' },
  ],
};
