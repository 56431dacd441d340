import { catalogs } from '../../shared/catalogs/all.ts';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { fold } from '../../shared/text.ts';
import { pages } from '../../shared/urls.ts';
import { containsAllWords } from '../../shared/word-stems.ts';

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
  const others: Destination[] = [
    ...menuLinks.map(({ href, label, group }) => ({
      href,
      label: toSentenceCase(label),
      meta: group && toSentenceCase(group),
      words: PAGE_WORDS[pathOf(href)],
    })),
    ...UNLISTED_PAGES.filter(([list]) => inMenu.has(list)).map(([, href, label, words]) => ({
      href,
      label,
      words,
    })),
    { href: pages.notices, label: 'Notificaciones', words: 'campana avisos pendientes' },
    { href: pages.profile, label: 'Mi perfil', words: 'contraseña sesiones cuenta tema' },
    { href: pages.secondFactor, label: 'Doble factor', words: 'autenticador seguridad' },
    { href: pages.help, label: 'Ayuda', words: PAGE_WORDS[pages.help] },
  ];
  return others.filter(
    ({ href }, index) => others.findIndex((other) => pathOf(other.href) === pathOf(href)) === index,
  );
}

/** Drops the query: the menu's link to a list contains the filter and the order that the user has left there. */
const pathOf = (href: string) => href.split('?')[0]!;

/** Finds entries that contain all typed words, in any of their forms; names that begin with the text come first. */
export function filterDestinations(entries: readonly Destination[], typed: string): Destination[] {
  const text = fold(typed);
  if (!text) return [...entries];
  const beginsWithText = ({ label }: Destination) => fold(label).startsWith(text);
  return entries
    .filter(({ label, meta = '', words = '' }) => containsAllWords(`${label} ${meta} ${words}`, text))
    .sort((a, b) => Number(beginsWithText(b)) - Number(beginsWithText(a)));
}

/** The menu has its groups in capitals, which would stand out too much in a list of names. */
const toSentenceCase = (label: string) =>
  label === label.toUpperCase() ? label.charAt(0) + label.slice(1).toLowerCase() : label;

const CREATE_WORDS = 'crear agregar capturar';

const UNLISTED_PAGES: readonly (readonly [list: string, href: string, label: string, words: string])[] = [
  [pages.invoices, pages.newInvoice, 'Nueva factura', CREATE_WORDS],
  [pages.invoices, pages.newCreditNote, 'Nota de crédito', `${CREATE_WORDS} nueva anticipo saldo a favor`],
  [pages.invoices, pages.creditNotes, 'Notas de crédito', 'saldo a favor anticipo'],
  [pages.invoices, pages.loadInvoice, 'Cargar XML', `${CREATE_WORDS} nueva factura cfdi subir`],
  [pages.payments, pages.newPayment, 'Nuevo pago', `${CREATE_WORDS} registrar abono`],
  [pages.paymentBatches, pages.newPaymentBatch, 'Programar pagos', `${CREATE_WORDS} nueva programación lote`],
  ...catalogs.map(({ paths, texts }) => [paths.list, paths.create, texts.create, CREATE_WORDS] as const),
  [pages.users, pages.newUser, 'Nuevo usuario', CREATE_WORDS],
  [pages.pettyCash, pages.newPettyCashFund, 'Abrir caja chica', 'fondo'],
  [pages.pettyCash, pages.pettyCashAwaited, 'Caja chica por comprobar', 'gastos comprobantes vales'],
  [pages.pettyCash, pages.pettyCashExpenses, 'Gastos de caja chica', ''],
  [pages.invoices, pages.accounts, 'Cuentas bancarias', 'clabe banco confirmar'],
  [pages.invoices, pages.bankStatements, 'Estados de cuenta del banco', 'conciliar movimientos devueltos'],
];

const PAGE_WORDS: Readonly<Record<string, string>> = {
  [pages.payments]: 'pagos a proveedores realizados cheques',
  [pages.paymentBatches]: 'programación de pagos autorizar firmar lote viernes',
  [pages.balances]: 'saldos por proveedor reporte semanas',
  [pages.results]: 'reporte inicio',
  [pages.cashFlow]: 'flujo de efectivo banco alcanza saldo semanas',
  [pages.budgets]: 'presupuestos partidas rubros ejercer',
  [pages.doublePayments]: 'duplicados repetidos dos veces cheque',
  [pages.mails]: 'cartas bandeja de salida enviados email',
  [pages.dashboard]: 'tablero',
  [pages.settings]: 'ajustes empresa',
  [pages.users]: 'roles contraseñas',
  [jobs.paths.list]: 'proyectos',
  [pages.audit]: 'historial cambios quién',
  [pages.closing]: 'cerrar reabrir periodo contador',
  [pages.help]: 'manual atajos teclado',
};
