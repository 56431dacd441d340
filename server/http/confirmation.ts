import { DomainError } from '../../shared/errors.ts';
import { confirmPassword, isPasswordConfirmed } from '../services/users/passwords.ts';
import { type AppContext, readClientAddress, requireSession } from './session.ts';

export const needsPasswordConfirmation = (c: AppContext): boolean =>
  !isPasswordConfirmed(requireSession(c), c.get('now'));

/**
 * Requires the user's own password again, unless it was given a moment ago, for changes that nobody must make from an
 * unattended screen or with a stolen session. A password that is sent without being required is checked too.
 * @param password as sent; undefined or empty where the request has none
 * @throws DomainError forbidden (reauthentication_required), invalid (wrong), too-many
 */
export async function requirePasswordConfirmation(
  c: AppContext,
  password: string | undefined,
): Promise<void> {
  if (!password) {
    if (!needsPasswordConfirmation(c)) return;
    const message = 'Escribe tu propia contraseña para confirmar.';
    throw new DomainError('forbidden', message, {
      code: REAUTHENTICATION_CODE,
      fields: { currentpassword: message },
    });
  }
  const session = requireSession(c);
  const at = c.get('now');
  await confirmPassword(c.get('deps').db, session, { password, address: readClientAddress(c), at });
  c.set('session', { ...session, confirmedAt: at });
}

export const REAUTHENTICATION_CODE = 'reauthentication_required';
