import type { Catalog } from './catalog.ts';
import { DESCRIPTION, words } from './headings.ts';

export const fundingSources: Catalog<'funding-sources', 'origenes'> = {
  noun: 'funding-sources',
  command: 'origenes',
  table: 'funding_sources',
  nameField: 'origenderecursonombre',
  foldField: 'origenderecursonombreFold',
  idField: 'origenderecursoId',
  fields: [
    {
      name: 'origenderecursonombre',
      label: 'Nombre',
      type: 'text',
      max: 200,
      fold: 'origenderecursonombreFold',
      headings:
        words(`origen de recurso, origen del recurso, origen de recursos, origen, nombre, cuenta, banco, fondo,
        nombre del origen`),
      example: 'Banco 1234',
    },
    {
      name: 'origenderecursodescripcion',
      label: 'Descripción',
      type: 'textarea',
      max: 2000,
      headings: DESCRIPTION,
      example: 'Cuenta de cheques de las obras',
    },
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
    list: '/origenderecursos',
    create: '/new-origen-de-recurso',
    edit: '/editorigenderecursopage',
    api: '/api/origenderecurso',
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
    emptyHint: 'Aquí van las cuentas y las cajas con las que se paga.',
    requiredOnCreate: 'Se requiere el nombre del origen de recurso.',
    requiredOnEdit: 'Se requiere un nombre para el origen de recurso.',
    created: 'Se creó el origen correctamente. Redirigiendo a la lista de origed de recurso...',
    updated: 'El origen de recurso ha sido actualizado. Redirigiendo a la lista de origen de recurso...',
  },
  import: {
    hint: 'Nombre, y si se tiene descripción.',
    example: { file: 'cuentas.csv', map: ['origenderecursonombre', 'Cuenta'] },
  },
  schema: { name: 'FundingSource', example: { origenderecursonombre: 'Banco, cuenta 1234' } },
  menu: { icon: 'fund', place: 5 },
  help: 'origenes',
  referredBy: [
    { table: 'payments', column: 'origenderecursoId', one: 'un pago', many: 'pagos' },
    {
      table: 'payment_batches',
      column: 'origenderecursoId',
      one: 'una programación de pagos',
      many: 'programaciones de pagos',
    },
    { table: 'petty_cash_funds', column: 'fundingSourceId', one: 'una caja chica', many: 'cajas chicas' },
  ],
};
