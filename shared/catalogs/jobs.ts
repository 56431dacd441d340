import { api, pages } from '../urls.ts';
import type { Catalog } from './catalog.ts';

export const jobs: Catalog = {
  noun: 'jobs',
  command: 'jobs',
  table: 'jobs',
  nameField: 'jobtitle',
  foldField: 'jobtitleFold',
  fields: [
    { name: 'clientId', label: 'Cliente', type: 'ref', max: 0, ref: 'clients' },
    { name: 'jobtitle', label: 'Nombre de la obra', type: 'text', max: 200, fold: 'jobtitleFold' },
    { name: 'jobdescription', label: 'Descripción', type: 'textarea', max: 2000 },
    { name: 'jobstartdate', label: 'Fecha de inicio', type: 'date', max: 0 },
    { name: 'jobduedate', label: 'Fecha de término', type: 'date', max: 0 },
  ],
  columns: [
    { name: 'id', label: 'ID' },
    { name: 'jobtitle', label: 'Nombre' },
    { name: 'jobdescription', label: 'Descripción', hideOnSmall: true },
    { name: 'jobstartdate', label: 'Inicio', hideOnSmall: true },
    { name: 'jobduedate', label: 'Término', hideOnSmall: true },
  ],
  sortFields: { id: 'id', jobtitle: 'jobtitleFold' },
  sortLabels: { id: 'ID', jobtitle: 'Nombre' },
  required: ['jobtitle', 'clientId'],
  paths: { list: pages.jobs, create: pages.newJob, edit: pages.editJob, api: api.jobs, apiCreate: '/newjob' },
  texts: {
    list: 'Obras',
    create: 'Nueva obra',
    edit: 'Editar obra',
    filter: 'Nombre de la obra',
    picker: 'Seleccionar obra',
    one: 'la obra',
    many: 'obras',
    save: 'Guardar obra',
    emptyHint: 'Aquí van las obras a las que se cargan las facturas.',
    requiredOnCreate: 'Se requiere el nombre de la obra y el cliente.',
    requiredOnEdit: 'There are empty required fields.',
    created: 'Job has been created. Redirecting to job list...',
    updated: 'Job has been updated. Redirecting to job list...',
  },
  help: 'obras',
  referredBy: [
    { table: 'invoices', column: 'jobId', one: 'una factura', many: 'facturas' },
    {
      table: 'petty_cash_movements',
      column: 'jobId',
      one: 'un movimiento de caja chica',
      many: 'movimientos de caja chica',
    },
  ],
};
