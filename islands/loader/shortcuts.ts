import { HELP_PATH } from './paths.ts';

/** The help lists these keys from here. */
export const SHORTCUTS: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl K', 'Ir a una pantalla, un proveedor, una factura, un pago, una ayuda…'],
  ['/', 'Ir al filtro de la lista'],
  ['n', 'Crear uno nuevo'],
  ['↑ ↓ j k', 'Entrar a la tabla, moverse entre sus filas y salir por arriba'],
  ['x', 'Marcar la fila para pagarla; con Mayús, desde la última marcada'],
  ['Enter', 'Abrir lo que tiene el foco'],
  ['Ctrl Enter', 'Guardar el formulario'],
  ['Ctrl Mayús Enter', 'Guardar y empezar otro'],
  ['Esc', 'Cerrar un diálogo o salir del filtro'],
  ['?', 'Ver estos atajos'],
];

export const splitKeys = (keys: string): string[] => (keys.startsWith('Ctrl') ? [keys] : keys.split(' '));

export function showShortcuts(): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog';
  dialog.setAttribute('aria-labelledby', 'shortcuts');
  dialog.innerHTML = `<div class="dialog-head"><h2 id="shortcuts">Atajos de teclado</h2></div>
<div class="dialog-body"><dl class="keys">${SHORTCUTS.map(
    ([keys, does]) =>
      `<div><dt>${splitKeys(keys)
        .map((key) => `<kbd>${key}</kbd>`)
        .join(' ')}</dt><dd>${does}</dd></div>`,
  ).join('')}</dl></div>
<form method="dialog"><div class="dialog-foot"><p><a href="${HELP_PATH}/teclado">El teclado, en la ayuda</a></p><button class="btn" autofocus>Cerrar</button></div></form>`;
  document.body.append(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close()); // a click outside of the dialog closes it
  dialog.showModal();
}
