// [data-part] marks elements that only a few pages have. Each kind has a module of its own.
if (document.querySelector('main[data-part]')) import('./announcements.ts');
// Where rows are selected already, the focus goes to their sum: it is always in sight, and Ctrl+Enter submits them.
if (document.activeElement === document.body)
  document.querySelector<HTMLElement>('form[data-part] .selection > output')?.focus({ preventScroll: true });
if (document.querySelector('[data-also]')) import('./letters.ts');
if (document.querySelector('[data-balances]')) import('./balances.ts');
if (document.querySelector('[data-code]')) import('../photos/qrCodeButton.ts');
if (document.querySelector('[data-photo]')) import('../photos/shrink.ts');
if (document.querySelector('[capture]')) import('../photos/thumbnail.ts');
if (document.querySelector('[data-documents]')) import('../documents/panel.ts');

export {};
