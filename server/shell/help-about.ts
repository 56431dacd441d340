import { catalogs } from '../../shared/catalogs/all.ts';
import { pages } from '../../shared/urls.ts';
import { LISTS } from '../lists/all.ts';

/** The page of the guide about a screen: "/help/facturas". Forms belong to their list's. */
export function helpAbout(path: string): string {
  if (path === pages.results) return pages.helpTopic('resultados');
  const topic = TOPICS.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
  return topic ? pages.helpTopic(topic) : pages.help;
}

const TOPICS: readonly (readonly [start: string, topic: string])[] = [
  [pages.loadInvoice, 'cargar-xml'],
  [pages.newInvoice, 'capturar-factura'],
  ['/editinvoicepage', 'corregir-factura'],
  [pages.newPayment, 'registrar-pago'],
  ['/editpaymentpage', 'registrar-pago'],
  [pages.imports, 'importar'],
  ['/estado-cuenta', 'estado-de-cuenta'],
  [pages.dashboard, 'dashboard'],
  [pages.settings, 'configuracion'],
  [pages.closing, 'cierre'],
  [pages.firstSteps, 'configuracion'],
  [pages.newUser, 'usuarios'],
  [pages.profile, 'perfil'],
  [pages.notices, 'campana'],
  ...LISTS.map(({ page, help }) => [page, help] as const),
  ...catalogs.flatMap(({ paths: { create, edit }, help }) => [
    [create, help] as const,
    [edit, help] as const,
  ]),
];
