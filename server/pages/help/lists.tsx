import { clients } from '../../../shared/catalogs/clients.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { pages } from '../../../shared/urls.ts';
import type { HelpTopic } from './topic.ts';

/** The lists whose names are chosen in invoices and payments. */
export const NAMES: readonly HelpTopic[] = [
  {
    id: 'listas',
    title: 'Listas',
    about: 'Clientes, obras, proveedores, rubros y orígenes de recurso.',
    body: (
      <>
        <p>Los nombres que se eligen en facturas y pagos.</p>
        <ul>
          <li>
            <a href={pages.helpTopic('clientes')}>Clientes</a>
          </li>
          <li>
            <a href={pages.helpTopic('obras')}>Obras</a>
          </li>
          <li>
            <a href={pages.helpTopic('proveedores')}>Proveedores</a>
          </li>
          <li>
            <a href={pages.helpTopic('rubros')}>Rubros</a>
          </li>
          <li>
            <a href={pages.helpTopic('origenes')}>Origen de recursos</a>
          </li>
        </ul>
        <p>Lo que está en uso no se elimina. Saldo dice qué lo usa.</p>
      </>
    ),
  },
  {
    id: 'clientes',
    title: 'Clientes',
    about: 'Los dueños de las obras.',
    href: clients.paths.list,
    body: (
      <>
        <p>
          <a href={clients.paths.list}>Los dueños de las obras.</a> Cada obra tiene un cliente: dalo de alta
          primero.
        </p>
      </>
    ),
  },
  {
    id: 'obras',
    title: 'Obras',
    about: 'Las obras a las que se cargan las facturas.',
    href: jobs.paths.list,
    body: (
      <>
        <p>
          <a href={jobs.paths.list}>Las obras a las que se cargan las facturas.</a> No pueden terminar antes
          de empezar.
        </p>
      </>
    ),
  },
  {
    id: 'proveedores',
    title: 'Proveedores',
    about: 'Las empresas y personas que te facturan.',
    href: suppliers.paths.list,
    body: (
      <>
        <p>
          <a href={suppliers.paths.list}>Las empresas y personas que te facturan.</a> Los{' '}
          <b>días de crédito</b> de un proveedor calculan el vencimiento de sus facturas. Dos proveedores no
          pueden tener el mismo RFC.
        </p>
      </>
    ),
  },
  {
    id: 'rubros',
    title: 'Rubros',
    about: 'Las clases de gasto: acero, concreto, renta de maquinaria.',
    href: rubros.paths.list,
    body: (
      <>
        <p>
          <a href={rubros.paths.list}>Las clases de gasto</a>: acero, concreto, renta de maquinaria.
        </p>
      </>
    ),
  },
  {
    id: 'origenes',
    title: 'Origen de recursos',
    about: 'Las cuentas y las cajas de las que sale el dinero.',
    href: fundingSources.paths.list,
    body: (
      <>
        <p>
          <a href={fundingSources.paths.list}>Las cuentas y las cajas</a> de las que sale el dinero.
        </p>
      </>
    ),
  },
];
