import { catalogs } from '../../shared/catalogs/all.ts';
import type { Area } from '../../shared/roles.ts';
import { pages } from '../../shared/urls.ts';
import { reports } from '../lists/reports.ts';

export interface MenuEntry {
  label: string;
  icon: string;
  area: Area;
  href?: string;
  entries?: readonly MenuEntry[];
}

interface PlacedEntry extends MenuEntry {
  place: number;
}

const sortMenuEntries = (entries: PlacedEntry[]): MenuEntry[] =>
  entries.sort((one, other) => one.place - other.place).map(({ place: _place, ...entry }) => entry);

/** The order and the words are those of the specification. Users see only entries that they may open. */
export const menu: readonly MenuEntry[] = [
  { label: 'FACTURAS', icon: 'invoice', area: 'work', href: pages.invoices },
  { label: 'PAGOS A PROV.', icon: 'payment', area: 'work', href: pages.payments },
  { label: 'PROGRAMACIÓN', icon: 'calendar', area: 'work', href: pages.paymentBatches },
  { label: 'CAJA CHICA', icon: 'cash', area: 'work', href: pages.pettyCash },
  {
    label: 'LISTAS',
    icon: 'lists',
    area: 'work',
    entries: [
      ...sortMenuEntries(
        catalogs.map(({ texts, paths, menu: place }) => ({
          label: texts.list,
          area: 'work',
          href: paths.list,
          ...place,
        })),
      ),
      { label: 'Importar', icon: 'load', area: 'work', href: pages.imports },
    ],
  },
  {
    label: 'REPORTES',
    icon: 'report',
    area: 'work',
    entries: [
      ...sortMenuEntries(
        reports.flatMap(({ menu: place, area, page }) => (place ? [{ area, href: page, ...place }] : [])),
      ),
      { label: 'Fiscal', icon: 'tax', area: 'fiscal', href: pages.fiscal },
    ],
  },
  { label: 'DASHBOARD', icon: 'dashboard', area: 'dashboard', href: pages.dashboard },
  {
    label: 'ADMIN',
    icon: 'admin',
    area: 'mail',
    entries: [
      { label: 'Configuración', icon: 'settings', area: 'admin', href: pages.settings },
      { label: 'Cierre de mes', icon: 'lock', area: 'admin', href: pages.closing },
      { label: 'Administrar usuarios', icon: 'users', area: 'admin', href: pages.users },
      { label: 'Correos', icon: 'mail', area: 'mail', href: pages.mails },
      { label: 'Bitácora', icon: 'history', area: 'admin', href: pages.audit },
    ],
  },
  { label: 'AYUDA', icon: 'help', area: 'helpMenu', href: pages.help },
];
