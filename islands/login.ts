import { hideDismissedAlerts } from './loader/alerts.ts';
import { guardSubmits } from './loader/busy.ts';
import { followMending } from './loader/mending.ts';
import { mirrorUser } from './loader/session.ts';

// What every page needs, and all that the sign-in page has.
mirrorUser();
guardSubmits();
hideDismissedAlerts();
followMending();
