import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { pages } from '../../../shared/urls.ts';
import { ARRIVING, Commands, FORGOTTEN, LEAVING, WEEKLY } from './commands.tsx';
import { ExampleWeek } from './example.tsx';
import { STARTING } from './starting.tsx';
import type { HelpTopic } from './topic.ts';

/** What takes more than one screen, from the first day to the day of moving. */
export const TASKS: readonly HelpTopic[] = [
  ...STARTING,
  {
    id: 'pagar-la-semana',
    title: 'Pagar la semana',
    about: 'Del reporte del lunes a los pagos del viernes.',
    body: (
      <>
        <ol>
          <li>
            El lunes abre <a href={pages.balances}>Saldos por proveedor</a>. Lo que hay que pagar es{' '}
            <b>ANTERIORES</b> más la columna de la semana.
          </li>
          <li>
            En <a href={pages.paymentBatches}>Programación de pagos</a> usa <b>Programar pagos</b>, elige
            fecha y origen, y marca las facturas; «Todo lo que vence hasta el viernes» las marca por ti.
          </li>
          <li>Mira el semáforo: corrige lo que avisa, o baja el importe de una partida.</li>
          <li>
            Otra persona, de Dirección o Contabilidad, usa <b>Autorizar</b>.
          </li>
          <li>
            El viernes, <b>Pagar</b> registra todos los pagos o ninguno. De ahí salen la Relación de pagos y
            los avisos a los proveedores.
          </li>
        </ol>
        <p>
          Para una sola factura basta <a href={pages.helpTopic('registrar-pago')}>registrar un pago</a>. Cómo
          se reparte lo que se debe, semana por semana, está en{' '}
          <a href={pages.helpTopic('ejemplo-de-saldos')}>el ejemplo de una semana</a>.
        </p>
      </>
    ),
  },
  {
    id: 'archivo-para-el-banco',
    title: 'Mandar los pagos al banco en un archivo',
    about: 'De una programación autorizada al archivo que se sube al portal del banco.',
    body: (
      <>
        <ol>
          <li>
            Una sola vez: pon la CLABE de tu cuenta en su{' '}
            <a href={fundingSources.paths.list}>origen de recurso</a>, y captura y confirma las{' '}
            <a href={pages.helpTopic('cuentas-bancarias')}>cuentas de los proveedores</a>.
          </li>
          <li>
            En la programación autorizada, <b>Archivos para el banco</b> ofrece lo que sirve para esa cuenta:
            BBVA, Banorte y Santander, a cuentas propias del banco o a otros (SPEI), y un CSV para cualquier
            otro. Cada proveedor es una transferencia, con una referencia propia.
          </li>
          <li>
            <b>Generar</b> lo guarda con su huella (SHA-256) y deja la programación como enviada;{' '}
            <b>Descargar</b> lo entrega. La segunda vez pregunta, porque un archivo que se sube dos veces se
            paga dos veces.
          </li>
        </ol>
        <p>
          Después carga el <a href={pages.bankStatements}>estado de cuenta del banco</a> (CSV o Excel): lo que
          el banco pagó queda pagado con su fecha, lo que devolvió vuelve a deberse, y lo que puede ser de
          varias partidas se enseña sin decidirlo. Se reconoce por el importe junto con la referencia o la
          CLABE, y un movimiento cargado dos veces cuenta una.
        </p>
        <p>
          No van las partidas detenidas, las pagadas ni las de proveedores sin cuenta confiable; la página
          dice cuáles. Lo que no cabe en un campo del banco se corta, y se avisa. Si cambian la programación,
          una cuenta o la plantilla, el archivo anterior ya no vale y no se entrega.
        </p>
        <p>
          Las plantillas son datos: en <a href={`${pages.settings}#plantillas-de-banco`}>Configuración</a> un
          administrador descarga una, cambia el renglón que el banco cambió y la sube. Sirve desde que otra
          persona de Dirección o Contabilidad la confirma. La cuenta, el beneficiario y el importe salen
          siempre de la programación, y cada archivo se lee de nuevo y se compara con ella antes de guardarse.
          Los bancos no publican versiones de las suyas: prueba con un pago pequeño.
        </p>
      </>
    ),
  },
  {
    id: 'ejemplo-de-saldos',
    title: 'Una semana de saldos, con un ejemplo',
    about: 'Cinco facturas, y en qué columna cae cada una.',
    body: <ExampleWeek />,
  },
  {
    id: 'cerrar-el-mes',
    title: 'Cerrar el mes',
    about: 'Lo que se revisa antes, y lo que recibe el contador.',
    role: 3,
    body: (
      <>
        <ol>
          <li>
            Compara los pagos del mes con el banco:{' '}
            <a href={pages.helpTopic('conciliar-banco')}>Conciliar un banco</a>.
          </li>
          <li>
            Abre <a href={pages.closing}>Cierre de mes</a> y sigue las cuentas de <b>Lo que falta</b>:
            facturas sin rubro, recibos de pago que no han llegado, facturas que se parecen y pagos sin
            origen.
          </li>
          <li>
            Descarga el <b>PDF del mes</b> y mándalo al contador.
          </li>
          <li>
            Usa <b>Cerrar hasta el</b> último día del mes. Desde ahí, nada de ese mes cambia sin un motivo.
          </li>
        </ol>
        <p>
          Qué cuenta como del mes y cómo se reabre está en{' '}
          <a href={pages.helpTopic('cierre')}>Cierre de mes</a>.
        </p>
      </>
    ),
  },
  {
    id: 'conciliar-banco',
    title: 'Conciliar un banco',
    about: 'Comparar los pagos de un mes con el estado de cuenta del banco.',
    body: (
      <>
        <p>
          Saldo no lee el estado de cuenta del banco: da la lista con que se compara, completa y con su suma.
        </p>
        <ol>
          <li>
            En <a href={pages.payments}>Pagos a proveedores</a> pon <b>Pago desde</b> y <b>Pago hasta</b> con
            el primer y el último día del periodo.
          </li>
          <li>
            <b>Exportar</b> en Excel y filtra la columna del origen de recurso: queda lo que salió de esa
            cuenta.
          </li>
          <li>
            Palomea cada cargo del banco por su número de cheque y su importe. De una factura en moneda
            extranjera el banco cobra el <b>Importe del banco</b>.
          </li>
          <li>
            Lo que está en el banco y no en Saldo es un pago por registrar. Lo que está en Saldo y no en el
            banco es un cheque sin cobrar, otra fecha, o un pago que no salió: elimínalo, y su factura vuelve
            a deberse.
          </li>
        </ol>
        <p>
          El <b>PDF del mes</b>, en Cierre de mes, trae los pagos sumados por origen: cada suma debe ser la de
          los cargos de su cuenta.
        </p>
      </>
    ),
  },
  {
    id: 'restablecer-contrasena',
    title: 'Restablecer una contraseña',
    about: 'Para quien olvidó la suya, desde la pantalla o desde la terminal.',
    role: 3,
    body: (
      <>
        <ol>
          <li>
            En <a href={pages.users}>Usuarios</a> abre la fila de la persona.
          </li>
          <li>
            Usa <b>Restablecer contraseña</b>. Si entraste hace más de diez minutos, escribe antes la tuya.
          </li>
          <li>
            Comparte la contraseña que aparece: se muestra una vez, sirve 72 horas y se cambia al ingresar.
          </li>
        </ol>
        <p>
          Sus sesiones abiertas se cierran. Si olvidó también el teléfono del doble factor, eso se restablece
          aparte.
        </p>
        <h2 id="contrasena-sin-administrador">Si ningún administrador puede entrar</h2>
        <p>En el servidor, con la orden de la terminal:</p>
        <Commands of={FORGOTTEN} />
      </>
    ),
  },
  {
    id: 'reporte-desde-un-programa',
    title: 'El reporte desde un programa',
    about: 'Los saldos de cada lunes sin abrir la pantalla.',
    body: (
      <>
        <p>
          En el servidor, la orden <code>saldo</code> escribe el reporte con las mismas cifras que la
          pantalla:
        </p>
        <Commands of={WEEKLY} />
        <p>
          Termina con 0 si todo salió bien, con 1 si falló y con 2 si la orden está mal escrita: así lo sabe
          el programa que la llama. Con <code>--json</code> o <code>--format json</code> responde para otros
          programas.
        </p>
        <h2 id="reporte-por-api">Por la API</h2>
        <p>
          Desde otro equipo, <code>GET /api/facturaproveedores/reporting/pivot/?corte=2026-11-20</code> da las
          mismas filas. Todas las llamadas, con un ejemplo de cada una, están en{' '}
          <a href="/api/docs">la referencia de la API</a>; lo que responde cuando algo falla, en{' '}
          <a href={pages.helpTopic('errores')}>Mensajes de error</a>.
        </p>
      </>
    ),
  },
  {
    id: 'mudar-de-equipo',
    title: 'Pasar a otro equipo',
    about: 'Llevarse todos los datos a otro servidor, o de SQLite a PostgreSQL.',
    role: 3,
    body: (
      <>
        <h2 id="mudanza-salida">En el equipo de antes</h2>
        <Commands of={LEAVING} />
        <p>
          Después detén el servidor: lo que se capture luego de la copia no va en ella. Copia también el
          archivo <code>secret</code> de la carpeta de datos; sin él hay que restablecer los dobles factores.
        </p>
        <h2 id="mudanza-llegada">En el equipo nuevo</h2>
        <p>
          Instala Saldo, pon <code>secret</code> en su carpeta de datos y, antes de arrancarlo, restaura la
          copia:
        </p>
        <Commands of={ARRIVING} />
        <p>
          La huella debe ser la misma en los dos. Arranca el servidor: todos vuelven a entrar con su
          contraseña de siempre. Guarda la copia hasta el primer respaldo del equipo nuevo.
        </p>
      </>
    ),
  },
];
