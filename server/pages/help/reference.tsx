import type { ReactNode } from 'react';
import { keysOf, SHORTCUTS } from '../../../islands/keyboard/shortcuts.ts';
import { StatusChip, type StatusName } from '../../../shared/ui/Chip.tsx';
import { pages } from '../../../shared/urls.ts';
import { Changes } from './changes.tsx';
import { Commands, RECIPES } from './commands.tsx';
import { ErrorCatalogue } from './errors.tsx';
import type { HelpTopic } from './topic.ts';

const STATUS_TEXTS: readonly [StatusName, string][] = [
  ['pagada', 'No queda nada pendiente.'],
  ['vencida', 'Queda saldo y el día en que vence ya pasó.'],
  ['parcial', 'Vence hoy o después y ya tiene algún pago.'],
  ['pendiente', 'Vence hoy o después y no tiene pagos.'],
];

/** What holds on every screen. */
export const REFERENCE: readonly HelpTopic[] = [
  {
    id: 'filtros',
    title: 'Buscar y filtrar',
    about: 'Cómo buscan las listas, y cómo se comparte un filtro.',
    body: (
      <>
        <p>
          Las listas buscan mientras escribes, en cualquier parte del texto y sin distinguir mayúsculas ni
          acentos. <b>Cargar más</b> trae las filas que siguen.
        </p>
        <p>
          La dirección del navegador guarda el filtro y el orden: puedes ponerla en favoritos o enviarla a un
          compañero. Al guardar un formulario, o al usar <b>Regresar</b>, vuelves a la lista como la dejaste.
        </p>
      </>
    ),
  },
  {
    id: 'importes',
    title: 'Escribir importes',
    about: 'Un importe puede ser una cuenta.',
    body: (
      <p>
        Un importe se escribe con o sin <code>$</code> y comas. También puede ser una cuenta, con{' '}
        <code>+</code>, <code>-</code>, <code>*</code>, <code>/</code> y paréntesis: <code>1200*3+50</code>{' '}
        queda en <code>3650.00</code> al salir del campo.
      </p>
    ),
  },
  {
    id: 'elegir',
    title: 'Elegir proveedor, obra, rubro u origen',
    about: 'El campo en que se escribe parte de un nombre.',
    body: (
      <>
        <p>
          Escribe parte del nombre en el campo: abajo aparecen los que coinciden, primero los que empiezan
          así. <code>Enter</code> toma el marcado y sigue con el campo siguiente; las flechas marcan otro;{' '}
          <code>Esc</code> devuelve lo que había. Una factura se busca por su número, su proveedor o su
          importe.
        </p>
        <p>
          <b>Seleccionar…</b> o <b>Ver la lista completa…</b> abre el diálogo con filtro y orden. Lo que
          todavía no existe se da de alta ahí mismo con <b>Nuevo proveedor</b>, <b>Nueva obra</b> y los demás,
          sin perder lo escrito en el formulario. La × deja el campo vacío.
        </p>
        <p>
          Lo que Saldo propone lleva un borde punteado y lo dice abajo, hasta que sigues adelante, lo cambias
          o lo borras: la obra y el rubro cuando las tres últimas facturas de un proveedor coinciden, y en un
          pago nuevo todo lo que se debe.
        </p>
      </>
    ),
  },
  {
    id: 'borradores',
    title: 'Lo escrito no se pierde',
    about: 'Qué pasa con un formulario a medio escribir.',
    body: (
      <p>
        Lo que escribes en un formulario se conserva en esta pestaña hasta que lo guardas, aunque se corte la
        conexión, se recargue la página o termine la sesión. Al volver se lee «Se recuperó lo que habías
        escrito.» y puedes seguir. Al cerrar la sesión o la pestaña se borra. Las contraseñas no se conservan.
      </p>
    ),
  },
  {
    id: 'exportar',
    title: 'Exportar e imprimir',
    about: 'PDF, Excel, CSV y JSON, y lo que sale en papel.',
    body: (
      <>
        <p>
          <b>Exportar</b> entrega la lista o el reporte completo con el filtro puesto, no solo las filas a la
          vista. <b>Otros formatos</b>, a su lado, ofrece los cuatro: PDF, Excel (XLSX), CSV y JSON. El CSV de
          una lista se puede volver a importar.
        </p>
        <p>
          Imprimir desde el navegador deja fuera el menú, los botones y las columnas vacías, y pone el filtro
          y el momento en el papel. Sale siempre en claro. Se imprime lo que está a la vista: usa antes{' '}
          <b>Cargar más</b>, o exporta.
        </p>
      </>
    ),
  },
  {
    id: 'campana',
    title: 'La campana',
    about: 'Los avisos de lo que vence, y cómo posponerlos.',
    body: (
      <p>
        Dice qué facturas están vencidas y cuáles vencen esta semana, con lo que queda por pagar de ellas; qué
        facturas por pagar se parecen a otra, qué REP ya debieron llegar y, a los administradores, si falta un
        respaldo o cerrar el mes. <b>Posponer</b> calla un aviso hasta mañana, o hasta que haya algo nuevo que
        avisar; <a href={pages.notices}>Ver todas</a> muestra también lo pospuesto. Su número cuenta solo lo
        nuevo desde la última vez que la abriste: lo que venció o entró en la semana, y lo que se capturó
        desde entonces.
      </p>
    ),
  },
  {
    id: 'estados',
    title: 'Los estados de una factura',
    about: 'Pagada, Vencida, Parcial o Pendiente: qué significa cada uno.',
    body: (
      <>
        <p>El estado se calcula cada día; nadie lo escribe. Vale el primero que se cumple:</p>
        <Terms
          terms={STATUS_TEXTS.map(([status, meaning]) => [
            <StatusChip key={status} status={status} />,
            meaning,
          ])}
        />
        <p>
          El día en que vence es su fecha de vencimiento. Si no la tiene se estima: la recepción (si falta, la
          emisión) más los días de crédito del proveedor; sin esas fechas, el día en que se capturó. El filtro{' '}
          <b>Sin vencimiento</b> da las que tienen saldo y no traen su fecha.
        </p>
        <p>Una factura que vence en los próximos siete días se marca en ámbar.</p>
      </>
    ),
  },
  {
    id: 'corte',
    title: 'El corte',
    about: 'Ver las cifras como eran al terminar un día.',
    body: (
      <>
        <p>
          El corte es el día al que se refieren las cifras. Con corte al 31 de octubre ves lo que se debía al
          terminar ese día, aunque después se haya pagado.
        </p>
        <ul>
          <li>Cuentan los pagos con fecha de ese día o anterior.</li>
          <li>
            Cuentan las facturas emitidas ese día o antes. Si una no tiene fecha de emisión, cuenta el día en
            que se capturó.
          </li>
          <li>Sin corte, las cifras son las de hoy.</li>
        </ul>
        <p>
          Lo tienen <a href={pages.balances}>Saldo por proveedor</a> y <a href={pages.invoices}>Facturas</a>.
          Con el mismo corte y los mismos filtros, los dos dan el mismo total pendiente.
        </p>
      </>
    ),
  },
  {
    id: 'teclado',
    title: 'El teclado',
    about: 'Todas las teclas que hacen algo.',
    body: (
      <>
        <Terms
          terms={SHORTCUTS.map(([keys, does]) => [
            <span key={does} className="actions">
              {keysOf(keys).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>,
            does,
          ])}
        />
        <p>
          Con <kbd>Ctrl K</kbd> basta escribir parte de un nombre. Del filtro de una lista, <kbd>↓</kbd> baja
          a la primera fila.
        </p>
      </>
    ),
  },
  {
    id: 'terminal',
    title: 'Desde la terminal',
    about: 'La orden saldo, en el servidor.',
    role: 3,
    body: (
      <>
        <p>
          En el servidor, la orden <code>saldo</code> trabaja con la misma base de datos que las pantallas,
          también mientras están en uso.
        </p>
        <Commands of={RECIPES} />
        <p>
          <code>--as</code> dice en nombre de qué usuario se hace el cambio. <code>--json</code> responde para
          otros programas.
        </p>
      </>
    ),
  },
  {
    id: 'errores',
    title: 'Mensajes de error',
    about: 'Cada mensaje y cada código: qué pasó y qué hacer.',
    body: <ErrorCatalogue />,
  },
  {
    id: 'novedades',
    title: 'Qué cambió',
    about: 'Lo nuevo de cada versión.',
    body: <Changes />,
  },
];

function Terms({ terms }: { terms: readonly (readonly [term: ReactNode, meaning: string])[] }) {
  return (
    <dl className="terms">
      {terms.map(([term, meaning]) => (
        <div key={meaning}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
