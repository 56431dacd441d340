import { createHmac } from 'node:crypto';
import { DomainError } from '../../shared/errors.ts';
import { normalizeAccount } from '../../shared/text.ts';
import { signIn, signOut } from '../services/session/session.ts';
import { type AppContext, clearSessionCookie, clientAddress } from './session.ts';

/**
 * Signs in whoever asks, from a page or a program, and ends the session that they came with.
 * @returns the new session's token
 * @throws DomainError as `signIn` does
 */
export async function signInFrom(
  c: AppContext,
  { login, password }: { login: string; password: string },
): Promise<{ token: string; userId: number }> {
  const { db, auth, config } = c.get('deps');
  try {
    const signedIn = await signIn(db, auth, {
      login,
      password,
      address: clientAddress(c),
      userAgent: c.req.header('user-agent') ?? '',
      at: c.get('now'),
    });
    c.set('event', 'sign-in');
    c.set('signedIn', signedIn.userId);
    const former = c.get('session');
    if (former) await signOut(db, former.token);
    return signedIn;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unauthenticated') c.set('event', 'sign-in-failed');
    if (error instanceof DomainError && error.kind === 'too-many') c.set('event', 'sign-in-locked');
    if (error instanceof DomainError) c.set('triedAccount', accountMark(config.secret, login));
    throw error;
  }
}

/** Tells the tries at one name apart from others', and nobody without the secret which name it is. */
const accountMark = (secret: string, login: string): string =>
  createHmac('sha256', secret)
    .update(`log:${normalizeAccount(login)}`)
    .digest('base64url')
    .slice(0, 16);

/** Ends the session that a request came with, if it came with one, and takes its cookie back. */
export async function signOutFrom(c: AppContext): Promise<void> {
  const session = c.get('session');
  if (session) {
    await signOut(c.get('deps').db, session.token);
    c.set('event', 'sign-out');
  }
  clearSessionCookie(c);
}
