import { onFirstUse } from './first-use.ts';

/** form[data-results], the filter above a list, searches while it is filled in (hooks/results.ts). */
export function startFilters(): void {
  // Ahead of the first keystroke, which should not wait for it.
  if (document.querySelector(FILTER)) onFirstUse(() => void loadSearch().catch(() => {}));
  for (const type of ['input', 'submit']) {
    addEventListener(type, (event) => {
      const control = event.target as HTMLInputElement;
      const form = control.closest<HTMLFormElement>(FILTER);
      if (!form || event.defaultPrevented) return;
      event.preventDefault();
      const isTyping = type === 'input' && control.type === 'search';
      loadSearch().then(
        ({ searchFrom }) => searchFrom(form, isTyping),
        () => isTyping || form.submit(), // as without script
      );
    });
  }
}

const FILTER = 'form[data-results]';

const loadSearch = () => import('../hooks/results.ts');
