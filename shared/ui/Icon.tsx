/**
 * Icons are drawn on a grid of 24, strokes only; the stylesheet sets stroke and size. `load` uploads a file, `export`
 * downloads one, `file` creates one, `attach` and `camera` choose one, `pay` pays, `calendar` plans a payment.
 */
const CONTROL_ICONS = {
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  close: 'M6 6l12 12M18 6L6 18',
  chevron: 'M9 5l7 7-7 7',
  warning: 'M12 4L2.5 20h19zM12 10v5M12 17.5h.01',
  check: 'M4 12.5l5 5L20 6.5',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v6M12 7.5h.01',
} as const;

const PAGE_ICONS = {
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  'sort-asc': 'M12 19V5M6 11l6-6 6 6',
  'sort-desc': 'M12 5v14M6 13l6 6 6-6',
  invoice: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  payment: 'M3 6h18v12H3zM3 10h18M7 14h4',
  cash: 'M4 8h16v12H4zM4 8l3-4h10l3 4M12 12v4M10 14h4',
  lists: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  client: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.6-4 3.8-6 8-6s7.4 2 8 6',
  job: 'M3 21h18M6 21V8l7-4v17M13 10h5v11M9 11h1M9 15h1',
  supplier:
    'M2 6h12v11H2zM14 10h4l4 4v3h-8M6.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  rubro: 'M3 12V4h8l10 10-7.5 7.5zM7.5 8h.01',
  fund: 'M3 10l9-6 9 6M3 20h18M6 10v7M10 10v7M14 10v7M18 10v7',
  report: 'M5 3h10l4 4v14H5zM9 17v-4M12 17V9M15 17v-2',
  budget: 'M12 3v9h9M21 12a9 9 0 1 1-9-9 9 9 0 0 1 9 9zM12 12l-6.3 6.3',
  flow: 'M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4',
  tax: 'M5 3h14v18H5zM15 8l-6 8M9.5 9h.01M14.5 15h.01',
  results: 'M3 20h18M4 15l5-5 4 3 7-8M15 5h5v5',
  balance: 'M12 4v16M7 20h10M5 7h14M5 7l-3 7h6zM19 7l-3 7h6z',
  dashboard: 'M3 17a9 9 0 1 1 18 0M12 17l4-6M3 20h18',
  admin: 'M12 3l8 3v6c0 4.5-3.3 7.6-8 9-4.7-1.4-8-4.5-8-9V6zM9 12l2 2 4-4',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  users:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 20c.5-3.7 3-5.5 7-5.5s6.5 1.8 7 5.5M16 3.5a4 4 0 0 1 0 7M18.5 15c2 .7 3.2 2.4 3.5 5',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 17h.01',
  bell: 'M6 16V10a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  user: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6.5 18.5c1-2 3-3 5.5-3s4.5 1 5.5 3',
  logout: 'M10 4H4v16h6M9 12h12M17 8l4 4-4 4',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4',
  pay: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM14.8 9.2c-.4-1-1.4-1.5-2.8-1.5-1.6 0-2.7.8-2.7 2.1 0 3 5.6 1.4 5.6 4.4 0 1.3-1.2 2.1-2.9 2.1-1.5 0-2.6-.6-3-1.7M12 6v12',
  export: 'M12 4v11M8 11l4 4 4-4M4 14v6h16v-6',
  load: 'M6 3h8l4 4v14H6zM14 3v4h4M12 18v-7M9 14l3-3 3 3',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  attach: 'M19 11.5l-7.2 7.2a4.6 4.6 0 0 1-6.5-6.5l8-8a3 3 0 0 1 4.3 4.3l-7.8 7.8a1.5 1.5 0 0 1-2.1-2.1l7-7',
  camera: 'M3 8h4l2-3h6l2 3h4v12H3zM12 17.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  history: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4l3 2',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  lock: 'M5 11h14v10H5zM8 11V7.5a4 4 0 0 1 8 0V11M12 15v2.5',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
} as const;

export type IconName = keyof typeof CONTROL_ICONS | keyof typeof PAGE_ICONS;

/** Islands use only the controls, so browsers do not load the other drawings. */
const DRAWING_BY_NAME = (import.meta.env.SSR ? { ...CONTROL_ICONS, ...PAGE_ICONS } : CONTROL_ICONS) as Record<
  IconName,
  string
>;

export const isIconName = (name: string): name is IconName => Object.hasOwn(DRAWING_BY_NAME, name);

/** Screen readers skip icons, because an icon is always next to a text or in a control with a name. */
export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg className={`icon ${className}`.trim()} viewBox="0 0 24 24" aria-hidden="true">
      <path d={DRAWING_BY_NAME[name]} />
    </svg>
  );
}
