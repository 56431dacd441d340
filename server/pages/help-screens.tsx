import type { ReactNode } from 'react';
import { pages } from '../../shared/urls.ts';

export interface HelpSection {
  /** the anchor: /help#facturas */
  id: string;
  title: string;
  /** the screen it is about */
  href?: string;
  /** whose screen it is, where it is not everybody's */
  role?: 1 | 3;
  body: ReactNode;
}

/** What each screen is for and how its main job is done, in the menu's order. */
export const SCREENS: readonly HelpSection[] = [
  {
    id: 'empezar',
    title: 'Para empezar',
    body: (
      <>
        <p>Saldo dice qué se debe a cada proveedor, por qué obra y cuándo hay que pagarlo.</p>
        <ol>
          <li>
            Da de alta un <a href={pages.newClient}>cliente</a> y una <a href={pages.newJob}>obra</a>. Agrega
            los <a href={pages.rubros}>rubros</a> y los <a href={pages.fundingSources}>orígenes de recurso</a>{' '}
            que uses.
          </li>
          <li>
            Captura las <a href={pages.newInvoice}>facturas</a> que llegan de tus proveedores.
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
    id: 'facturas',
    title: 'Facturas',
    href: pages.invoices,
    body: (
      <>
        <p>
          Todas las facturas de proveedores, con lo pagado y lo pendiente de cada una. Los totales de arriba
          son los de todo el filtro, no solo los de las filas a la vista.
        </p>
        <h3>Encontrar una factura</h3>
        <ol>
          <li>Escribe parte de su número. No importan mayúsculas ni acentos.</li>
          <li>
            Elige proveedor, obra, rubro, estado o fechas. <b>Quitar</b> borra cada elección.
          </li>
          <li>Da clic en el título de una columna para ordenar; otro clic invierte el orden.</li>
        </ol>
        <p>
          La dirección del navegador guarda el filtro: puedes ponerla en favoritos o enviarla a un compañero.
        </p>
        <h3>Capturar una factura</h3>
        <ol>
          <li>
            Abre <b>Nueva factura</b>. Elige proveedor, obra y, si quieres, rubro.
          </li>
          <li>Escribe el subtotal. El IVA y el total se calculan solos.</li>
          <li>
            Si la factura trae IEPS o retenciones, abre <b>Otros impuestos y retenciones</b>.
          </li>
          <li>
            Deja vacía la fecha de vencimiento y se llena con los días de crédito del proveedor, si los tiene.
          </li>
          <li>
            <b>Guardar</b>.
          </li>
        </ol>
        <p>
          Si ese número ya existe con el mismo proveedor, Saldo lo dice. Para guardarla de todos modos, marca
          la casilla que aparece.
        </p>
        <h3>Corregir una factura</h3>
        <p>
          El total no puede quedar en lo ya pagado ni por debajo. De una factura pagada aún se corrigen
          número, fechas, rubro y observaciones. Los importes de un CFDI solo se cambian después de{' '}
          <b>Desligar del CFDI</b>.
        </p>
      </>
    ),
  },
  {
    id: 'pagos',
    title: 'Pagos a proveedores',
    href: pages.payments,
    body: (
      <>
        <p>Los pagos hechos, factura por factura. Se buscan por número de cheque.</p>
        <h3>Registrar un pago</h3>
        <ol>
          <li>
            En <a href={pages.invoices}>Facturas</a>, usa <b>Pagar</b> en la fila de la factura. También
            puedes abrir <b>Nuevo pago</b> y elegirla ahí.
          </li>
          <li>
            Revisa el total pendiente y escribe la cantidad pagada. <b>Pagar todo</b> la llena por ti.
          </li>
          <li>Pon la fecha del pago. Vacía, se guarda la de hoy.</li>
          <li>
            <b>Guardar</b>.
          </li>
        </ol>
        <p>
          Una factura puede tener varios pagos; juntos nunca pasan de su total. Un doble clic no paga dos
          veces.
        </p>
        <h3>Eliminar un pago</h3>
        <p>
          Lo pagado vuelve a quedar pendiente. Si fue un error, usa <b>Deshacer</b> en el mensaje verde.
        </p>
      </>
    ),
  },
  {
    id: 'listas',
    title: 'Listas',
    body: (
      <>
        <p>
          <a href={pages.clients}>Clientes</a>, <a href={pages.jobs}>Obras</a>,{' '}
          <a href={pages.suppliers}>Proveedores</a>, <a href={pages.rubros}>Rubros</a> y{' '}
          <a href={pages.fundingSources}>Origen de recursos</a> son los nombres que se eligen en facturas y
          pagos.
        </p>
        <ul>
          <li>Cada obra tiene un cliente: dalo de alta primero.</li>
          <li>
            Los <b>días de crédito</b> de un proveedor calculan el vencimiento de sus facturas.
          </li>
          <li>Un rubro es una clase de gasto: acero, concreto, renta de maquinaria.</li>
          <li>Un origen de recurso es la cuenta o la caja de la que sale el dinero.</li>
        </ul>
        <p>Lo que está en uso no se elimina. Saldo dice qué lo usa.</p>
      </>
    ),
  },
  {
    id: 'resultados',
    title: 'Resultados',
    href: pages.results,
    body: (
      <>
        <p>Cuánto cuesta cada obra y en qué rubros, según las facturas emitidas en un periodo.</p>
        <ol>
          <li>Elige las fechas de emisión, o uno de los periodos de un clic, como «Mes pasado».</li>
          <li>Si quieres, limita a una obra o a un rubro.</li>
          <li>Da clic en una cifra para ver las facturas que la forman.</li>
        </ol>
        <p>
          El costo es subtotal más otros impuestos, sin IVA. Las facturas sin fecha de emisión aparecen
          aparte, según el día en que se capturaron, para que alguien les ponga su fecha.
        </p>
      </>
    ),
  },
  {
    id: 'saldos',
    title: 'Saldo por proveedor',
    href: pages.balances,
    body: (
      <>
        <p>
          Qué hay que pagar, a quién y en qué semana. <b>ANTERIORES</b> es lo que venció antes de la primera
          semana. Cada columna <b>SEM</b> va de lunes a domingo.
        </p>
        <ol>
          <li>
            Ábrelo sin filtros para ver los saldos de hoy. Para otro día, cambia el <a href="#corte">corte</a>
            .
          </li>
          <li>Elige proveedor u obra si solo quieres una parte.</li>
          <li>
            <b>Exportar</b> entrega el reporte completo, como se ve.
          </li>
        </ol>
        <p>
          Un asterisco marca un vencimiento estimado: la factura no tiene el suyo, y cuenta la fecha de
          recepción (si falta, la de emisión) más los días de crédito del proveedor. El total general siempre
          es el pendiente de la lista de facturas con el mismo corte.
        </p>
      </>
    ),
  },
  {
    id: 'dashboard',
    title: 'Dashboard',
    href: pages.dashboard,
    role: 1,
    body: (
      <p>
        De un vistazo: lo que se debe, lo vencido, lo pagado en el mes y lo que vence en las semanas que
        vienen. Cada cifra lleva a la lista o al reporte del que sale.
      </p>
    ),
  },
  {
    id: 'configuracion',
    title: 'Configuración',
    href: pages.settings,
    role: 3,
    body: (
      <p>
        Nombre y RFC de la empresa, tasa de IVA, días de crédito, semanas del reporte, duración de las
        sesiones y nombres de los roles. Cambia lo que haga falta y usa <b>Guardar</b> una sola vez. Cada
        cambio queda en la bitácora con su autor.
      </p>
    ),
  },
  {
    id: 'usuarios',
    title: 'Administrar usuarios',
    href: pages.users,
    role: 3,
    body: (
      <>
        <ol>
          <li>
            Abre <a href={pages.newUser}>Nuevo usuario</a>, escribe nombre y apellido y elige su tipo.
          </li>
          <li>
            Guarda y comparte la contraseña que aparece. Sirve 72 horas y hay que cambiarla al ingresar.
          </li>
          <li>
            Si alguien la olvida, abre su fila y usa <b>Restablecer contraseña</b>. Sus sesiones se cierran.
          </li>
        </ol>
        <p>
          Un usuario no se elimina: se desactiva y sus movimientos conservan su nombre. Siempre queda por lo
          menos un administrador activo.
        </p>
      </>
    ),
  },
  {
    id: 'perfil',
    title: 'Mi perfil',
    href: pages.profile,
    body: (
      <p>
        Tus datos y tu contraseña. Para cambiarla, escribe la actual y dos veces la nueva, de 8 caracteres o
        más. Tus otras sesiones se cierran.
      </p>
    ),
  },
];
