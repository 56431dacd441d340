import { hideDismissedAlerts } from './loader/alerts.ts';
import { guardSubmits } from './loader/busy.ts';
import { mirrorUser } from './loader/session.ts';

// What every page needs, and all that the sign-in page has.
mirrorUser();
guardSubmits();
hideDismissedAlerts();

// Only a refused form has something to mend.
if (document.querySelector('.field-error'))
  void import('./loader/mending.ts').then(({ followMending }) => followMending());
