import { pages } from '../../../shared/urls.ts';
import type { HelpTopic } from './topic.ts';

/** What is asked of all invoices and payments, in the menu's order. */
export const REPORTS: readonly HelpTopic[] = [
  {
    id: 'resultados',
    title: 'Resultados',
    about: 'Cuánto cuesta cada obra, cuánto está pagado y cuánto falta.',
    href: pages.results,
    body: (
      <>
        <p>
          Cuánto cuesta cada obra, cuánto de eso está pagado y cuánto falta: una fila por obra, la mayor
          primero. Da clic en su nombre para ver sus rubros; <b>Rubro por mes</b> los pone en una tabla, en
          pesos enteros.
        </p>
        <ol>
          <li>Elige las fechas, o uno de los periodos de un clic, como «Mes pasado» o «Todo».</li>
          <li>Si quieres, limita a una obra, a las de un cliente o a un rubro.</li>
          <li>
            <b>Facturado</b> cuenta por fecha de emisión; <b>Pagado</b>, lo que salió del banco por fecha de
            pago. Con IVA o sin IVA, con la caja chica o sin ella.
          </li>
          <li>Da clic en una cifra para ver lo que la forma.</li>
        </ol>
        <p>
          El costo es subtotal más otros impuestos, sin IVA, menos la parte sin IVA de las notas de crédito,
          en la fecha de la nota y en la obra y el rubro de la factura a la que se aplicó: un mes cerrado no
          cambia por una nota posterior. Los gastos de caja chica cuentan igual, sin su IVA; los que no son de
          ninguna obra están en «Sin obra». Donde una cifra tiene varias partes, lleva a donde se ve cada una.
          Las facturas sin fecha de emisión aparecen aparte, según el día en que se capturaron, para que
          alguien les ponga su fecha.
        </p>
      </>
    ),
  },
  {
    id: 'saldos',
    title: 'Saldo por proveedor',
    about: 'Qué hay que pagar, a quién y en qué semana.',
    href: pages.balances,
    body: (
      <>
        <p>
          Qué hay que pagar, a quién y en qué semana. <b>ANTERIORES</b> es lo que venció antes de la primera
          semana. Cada columna <b>SEM</b> va de lunes a domingo. Da clic en un proveedor para abrir o cerrar
          sus facturas, y en una cifra para ver las facturas que la suman.
        </p>
        <p>
          <b>Vencido</b> es lo que vence antes de hoy (o del corte) y <b>Esta semana</b> lo que vence de hoy
          al domingo, también en la campana, el tablero y la lista de facturas. Por eso Vencido = anteriores +
          de esta semana, y la semana en curso = ya vencido + esta semana; cada pantalla dice sus cifras.
        </p>
        <ol>
          <li>
            Ábrelo sin filtros para ver los saldos de hoy. Para otro día, cambia el{' '}
            <a href={pages.helpTopic('corte')}>corte</a>.
          </li>
          <li>Elige proveedor u obra si solo quieres una parte.</li>
          <li>
            <b>Exportar</b> entrega el reporte completo.
          </li>
        </ol>
        <p>
          Un asterisco marca un vencimiento estimado: la factura no tiene el suyo, y cuenta la fecha de
          recepción (si falta, la de emisión) más los días de crédito del proveedor. El total general siempre
          es el pendiente de la lista de facturas con el mismo corte; los saldos a favor sin aplicar no están
          en ninguna cifra, y se listan bajo la tabla.
        </p>
      </>
    ),
  },
  {
    id: 'presupuesto',
    title: 'Presupuesto',
    about: 'Cuánto puede costar cada obra en cada rubro, y cuánto lleva.',
    href: pages.budgets,
    body: (
      <>
        <p>
          Cuánto puede costar cada obra en cada rubro, y cuánto lleva. Todo es sin IVA, menos lo pagado. El
          primer importe de una partida es su <b>Original</b>; lo que se le suma o resta después son sus{' '}
          <b>Cambios</b>, y juntos dan lo <b>Vigente</b>. <b>Por ejercer</b> es lo vigente menos lo
          comprometido y lo facturado; el porcentaje se pone ámbar desde 80 y rojo arriba de 100.
        </p>
        <ol>
          <li>
            Elige una obra, o escribe en la tabla de todas. Flechas, Enter y Tab van de celda en celda; se
            puede pegar una parte de una hoja de cálculo, y Ctrl+Z deshace.
          </li>
          <li>
            Escribe el motivo y guarda: queda con la fecha y el usuario en la <b>Historia</b> de la obra y en
            la bitácora.
          </li>
        </ol>
        <p>
          Si una factura excede lo que queda, el formulario lo dice mientras se captura, y también Cargar XML
          y la revisión de una importación: «Presupuesto 500,000 · Gastado 430,000 · Esta 90,000 → excede
          20,000». En Configuración se decide si eso se ignora, se avisa (así empieza) o se impide; si se
          impide, Dirección puede guardarla con un motivo. Un rubro sin presupuesto cuenta como 0 en una obra
          que tiene alguno; una obra sin presupuesto no se revisa.
        </p>
      </>
    ),
  },
  {
    id: 'estado-de-cuenta',
    title: 'Estado de cuenta y aviso de pago',
    about: 'Lo que un proveedor facturó, lo que se le pagó y lo que se le debe.',
    body: (
      <>
        <p>
          Para cuando llama un proveedor: lo que facturó, lo que se le pagó y lo que se le debe, movimiento
          por movimiento, con el saldo después de cada uno. Se abre desde la página del proveedor, que empieza
          por su saldo, su antigüedad y sus facturas por pagar.
        </p>
        <ol>
          <li>Sin fechas va desde el principio hasta hoy; con ellas, empieza en el saldo anterior.</li>
          <li>
            La barra dice qué tan viejo es el saldo, y «Qué vence y cuándo» lo que sigue. Da clic en una cifra
            para ver sus facturas.
          </li>
          <li>
            <b>Exportar</b> da el PDF con los datos de tu empresa; <b>Enviar por correo</b> abre tu programa
            de correo con el texto listo y descarga el PDF, que ahí se adjunta.
          </li>
        </ol>
        <p>
          Un pago con fecha anterior a su factura cuenta el día de la factura. El <b>aviso de pago</b>, desde
          el pago, es un PDF de lo que se pagó, en qué facturas y lo que resta de cada una.
        </p>
      </>
    ),
  },
  {
    id: 'dashboard',
    title: 'Dashboard',
    about: 'Cuánto hay que pagar, a quién y cuándo, en una pantalla.',
    href: pages.dashboard,
    role: 1,
    body: (
      <>
        <p>
          Cuánto hay que pagar, a quién y cuándo: lo que se debe, lo vencido por su antigüedad, lo que vence
          esta semana y en las cuatro que siguen, lo pagado en el mes, lo facturado y lo pagado en doce meses,
          y a quién se le debe más. Cada cifra y cada barra lleva a la lista que la forma; bajo cada gráfica,{' '}
          <b>Ver las cifras</b> las da en una tabla.
        </p>
        <p>
          Las semanas cuentan el día en que vence cada factura; si no tiene fecha de vencimiento, el que se le
          estima, como en <a href={pages.helpTopic('saldos')}>Saldos por proveedor</a>. Las que no la tienen
          se ven además en <b>Sin fecha</b>.
        </p>
      </>
    ),
  },
];
