import { preventDoubleSubmits } from './loader/busy.ts';
import { copyUserToStorage } from './loader/session.ts';

copyUserToStorage();
preventDoubleSubmits();
hideAlertsOnDismiss();

if (document.querySelector('.field-error'))
  void import('./loader/revalidation.ts').then(({ revalidateOnChange }) => revalidateOnChange());

/** [data-dismiss] hides its alert instead of removing it, since it may belong to an island's React tree. */
function hideAlertsOnDismiss(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('[data-dismiss]');
    const alert = button?.closest<HTMLElement>('[role=alert], [role=status], .alert');
    if (alert) alert.hidden = true;
  });
}
