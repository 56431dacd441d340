import { clients } from '../../../shared/catalogs/clients.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { pages } from '../../../shared/urls.ts';
import type { HelpTopic } from './topic.ts';

/** From an empty database to the first payment. */
export const STARTING: readonly HelpTopic[] = [
  {
    id: 'empezar',
    title: 'Para empezar',
    about: 'Los primeros pasos con Saldo: qué se da de alta, y en qué orden.',
    body: (
      <>
        <p>Saldo dice qué se debe a cada proveedor, por qué obra y cuándo hay que pagarlo.</p>
        <ol>
          <li>
            Da de alta un <a href={clients.paths.create}>cliente</a> y una{' '}
            <a href={jobs.paths.create}>obra</a>. Agrega los <a href={rubros.paths.list}>rubros</a> y los{' '}
            <a href={fundingSources.paths.list}>orígenes de recurso</a> que uses.
          </li>
          <li>
            Captura las <a href={pages.newInvoice}>facturas</a> que llegan de tus proveedores. Lo que falte en
            una lista se da de alta ahí mismo, desde el diálogo en que se elige.
          </li>
          <li>
            Registra cada <a href={pages.newPayment}>pago</a> cuando se hace.
          </li>
          <li>
            Los lunes abre <a href={pages.balances}>Saldos por proveedor</a> para ver qué vence en qué semana.
          </li>
        </ol>
      </>
    ),
  },
  {
    id: 'primera-semana',
    title: 'La primera semana',
    about: 'De una base vacía al primer pago, día por día.',
    body: (
      <>
        <h2 id="primer-dia">Lunes: la empresa y su gente</h2>
        <ol>
          <li>
            En <a href={pages.settings}>Configuración</a> escribe nombre, RFC y dirección, y pon el logotipo:
            van en todos los PDF.
          </li>
          <li>
            En <a href={pages.newUser}>Nuevo usuario</a> da de alta a cada persona con su tipo, y comparte su
            contraseña.
          </li>
        </ol>
        <h2 id="segundo-dia">Martes: las listas</h2>
        <ol>
          <li>
            Pasa de Excel lo que ya tienes: <a href={pages.helpTopic('importar')}>Importar</a> trae clientes,
            obras, proveedores, rubros y orígenes de recurso.
          </li>
          <li>Pon a cada proveedor sus días de crédito: de ahí sale cuándo vence lo que no trae fecha.</li>
        </ol>
        <h2 id="tercer-dia">Miércoles y jueves: lo que se debe</h2>
        <ol>
          <li>
            <a href={pages.helpTopic('cargar-xml')}>Carga los XML</a> de las facturas por pagar: muchos a la
            vez, o en un zip.
          </li>
          <li>
            <a href={pages.helpTopic('capturar-factura')}>Captura</a> las que no tienen XML.
          </li>
          <li>
            Registra lo que ya se pagó de ellas, o impórtalo con su fecha: el saldo de hoy debe ser el de tus
            papeles.
          </li>
        </ol>
        <h2 id="quinto-dia">Viernes: el primer pago</h2>
        <ol>
          <li>
            Compara <a href={pages.balances}>Saldos por proveedor</a> con lo que dicen dos o tres proveedores.
          </li>
          <li>
            Sigue con <a href={pages.helpTopic('pagar-la-semana')}>Pagar la semana</a>.
          </li>
        </ol>
      </>
    ),
  },
];
