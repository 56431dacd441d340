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
            <a href={pages.helpTopic('proveedores')}>Proveedores</a> y sus{' '}
            <a href={pages.helpTopic('cuentas-bancarias')}>cuentas bancarias</a>
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
    id: 'cuentas-bancarias',
    title: 'Cuentas bancarias',
    about: 'A dónde se le paga a cada proveedor, y quién lo confirmó.',
    href: pages.accounts,
    body: (
      <>
        <p>
          <a href={pages.accounts}>A dónde se le paga a cada proveedor.</a> Se capturan en la página del
          proveedor, en <b>Cuentas bancarias</b>: la CLABE de 18 dígitos y el titular. Saldo comprueba el
          último dígito y dice de qué banco es.
        </p>
        <p>
          Una cuenta es <i>confiable</i> cuando otra persona (Dirección, Contabilidad o un administrador) la
          confirma: compara los 18 dígitos con el estado de cuenta del proveedor, nunca con un correo, y usa{' '}
          <b>Confirmar</b>. No puede ser quien la capturó ni quien la ha cambiado desde que se confirmó, y
          cualquier cambio le quita la confianza. Así, un solo engaño no basta para que el dinero vaya a otra
          parte.
        </p>
        <p>
          Las que faltan por confirmar están en{' '}
          <a href={`${pages.accounts}?estado=por-confirmar`}>la lista</a>, que enseña solo los últimos cuatro
          dígitos. Muchas a la vez se traen en <a href={pages.imports}>Importar</a>; quedan por confirmar.
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
          <a href={fundingSources.paths.list}>Las cuentas y las cajas</a> de las que sale el dinero. La{' '}
          <b>CLABE</b> de una cuenta propia dice de qué banco es y de dónde se carga un archivo para el banco.
        </p>
      </>
    ),
  },
];
