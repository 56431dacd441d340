import { pages } from '../../../shared/urls.ts';
import type { HelpTopic } from './topic.ts';

/** What the screens of every day are for and how their main job is done, in the menu's order. */
export const SCREENS: readonly HelpTopic[] = [
  {
    id: 'pagos',
    title: 'Pagos a proveedores',
    about: 'Los pagos hechos, factura por factura.',
    href: pages.payments,
    body: (
      <>
        <p>
          Los pagos hechos, factura por factura. Se buscan por número de cheque y por fecha de pago; las
          vistas son <b>Todos</b>, <b>Este mes</b> y <b>Sin REP</b>.
        </p>
        <h2 id="eliminar-pago">Eliminar un pago</h2>
        <p>
          Lo pagado vuelve a quedar pendiente. Si fue un error, usa <b>Deshacer</b> en el mensaje verde.
        </p>
        <p>
          Para hacer uno: <a href={pages.helpTopic('registrar-pago')}>Registrar un pago</a>. Para pagar a
          muchos: <a href={pages.helpTopic('programaciones')}>Programación de pagos</a>.
        </p>
      </>
    ),
  },
  {
    id: 'registrar-pago',
    title: 'Registrar un pago',
    about: 'Pagar una factura, entera o en parte; también en dólares.',
    href: pages.newPayment,
    body: (
      <>
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
        <h2 id="moneda-extranjera">Pagar una factura en moneda extranjera</h2>
        <p>
          Una factura de un CFDI en dólares se debe al tipo de cambio de la propia factura. Escribe en la
          cantidad pagada lo que se abona a ese tipo de cambio (1,000 dólares a 17.1234 se escriben{' '}
          <b>1000*17.1234</b>) y en <b>Importe del banco</b> lo que salió del banco ese día. La diferencia es
          la <b>diferencia cambiaria</b>: cuenta como dinero gastado y no es deuda de nadie.
        </p>
      </>
    ),
  },
  {
    id: 'programaciones',
    title: 'Programación de pagos',
    about: 'Preparar, autorizar y pagar a muchos proveedores a la vez.',
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
            hasta» con un importe. También se marcan en Facturas y en Saldos, donde <kbd>x</kbd> marca la fila
            y Mayús toda una serie; <b>Programar pago</b> las lleva a una nueva o a un borrador. Queda en{' '}
            <i>Borrador</i>: los importes se bajan, y lo programado no cabe en otra programación.
          </li>
          <li>
            <b>Autorizar</b>: Dirección o Contabilidad, y no quien la hizo ni quien le ha puesto una factura o
            un importe, si la configuración no dice otra cosa. Sobre cierto importe pueden hacer falta dos
            firmas. Quien la cambia después la regresa a borrador.
          </li>
          <li>
            <b>Generar</b> el archivo para el banco, o <b>Marcar como enviada</b> si se hizo de otro modo, y{' '}
            <b>Pagar</b>: se registran todos los pagos o ninguno, con cheques consecutivos, uno por proveedor,
            o con una referencia.
          </li>
        </ol>
        <p>
          El <b>semáforo</b> revisa cada factura al programar, autorizar y pagar: si se parece a otra, si
          faltan su XML o los REP de pagos anteriores, si el RFC está mal, si su obra va por encima del
          presupuesto, si se pagaría de más, si nadie ha confirmado la{' '}
          <a href={pages.helpTopic('cuentas-bancarias')}>cuenta del proveedor</a> o es nueva. Lo que queda
          como <i>Detenida</i> no se paga y no estorba a las demás; con un motivo se puede dejar pasar, solo
          en esa programación. Qué avisa y qué detiene se elige en Configuración.
        </p>
        <p>
          Si el banco rechaza un pago, elimínalo: su factura vuelve a deberse. <b>Regresar</b> una
          programación pagada elimina todos sus pagos; la que se mandó al banco la regresa, con un motivo,
          otra persona que quien la mandó. Lo que el banco ya tiene que pagar no se paga aparte sin un motivo.
          La Relación de pagos y los avisos a los proveedores se descargan ahí mismo.
        </p>
      </>
    ),
  },
  {
    id: 'caja-chica',
    title: 'Caja chica',
    about: 'El efectivo para gastos menores: gastar, comprobar, reponer y contar.',
    href: pages.pettyCash,
    body: (
      <>
        <p>
          El efectivo para gastos menores. Cada caja dice su <b>saldo</b>, lo que está <b>por comprobar</b> y
          lo que está <b>por reponer</b>: juntos son su monto fijo.
        </p>
        <ol>
          <li>
            <b>Abrir caja</b>, lo que hacen Dirección o Contabilidad: su nombre, quién la tiene, de qué origen
            sale el dinero, y con cuánto empieza. Puede tener una obra, un monto fijo y un tope por gasto.
            Ellos también la entregan a otra persona, suben su monto fijo, y la cierran cuando no queda nada
            en ella ni falta nada: desde entonces está en <b>Cerradas</b>.
          </li>
          <li>
            <b>Nuevo gasto</b>: importe, concepto, obra y rubro, con la foto del ticket. El XML de un CFDI
            llena el formulario con <b>Leer el XML</b>. Un CFDI es una factura o el comprobante de un gasto,
            nunca las dos cosas.
          </li>
          <li>
            Sin comprobante todavía, el gasto queda por comprobar hasta su plazo; al traerlo, edita el gasto.
            La campana dice cuáles se pasaron. Dirección o Contabilidad pueden aceptar uno sin comprobante.
          </li>
          <li>
            <b>Reponer</b> junta los gastos comprobados y pide su dinero. Todo lo que entra a la caja, también
            la apertura y lo que la amplía, lo autoriza otra persona que su responsable, quien lo pidió y
            quien capturó o cambió los gastos sin reponer; entonces el dinero entra desde su origen.
          </li>
          <li>
            <b>Arqueo</b>: se escribe cuántas piezas hay de cada denominación, y al guardar se dice cuánto
            debía haber. La diferencia se ajusta con un motivo.
          </li>
        </ol>
        <p>
          <b>Movimientos</b> lista los de todas las cajas y los descarga. Cajas y movimientos se importan de
          una tabla en <a href={pages.imports}>Importar</a>, también la que se descargó: primero las cajas,
          luego sus movimientos, y al final los pagos que salen de ellas.
        </p>
        <p>
          De una caja no sale más de lo que hay. Los pagos a proveedores salen de ella solos, si la caja dice
          con qué origen se pagan: no los captures otra vez. Lo gastado cuenta en Resultados y en el
          presupuesto de su obra, sin IVA.
        </p>
      </>
    ),
  },
  {
    id: 'importar',
    title: 'Importar',
    about: 'Pasar una tabla de Excel o CSV a Saldo, entera y sin repetir nada.',
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
        <h2 id="importar-rechazadas">Las filas rechazadas</h2>
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
