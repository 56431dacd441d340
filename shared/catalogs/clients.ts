import { api, pages } from '../urls.ts';
import type { Catalog } from './catalog.ts';

export const clients: Catalog = {
  noun: 'clients',
  table: 'clients',
  nameField: 'clientname',
  foldField: 'clientnameFold',
  fields: [
    { name: 'clientname', label: 'Nombre', type: 'text', max: 200, fold: 'clientnameFold' },
    { name: 'clientcontactperson', label: 'Contacto', type: 'text', max: 200 },
    { name: 'clientcontactphone', label: 'Teléfono', type: 'phone', max: 40 },
    { name: 'clientcontactemail', label: 'Correo', type: 'email', max: 254 },
  ],
  columns: [
    { name: 'id', label: 'ID' },
    { name: 'clientname', label: 'Nombre' },
    { name: 'clientcontactperson', label: 'Contacto', hideOnSmall: true },
    { name: 'clientcontactphone', label: 'Teléfono', hideOnSmall: true },
    { name: 'clientcontactemail', label: 'Correo', hideOnSmall: true },
  ],
  sortFields: { id: 'id', clientname: 'clientnameFold' },
  sortLabels: { id: 'ID', clientname: 'Nombre' },
  required: ['clientname', 'clientcontactperson'],
  paths: {
    list: pages.clients,
    create: pages.newClient,
    edit: pages.editClient,
    api: api.clients,
    apiCreate: '/newclient',
  },
  texts: {
    list: 'Clientes',
    create: 'Nuevo cliente',
    edit: 'Editar cliente',
    filter: 'Nombre del cliente',
    picker: 'Seleccionar cliente',
    one: 'el cliente',
    many: 'clientes',
    save: 'Guardar',
    emptyHint: 'Aquí van los dueños de las obras.',
    requiredOnCreate: 'Fields can not be empty.',
    requiredOnEdit: 'There are empty required fields.',
    created: 'Client has been created. Redirecting to client list...',
    updated: 'Client has been updated. Redirecting to client list...',
  },
  referredBy: [{ table: 'jobs', column: 'clientId', one: 'una obra', many: 'obras' }],
};
