import { DomainError } from '../../shared/errors.ts';
import { confirmPassword, isConfirmed } from '../services/users/passwords.ts';
import { type AppContext, clientAddress, requireSession } from './session.ts';

export const needsPassword = (c: AppContext): boolean => !isConfirmed(requireSession(c), c.get('now'));

/**
 * Guards a change that somebody at an unattended screen, or with a stolen session, must not make: it asks for the
 * user's own password again, unless it was given a moment ago. A password that is sent anyway has to be right.
 * @param password as the request has it, or nothing
 * @throws DomainError forbidden (reauthentication_required), invalid (wrong), too-many
 */
export async function requireConfirmation(c: AppContext, password: string | undefined): Promise<void> {
  if (!password) {
    if (!needsPassword(c)) return;
    const message = 'Escribe tu propia contraseña para confirmar.';
    throw new DomainError('forbidden', message, {
      code: REAUTHENTICATION,
      fields: { currentpassword: message },
    });
  }
  const session = requireSession(c);
  const at = c.get('now');
  await confirmPassword(c.get('deps').db, session, { password, address: clientAddress(c), at });
  c.set('session', { ...session, confirmedAt: at });
}

export const REAUTHENTICATION = 'reauthentication_required';
