import { pages } from '../../../shared/urls.ts';
import { SETTING_GROUPS, SETTINGS } from '../../services/settings/definitions.ts';
import type { HelpSection } from './section.ts';

/** The reports, administration and the reader's own page, in the menu's order. */
export const REPORTS: readonly HelpSection[] = [
  {
    id: 'resultados',
    title: 'Resultados',
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
          cambia por una nota posterior. Los gastos de caja chica cuentan completos; los que no son de ninguna
          obra están en «Sin obra». Donde una cifra tiene varias partes, lleva a donde se ve cada una. Las
          facturas sin fecha de emisión aparecen aparte, según el día en que se capturaron, para que alguien
          les ponga su fecha.
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
            Ábrelo sin filtros para ver los saldos de hoy. Para otro día, cambia el <a href="#corte">corte</a>
            .
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
          estima, como en <a href="#saldos">Saldos por proveedor</a>. Las que no la tienen se ven además en{' '}
          <b>Sin fecha</b>.
        </p>
      </>
    ),
  },
  {
    id: 'configuracion',
    title: 'Configuración',
    href: pages.settings,
    role: 3,
    body: (
      <>
        <p>
          Bajo cada dato está lo que significa y su valor inicial. Cambia lo que haga falta y usa{' '}
          <b>Guardar</b> una sola vez. Cada cambio queda en la <a href={pages.audit}>bitácora</a> con su
          autor.
        </p>
        <ul>
          {SETTING_GROUPS.map((group) => (
            <li key={group}>
              <b>{group}</b>: {settingsOf(group).join(', ')}.
            </li>
          ))}
        </ul>
        <p>
          <b>Valores anteriores</b>, bajo cada dato que alguien cambió, dice quién, cuándo y qué había antes.
          El <b>logotipo</b>, una imagen PNG o JPEG, va en el encabezado de todos los PDF.
        </p>
        <p>
          <b>Respaldos</b> dice cuándo se hizo el último y qué encontró su verificación.{' '}
          <b>Hacer un respaldo ahora</b> guarda una copia en el servidor, y <b>Descargar</b> te la da para
          guardarla en otro lugar: quien la tenga tiene todos los datos.
        </p>
        <p>
          Con <b>Idioma</b> en «Todo en español» las fechas y todos los textos quedan en español, para todos y
          en cuanto se guarda; también en los archivos y en la terminal.
        </p>
      </>
    ),
  },
  {
    id: 'cierre',
    title: 'Cierre de mes',
    href: pages.closing,
    role: 3,
    body: (
      <>
        <p>
          Un mes cerrado ya no cambia: lo que tenga fecha del último día cerrado o de antes no se captura,
          cambia, elimina ni recupera, venga de una pantalla, de la API, de un archivo importado o de un CFDI.
          Las facturas cuentan por su emisión (sin ella, por su captura); los pagos, las notas de crédito y la
          caja chica, por su fecha. Una factura de un mes cerrado se paga en un día abierto.
        </p>
        <ol>
          <li>
            Abre <a href={pages.closing}>Cierre de mes</a>: propone el mes que sigue. Cada cuenta de{' '}
            <b>Lo que falta</b> lleva a sus facturas o pagos.
          </li>
          <li>
            Manda el <b>PDF del mes</b> a tu contador: Resultados, Saldos al último día y pagos por origen.
          </li>
          <li>
            Usa <b>Cerrar hasta el</b> último día del mes. Lo que haya faltado no lo impide.
          </li>
        </ol>
        <p>
          Si hace falta corregir algo, un administrador puede guardarlo de todos modos: junto al aviso aparece{' '}
          <b>Motivo</b>, y lo escrito se conserva. Las importaciones y la línea de comandos no pueden. Para
          varios cambios, <b>Reabrir un periodo</b> regresa la fecha de cierre, también con su motivo. Todo
          queda en la <a href={pages.audit}>bitácora</a>.
        </p>
      </>
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
            Guarda y comparte la contraseña que aparece: se muestra una sola vez. Sirve 72 horas y hay que
            cambiarla al ingresar.
          </li>
          <li>
            Si alguien la olvida, abre su fila y usa <b>Restablecer contraseña</b>. Sus sesiones se cierran.
          </li>
          <li>Pasados diez minutos desde que entraste, cada cambio pide tu propia contraseña otra vez.</li>
        </ol>
        <p>
          Un usuario no se elimina: se desactiva y sus movimientos conservan su nombre. Siempre queda por lo
          menos un administrador activo. Un usuario puede tener varios roles; se eligen en su fila.
        </p>
      </>
    ),
  },
  {
    id: 'bitacora',
    title: 'Bitácora',
    href: pages.audit,
    role: 3,
    body: (
      <>
        <p>
          Quién capturó, cambió o eliminó qué, cuándo y desde dónde: la página, la API o la línea de comandos.
          Nadie puede quitar ni cambiar una anotación.
        </p>
        <ol>
          <li>Filtra por usuario, por lo que se cambió o por periodo.</li>
          <li>
            <b>Historial</b>, en cada factura, pago, proveedor u obra, abre lo que se hizo con ese registro.
          </li>
          <li>
            <b>Comprobar la cadena</b> recorre todas las anotaciones y dice si alguna falta o cambió. Apunta
            de vez en cuando el número y la huella de la última en otro lugar: son testigo de todas las
            anteriores.
          </li>
        </ol>
      </>
    ),
  },
  {
    id: 'perfil',
    title: 'Mi perfil',
    href: pages.profile,
    body: (
      <p>
        Tus datos, tu contraseña y dónde tienes sesión abierta. Para cambiar la contraseña, escribe la actual
        y dos veces la nueva, de 8 caracteres o más; tus otras sesiones se cierran. <b>Cerrar</b> termina una
        sesión olvidada en otro equipo. En <a href={pages.secondFactor}>Doble factor</a> puedes pedir además
        un código de tu teléfono al entrar. En <b>Tema</b> eliges claro, oscuro o el del sistema; vale en
        cualquier equipo en que entres.
      </p>
    ),
  },
];

function settingsOf(group: string): string[] {
  return Object.values(SETTINGS).flatMap((setting) => (setting.group === group ? [setting.label] : []));
}
