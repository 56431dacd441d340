import { catalogs } from '../../shared/catalogs/all.ts';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { fold } from '../../shared/text.ts';
import { pages, withQuery } from '../../shared/urls.ts';
import { scoreStemMatch, stemsOf } from '../../shared/word-stems.ts';

/** Address that answers the palette's searches with groups of destinations, as JSON. */
export const PALETTE_SEARCH_PATH = '/paleta';

export interface Destination {
  href: string;
  label: string;
  meta?: string;
  words?: string;
}

export interface DestinationGroup {
  title: string;
  entries: readonly Destination[];
}

interface MenuLink {
  href: string;
  label: string;
  group?: string;
}

export function listDestinations(menuLinks: readonly MenuLink[]): Destination[] {
  const inMenu = new Set(menuLinks.map(({ href }) => pathOf(href)));
  const destinations = new Map<string, Destination>();
  for (const { href, label, group } of menuLinks)
    destinations.set(pathOf(href), {
      href,
      label: toSentenceCase(label),
      meta: group && toSentenceCase(group),
      words: PAGE_WORDS[pathOf(href)],
    });
  for (const [list, href, label, words, meta] of UNLISTED_PAGES)
    if (inMenu.has(list)) destinations.set(href, { href, label, words, meta });
  for (const [href, label] of PAGES_OF_EVERYBODY)
    if (!inMenu.has(href)) destinations.set(href, { href, label, words: PAGE_WORDS[href] });
  return [...destinations.values()];
}

/** Drops the query: the menu's link to a list contains the filter and the order that the user has left there. */
const pathOf = (href: string) => href.split('?')[0]!;

/** Finds entries that contain all typed words, in any of their forms, the best first. */
export function filterDestinations(entries: readonly Destination[], typed: string): Destination[] {
  const text = fold(typed);
  if (!text) return [...entries];
  const scores = new Map(entries.map((entry) => [entry, scoreDestination(entry, text)]));
  return entries
    .filter((entry) => scores.get(entry)! > 0)
    .sort((one, other) => scores.get(other)! - scores.get(one)!);
}

/** A name counts more than the other words for it, and among these, a phrase more than words here and there. */
function scoreDestination({ label, meta = '', words = '' }: Destination, text: string): number {
  const stems = stemsOf(text);
  const matchesIn = (place: string) => stems.map((stem) => scoreStemMatch(place, stem));
  const name = fold(label);
  const inName = matchesIn(name);
  if (stems.length === 0) return 0;
  if (name.startsWith(text)) return 4;
  if (Math.min(...inName) === 1) return 3;
  if (` ${fold(words)}`.includes(` ${text}`)) return 2;
  const worstMatch = Math.min(...matchesIn(fold(`${label} ${meta} ${words}`)));
  return worstMatch && worstMatch + Math.max(...inName) / 2;
}

/** Finds entries with words that differ by a wrong, missing, additional or exchanged letter; long words by two. */
export function guessDestinations(entries: readonly Destination[], typed: string): Destination[] {
  const stems = stemsOf(typed);
  const isIn = (text: string) => {
    const words = fold(text).split(' ');
    return stems.length > 0 && stems.every((stem) => words.some((word) => isMistypedBeginning(stem, word)));
  };
  return entries
    .filter(({ label, meta = '', words = '' }) => isIn(`${label} ${meta} ${words}`))
    .sort((one, other) => Number(isIn(other.label)) - Number(isIn(one.label)));
}

function isMistypedBeginning(stem: string, word: string): boolean {
  const allowed = stem.length < 4 ? 0 : stem.length < 8 ? 1 : 2;
  return [-1, 0, 1].some((more) => countTypos(word.slice(0, stem.length + more), stem) <= allowed);
}

/** The optimal string alignment distance. */
function countTypos(one: string, other: string): number {
  let [before, previous]: number[][] = [[], [...Array(other.length + 1).keys()]];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        previous![column]! + 1,
        current[column - 1]! + 1,
        previous![column - 1]! + Number(!isSame),
        isExchanged ? before![column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, previous] = [previous, current];
  }
  return previous![other.length]!;
}

/** The menu has its groups in capitals, which would stand out too much in a list of names. */
const toSentenceCase = (label: string) =>
  label === label.toUpperCase() ? label.charAt(0) + label.slice(1).toLowerCase() : label;

const CREATE_WORDS = 'crear agregar capturar alta registrar';
const EDIT_WORDS = 'editar corregir cambiar eliminar borrar';

const PAGES_OF_EVERYBODY = [
  [pages.notices, 'Notificaciones'],
  [pages.profile, 'Mi perfil'],
  [pages.secondFactor, 'Doble factor'],
  [pages.help, 'Ayuda'],
] as const;

/** Pages that the menu does not list. `list` is the page in the menu whose readers may open them. */
const UNLISTED_PAGES: readonly (readonly [
  list: string,
  href: string,
  label: string,
  words: string,
  meta?: string,
])[] = [
  [pages.invoices, pages.newInvoice, 'Nueva factura', CREATE_WORDS],
  [
    pages.invoices,
    withQuery(pages.invoices, { status: 'por-pagar' }),
    'Por pagar',
    'cuentas por pagar, cuánto debo, cuánto se debe, lo que se debe, deuda, pendientes',
    'Facturas',
  ],
  [
    pages.invoices,
    withQuery(pages.invoices, { status: 'vencida' }),
    'Vencidas',
    'atrasadas, lo que ya venció',
    'Facturas',
  ],
  [pages.invoices, pages.newCreditNote, 'Nota de crédito', `${CREATE_WORDS} nueva anticipo saldo a favor`],
  [pages.invoices, pages.creditNotes, 'Notas de crédito', 'saldo a favor anticipo'],
  [pages.invoices, pages.loadInvoice, 'Cargar XML', `${CREATE_WORDS} nueva factura cfdi subir`],
  [pages.payments, pages.newPayment, 'Nuevo pago', `${CREATE_WORDS} pagar abono transferencia`],
  [pages.payments, pages.doublePayments, 'Posibles pagos dobles', 'duplicados repetidos dos veces'],
  [
    pages.paymentBatches,
    pages.newPaymentBatch,
    'Programar pagos',
    `${CREATE_WORDS} pagar nueva programación lote`,
  ],
  ...catalogs.map(({ paths, texts }) => [paths.list, paths.create, texts.create, CREATE_WORDS] as const),
  [pages.users, pages.newUser, 'Nuevo usuario', CREATE_WORDS],
  [pages.pettyCash, pages.newPettyCashFund, 'Abrir caja chica', `fondo nueva ${CREATE_WORDS}`],
  [pages.pettyCash, pages.pettyCashAwaited, 'Caja chica por comprobar', 'gastos comprobantes vales'],
  [pages.pettyCash, pages.pettyCashExpenses, 'Gastos de caja chica', ''],
  [pages.invoices, pages.accounts, 'Cuentas bancarias', 'clabe banco confirmar proveedores'],
  [pages.invoices, pages.bankStatements, 'Estados de cuenta del banco', 'conciliar movimientos devueltos'],
  [pages.fiscal, `${pages.fiscal}/rep`, 'REP pendientes', 'complementos recibos de pago', 'Fiscal'],
  [
    pages.fiscal,
    `${pages.fiscal}/cancelados`,
    'Cancelados en el SAT',
    'cancelar factura, cfdi cancelada',
    'Fiscal',
  ],
  [pages.fiscal, `${pages.fiscal}/cruce`, 'Cruce con el SAT', 'metadatos cfdi', 'Fiscal'],
  [pages.fiscal, `${pages.fiscal}/69b`, 'Lista 69-B', '69b efos lista negra', 'Fiscal'],
  [pages.fiscal, `${pages.fiscal}/diot`, 'DIOT', 'iva declaración terceros', 'Fiscal'],
  [pages.fiscal, `${pages.fiscal}/retenciones`, 'Retenciones', 'isr iva', 'Fiscal'],
  [pages.fiscal, `${pages.fiscal}/polizas`, 'Pólizas', 'contabilidad asientos', 'Fiscal'],
];

const PAGE_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(catalogs.map(({ paths }) => [paths.list, EDIT_WORDS])),
  [pages.invoices]: `${EDIT_WORDS} factura`,
  [pages.payments]: `pagos a proveedores realizados cheques transferencias ${EDIT_WORDS} pago`,
  [pages.paymentBatches]: 'programación de pagos autorizar firmar lote viernes',
  [pages.pettyCash]: 'efectivo fondos arqueo contar reposición reponer',
  [pages.balances]: 'saldos por proveedor reporte semanas cuánto debo se debe',
  [pages.results]: 'reporte inicio',
  [pages.cashFlow]: 'flujo de efectivo banco alcanza saldo semanas',
  [pages.budgets]: 'presupuestos partidas rubros ejercer',
  [pages.fiscal]: 'impuestos iva isr sat',
  [pages.imports]: 'excel csv cargar subir tabla',
  [pages.mails]: 'cartas bandeja de salida enviados email',
  [pages.dashboard]: 'tablero dashboard indicadores',
  [pages.settings]: 'ajustes empresa',
  [pages.users]: 'roles permisos contraseñas',
  [jobs.paths.list]: `proyectos ${EDIT_WORDS}`,
  [pages.audit]: 'historial cambios quién',
  [pages.closing]: 'cerrar mes, cerrar el mes, reabrir periodo contador',
  [pages.notices]: 'campana avisos pendientes',
  [pages.profile]:
    'cambiar contraseña, cambiar mi contraseña, cerrar sesión, salir, sesiones cuenta tema oscuro claro, modo oscuro',
  [pages.secondFactor]: 'autenticador seguridad',
  [pages.help]: 'manual atajos teclado',
};
