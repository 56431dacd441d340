import { pages } from '../../../shared/urls.ts';
import type { HelpTopic } from './topic.ts';

/** A supplier's invoice, from its capture on. */
export const INVOICES: readonly HelpTopic[] = [
  {
    id: 'facturas',
    title: 'Facturas',
    about: 'Encontrar facturas, ver lo pagado y lo pendiente, y guardar vistas propias.',
    href: pages.invoices,
    body: (
      <>
        <p>
          Todas las facturas de proveedores, con lo pagado y lo pendiente de cada una. Los totales al pie son
          los de todo el filtro, no solo los de las filas a la vista.
        </p>
        <h2 id="encontrar-factura">Encontrar una factura</h2>
        <p>
          Sobre el filtro están las vistas, cada una con cuántas son y cuánto suman: <b>Todas</b>,{' '}
          <b>Por pagar</b>, <b>Vencidas</b>, <b>Esta semana</b> y <b>Sin fecha</b>. El menú abre la lista en
          la vista y el orden en que la dejaste. Con <b>Guardar vista</b> le pones nombre a un filtro tuyo.
        </p>
        <ol>
          <li>Escribe parte de su número. No importan mayúsculas ni acentos.</li>
          <li>
            Elige proveedor, obra, rubro, estado o fechas. <b>Quitar</b> borra cada elección.
          </li>
          <li>Da clic en el título de una columna para ordenar; otro clic invierte el orden.</li>
          <li>
            Arriba están las vistas de siempre, con cuántas son y cuánto suman. <b>Guardar vista</b> le pone
            nombre al filtro que tengas puesto, y el menú te regresa a la vista que dejaste.
          </li>
        </ol>
        <p>
          Lo que sigue: <a href={pages.helpTopic('capturar-factura')}>capturar una factura</a>,{' '}
          <a href={pages.helpTopic('cargar-xml')}>cargar su XML</a>,{' '}
          <a href={pages.helpTopic('corregir-factura')}>corregirla</a> y{' '}
          <a href={pages.helpTopic('registrar-pago')}>pagarla</a>.
        </p>
      </>
    ),
  },
  {
    id: 'capturar-factura',
    title: 'Capturar una factura',
    about: 'Del papel a la lista: campo por campo.',
    href: pages.newInvoice,
    body: (
      <>
        <ol>
          <li>
            Abre <b>Nueva factura</b>. Elige proveedor, obra y, si quieres, rubro. Si la anterior era de los
            mismos, usa <b>Repetir proveedor, obra y rubro de la última</b>.
          </li>
          <li>
            Escribe el subtotal. El IVA y el total se calculan solos; un{' '}
            <a href={pages.helpTopic('importes')}>importe</a> también se puede escribir como cuenta.
          </li>
          <li>
            Si la factura trae IEPS o retenciones, abre <b>Otros impuestos y retenciones</b>.
          </li>
          <li>
            Deja vacía la fecha de vencimiento si la factura no la trae: abajo se lee cuándo vence por los
            días de crédito del proveedor.
          </li>
          <li>
            <b>Guardar</b> regresa a la lista. <b>Guardar y nueva</b> guarda y deja el formulario listo para
            la siguiente.
          </li>
        </ol>
        <p>
          Si ese número ya existe con el mismo proveedor, Saldo lo dice. Para guardarla de todos modos, marca
          la casilla que aparece.
        </p>
      </>
    ),
  },
  {
    id: 'cargar-xml',
    title: 'Cargar el XML de una factura',
    about: 'Uno o muchos CFDI, con sus notas de crédito y sus recibos de pago.',
    href: pages.loadInvoice,
    body: (
      <>
        <ol>
          <li>
            Con <a href={pages.loadInvoice}>Cargar XML</a>, en la lista de facturas y en Nueva factura, elige
            el XML del CFDI y, si lo tienes, el PDF de la factura. Sigue solo en cuanto eliges.
          </li>
          <li>
            Saldo llena el formulario con el documento: proveedor, número, fecha e importes, que no se
            cambian. Si el proveedor no está en la lista, lo da de alta por su RFC.
          </li>
          <li>
            Elige la obra y, si quieres, el rubro; revisa las fechas y los avisos, y guarda. El XML y el PDF
            quedan como adjuntos de la factura.
          </li>
        </ol>
        <p>
          Muchos a la vez: elige varios archivos o zips, o arrástralos a la lista de facturas. Una sola
          pantalla dice de cada uno qué es y qué pasará con él; la obra y el rubro se eligen para todos, y en
          cada renglón se puede poner otro. Se guardan juntos. Los que no se guardan dicen por qué, y esperan
          ahí dos días: se abren uno por uno con su número, o se descargan.
        </p>
        <p>
          Un CFDI que ya está registrado no se guarda dos veces: Saldo dice en qué factura está. Si su total
          no cuadra con sus partes, hay que aceptarlo con una casilla.
        </p>
        <p>
          También se cargan notas de crédito y recibos de pago. De un recibo que ya está registrado se ven sus
          pagos, y los que falten se registran al elegir su origen de recurso.
        </p>
      </>
    ),
  },
  {
    id: 'corregir-factura',
    title: 'Corregir una factura',
    about: 'Qué se puede cambiar, qué no, y los archivos adjuntos.',
    body: (
      <>
        <p>
          Arriba se ve lo guardado: proveedor, obra, estado y lo pendiente, con <b>Pagar</b>; de un CFDI
          también UUID, método de pago y REP. Abajo se corrige.
        </p>
        <p>
          El total no puede quedar en lo ya pagado ni por debajo. De una factura pagada aún se corrigen
          número, fechas, rubro y observaciones. Los importes de un CFDI solo se cambian después de{' '}
          <b>Desligar del CFDI</b>.
        </p>
        <h2 id="adjuntos-factura">Adjuntos</h2>
        <p>
          Junto al formulario están los archivos de la factura: XML de CFDI, PDF o imagen, hasta 20 de 5 MB.
          Se descargan con un clic. El XML al que está ligada la factura no se quita.
        </p>
      </>
    ),
  },
];
