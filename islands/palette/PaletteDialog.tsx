import { openModal } from '../hooks/modal.tsx';
import { pagesOf } from './destinations.ts';
import { PaletteSearch } from './PaletteSearch.tsx';

/** Opens the palette; `typed` is what was typed while it was on its way. */
export function openPalette(typed: () => string): void {
  const entries = pagesOf(menuLinks());
  void openModal({
    look: 'modal',
    dialog: { className: 'dialog command', 'aria-label': 'Ir a…' },
    content: (close) => <PaletteSearch entries={entries} typed={typed} onClose={() => close(null)} />,
  });
}

/** The sidebar holds what the user may enter, and nothing else. */
function menuLinks() {
  return [...document.querySelectorAll<HTMLAnchorElement>('#menu a[href]')].map((link) => ({
    href: link.getAttribute('href') ?? '',
    label: link.textContent?.trim() ?? '',
    group: link.closest('details')?.querySelector('summary')?.textContent?.trim(),
  }));
}
