import { clients } from '../../../shared/catalogs/clients.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { pages } from '../../../shared/urls.ts';
import type { HelpSection } from './section.ts';

/** What the screens of every day are for and how their main job is done, in the menu's order. */
export const SCREENS: readonly HelpSection[] = [
  {
    id: 'empezar',
    title: 'Para empezar',
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
    id: 'facturas',
    title: 'Facturas',
    href: pages.invoices,
    body: (
      <>
        <p>
          Todas las facturas de proveedores, con lo pagado y lo pendiente de cada una. Los totales al pie son
          los de todo el filtro, no solo los de las filas a la vista.
        </p>
        <h3>Encontrar una factura</h3>
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
        <h3 id="capturar-factura">Capturar una factura</h3>
        <ol>
          <li>
            Abre <b>Nueva factura</b>. Elige proveedor, obra y, si quieres, rubro. Si la anterior era de los
            mismos, usa <b>Repetir proveedor, obra y rubro de la última</b>.
          </li>
          <li>
            Escribe el subtotal. El IVA y el total se calculan solos; un <a href="#importes">importe</a>{' '}
            también se puede escribir como cuenta.
          </li>
          <li>
            Si la factura trae IEPS o retenciones, abre <b>Otros impuestos y retenciones</b>.
          </li>
          <li>
            Deja vacía la fecha de vencimiento y se llena con los días de crédito del proveedor, si los tiene.
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
        <h3 id="cargar-xml">Cargar el XML de una factura</h3>
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
        <h3 id="corregir-factura">Corregir una factura</h3>
        <p>
          Arriba se ve lo guardado: proveedor, obra, estado y lo pendiente, con <b>Pagar</b>; de un CFDI
          también UUID, método de pago y REP. Abajo se corrige.
        </p>
        <p>
          El total no puede quedar en lo ya pagado ni por debajo. De una factura pagada aún se corrigen
          número, fechas, rubro y observaciones. Los importes de un CFDI solo se cambian después de{' '}
          <b>Desligar del CFDI</b>.
        </p>
        <h3 id="adjuntos-factura">Adjuntos</h3>
        <p>
          Junto al formulario están los archivos de la factura: XML de CFDI, PDF o imagen, hasta 20 de 5 MB.
          Se descargan con un clic. El XML al que está ligada la factura no se quita.
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
        <p>
          Los pagos hechos, factura por factura. Se buscan por número de cheque y por fecha de pago; las
          vistas son <b>Todos</b>, <b>Este mes</b> y <b>Sin REP</b>.
        </p>
        <h3 id="registrar-pago">Registrar un pago</h3>
        <ol>
          <li>
            En <a href={pages.invoices}>Facturas</a>, usa <b>Pagar</b> en la fila de la factura. También
            puedes abrir <b>Nuevo pago</b> y buscarla por número, proveedor o importe.
          </li>
          <li>
            Revisa el total pendiente y la cantidad pagada. <b>Pagar todo</b> la llena por ti; si escribes más
            de lo que se debe, se dice al momento.
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
        <h3 id="moneda-extranjera">Pagar una factura en moneda extranjera</h3>
        <p>
          Una factura de un CFDI en dólares se debe al tipo de cambio de la propia factura. Escribe en la
          cantidad pagada lo que se abona a ese tipo de cambio (1,000 dólares a 17.1234 se escriben{' '}
          <b>1000*17.1234</b>) y en <b>Importe del banco</b> lo que salió del banco ese día. La diferencia es
          la <b>diferencia cambiaria</b>: cuenta como dinero gastado y no es deuda de nadie.
        </p>
        <h3>Eliminar un pago</h3>
        <p>
          Lo pagado vuelve a quedar pendiente. Si fue un error, usa <b>Deshacer</b> en el mensaje verde.
        </p>
      </>
    ),
  },
  {
    id: 'programaciones',
    title: 'Programación de pagos',
    href: pages.paymentBatches,
    body: (
      <>
        <p>
          Para pagar a muchos proveedores a la vez, por ejemplo cada viernes, con el visto bueno de otra
          persona.
        </p>
        <ol>
          <li>
            <b>Programar pagos</b>: marca las facturas, o usa «Todo lo que vence hasta el viernes» o «Marcar
            hasta» con un importe. Queda en <i>Borrador</i>: los importes se bajan, y lo programado no cabe en
            otra programación.
          </li>
          <li>
            <b>Autorizar</b>: Dirección o Contabilidad, y no quien la hizo ni quien la cambió al último, si la
            configuración no dice otra cosa. Sobre cierto importe pueden hacer falta dos firmas. Quien la
            cambia después la regresa a borrador.
          </li>
          <li>
            <b>Marcar como enviada</b>, si el banco ya la tiene, y <b>Pagar</b>: se registran todos los pagos
            o ninguno, con cheques consecutivos, uno por proveedor, o con una referencia.
          </li>
        </ol>
        <p>
          El <b>semáforo</b> revisa cada factura al programar, autorizar y pagar: si se parece a otra, si
          faltan su XML o los REP de pagos anteriores, si el RFC está mal, si su obra va por encima del
          presupuesto, si se pagaría de más. Lo que queda como <i>Detenida</i> no se paga y no estorba a las
          demás; con un motivo se puede dejar pasar, solo en esa programación. Qué avisa y qué detiene se
          elige en Configuración.
        </p>
        <p>
          Si el banco rechaza un pago, elimínalo: su factura vuelve a deberse. <b>Regresar</b> una
          programación pagada elimina todos sus pagos. La Relación de pagos y los avisos a los proveedores se
          descargan ahí mismo.
        </p>
      </>
    ),
  },
  {
    id: 'caja-chica',
    title: 'Caja chica',
    href: pages.pettyCash,
    body: (
      <>
        <p>
          El efectivo para gastos menores: con cuánto se abrió cada caja, qué entró, qué salió y cuánto debe
          haber hoy.
        </p>
        <ol>
          <li>
            <b>Abrir caja</b>: elige el origen de recurso que es la caja, su responsable, la fecha y el saldo
            inicial.
          </li>
          <li>
            <b>Nuevo movimiento</b>: un gasto o un ingreso, con su fecha, concepto y cantidad. A un gasto le
            puedes poner obra, rubro y número de comprobante.
          </li>
          <li>Abre la caja para ver sus movimientos de un periodo, con el saldo después de cada uno.</li>
        </ol>
        <p>
          Los pagos a proveedores con ese origen de recurso se descuentan solos: no los captures otra vez. Un
          saldo en rojo es negativo: falta registrar un ingreso o sobra un gasto.
        </p>
      </>
    ),
  },
  {
    id: 'listas',
    title: 'Listas',
    body: (
      <>
        <p>Los nombres que se eligen en facturas y pagos.</p>
        <h3 id="clientes">Clientes</h3>
        <p>
          <a href={clients.paths.list}>Los dueños de las obras.</a> Cada obra tiene un cliente: dalo de alta
          primero.
        </p>
        <h3 id="obras">Obras</h3>
        <p>
          <a href={jobs.paths.list}>Las obras a las que se cargan las facturas.</a> No pueden terminar antes
          de empezar.
        </p>
        <h3 id="proveedores">Proveedores</h3>
        <p>
          <a href={suppliers.paths.list}>Las empresas y personas que te facturan.</a> Los{' '}
          <b>días de crédito</b> de un proveedor calculan el vencimiento de sus facturas. Dos proveedores no
          pueden tener el mismo RFC.
        </p>
        <h3 id="rubros">Rubros</h3>
        <p>
          <a href={rubros.paths.list}>Las clases de gasto</a>: acero, concreto, renta de maquinaria.
        </p>
        <h3 id="origenes">Origen de recursos</h3>
        <p>
          <a href={fundingSources.paths.list}>Las cuentas y las cajas</a> de las que sale el dinero.
        </p>
        <p>Lo que está en uso no se elimina. Saldo dice qué lo usa.</p>
      </>
    ),
  },
  {
    id: 'importar',
    title: 'Importar',
    href: pages.imports,
    body: (
      <>
        <p>
          Una tabla de Excel o CSV con facturas, pagos, proveedores, clientes, obras, rubros u orígenes de
          recurso entra completa, sin capturarla a mano.
        </p>
        <ol>
          <li>
            Elige qué se importa y el archivo, de hasta 20 MB. No hace falta cambiarle los títulos; si
            empiezas de cero, usa la <b>Plantilla</b> y borra su fila de ejemplo.
          </li>
          <li>
            Abre <b>Columnas</b> y revisa qué se entendió de cada una. Cambia lo que no sea, o elige{' '}
            <b>No usar</b>. Lo que ninguna columna diga, como la obra, puede ser el mismo valor para todas las
            filas. Un número donde va un nombre es el código de otro sistema; si son los ids de Saldo, elige{' '}
            <b>Id de proveedor</b>, <b>Id de obra</b> y así. Después de un cambio usa <b>Actualizar vista</b>.
          </li>
          <li>
            Lee <b>Qué va a pasar</b>: cuántas filas se darán de alta, cuáles ya están y cuáles se rechazan,
            con su motivo. Hasta aquí no se ha guardado nada.
          </li>
          <li>
            Usa <b>Importar</b>. Todo entra junto, o no entra nada. Mientras una tabla grande se guarda, los
            demás siguen trabajando y no ven sus filas; solo los pagos se ven conforme entran.
          </li>
        </ol>
        <h3 id="importar-rechazadas">Las filas rechazadas</h3>
        <p>
          Con una sola fila rechazada no se importa nada, para que nadie crea completo lo que no lo está.
          Marca <b>Omitir las filas rechazadas e importar las demás</b> si prefieres que entre el resto.{' '}
          <b>Descargar las rechazadas</b> las entrega como venían, con el motivo de cada una: corrígelas y
          vuelve a importar ese archivo.
        </p>
        <p>
          Importar dos veces el mismo archivo no repite nada: lo que ya está igual queda <b>sin cambio</b>, y
          lo que está con otros datos se rechaza. Si el archivo no dice si su único importe lleva IVA, cómo
          van los decimales o en qué orden las fechas, Saldo pregunta en vez de adivinar.
        </p>
      </>
    ),
  },
];
