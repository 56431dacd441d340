import type { Catalog } from './catalog.ts';

export const rubros: Catalog = {
  noun: 'rubros',
  command: 'rubros',
  table: 'rubros',
  nameField: 'nombrerubro',
  foldField: 'nombrerubroFold',
  fields: [
    { name: 'nombrerubro', label: 'Nombre', type: 'text', max: 200, fold: 'nombrerubroFold' },
    { name: 'descripcionrubro', label: 'Descripción', type: 'textarea', max: 2000 },
  ],
  columns: [
    { name: 'id', label: 'ID' },
    { name: 'nombrerubro', label: 'Nombre' },
    { name: 'descripcionrubro', label: 'Descripción', hideOnSmall: true },
  ],
  sortFields: { id: 'id', nombrerubro: 'nombrerubroFold' },
  sortLabels: { id: 'ID', nombrerubro: 'Nombre' },
  required: ['nombrerubro'],
  paths: {
    list: '/rubros',
    create: '/new-rubro',
    edit: '/editrubropage',
    api: '/api/rubros',
    apiCreate: '/newrubro',
  },
  texts: {
    list: 'Rubros',
    create: 'Nuevo rubro',
    edit: 'Editar rubro',
    filter: 'Nombre del rubro',
    picker: 'Seleccionar rubro',
    one: 'el rubro',
    many: 'rubros',
    save: 'Guardar',
    emptyHint: 'Aquí van las clases de gasto: Acero, Concreto, Mano de obra…',
    requiredOnCreate: 'Se requiere el nombre del rubo.',
    requiredOnEdit: 'Se requiere un nombre para el rubro.',
    created: 'Se creó el rubro correctamente. Redirigiendo a la lista de rubros...',
    updated: 'El rubro ha sido actualizado. Redirigiendo a la lista de rubros...',
  },
  menu: { icon: 'rubro', place: 4 },
  help: 'rubros',
  referredBy: [
    { table: 'invoices', column: 'rubroId', one: 'una factura', many: 'facturas' },
    {
      table: 'petty_cash_movements',
      column: 'rubroId',
      one: 'un movimiento de caja chica',
      many: 'movimientos de caja chica',
    },
  ],
};
