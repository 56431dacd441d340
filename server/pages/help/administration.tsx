import { pages } from '../../../shared/urls.ts';
import { SETTING_GROUPS, SETTINGS } from '../../services/settings/definitions.ts';
import type { HelpTopic } from './topic.ts';

/** Who runs the firm's Saldo, and everybody's own page. */
export const ADMINISTRATION: readonly HelpTopic[] = [
  {
    id: 'configuracion',
    title: 'Configuración',
    about: 'Los datos de la empresa, las reglas, los respaldos y el idioma.',
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
    about: 'Cerrar un mes para que ya no cambie, y reabrirlo con un motivo.',
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
    about: 'Dar de alta, cambiar de rol, desactivar y restablecer contraseñas.',
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
    about: 'Quién cambió qué, cuándo y desde dónde.',
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
    about: 'Tu contraseña, tus sesiones, el doble factor y el tema.',
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
