import { createHmac } from 'node:crypto';
import { getCookie, setCookie, setSignedCookie } from 'hono/cookie';
import { DomainError } from '../../shared/errors.ts';
import { normalizeLoginName } from '../../shared/text.ts';
import { trustDevice } from '../services/session/second-factor.ts';
import { signOut } from '../services/session/session.ts';
import {
  type OpenedSession,
  type SecondFactorChallenge,
  signIn,
  signInByCode,
} from '../services/session/sign-in.ts';
import {
  type AppContext,
  clearSessionCookie,
  cookieOptions,
  hostCookieName,
  readClientAddress,
  readSignedCookie,
} from './session.ts';

/** After a correct password the user has so many seconds to type the code. */
const CHALLENGE_SECONDS = 600;

/** Signs in, and ends the request's previous session. @throws DomainError as `signIn` does */
export function signInFromRequest(
  c: AppContext,
  { login, password, code }: { login: string; password: string; code?: string },
): Promise<OpenedSession | { challenge: SecondFactorChallenge }> {
  return runAndLogSignIn(c, login, async () => {
    const { db, auth, config } = c.get('deps');
    const device = getCookie(c, hostCookieName(config, DEVICE_COOKIE));
    const outcome = await signIn(db, auth, { login, password, device, ...readClientInfo(c) });
    if (!('challenge' in outcome)) return outcome;
    return code ? await signInByCode(db, auth, { ...outcome, code, ...readClientInfo(c) }) : outcome;
  });
}

/**
 * Signs in on a page in a second step, after `setChallengeCookie`.
 * @param remember trusts this device, so that no code is asked for on it for a while
 * @throws DomainError unauthenticated (wrong code; no challenge), too-many
 */
export async function signInByCodeFromRequest(
  c: AppContext,
  { code, remember }: { code: string; remember: boolean },
): Promise<OpenedSession> {
  const challenge = readChallengeCookie(c);
  if (!challenge) throw new DomainError('unauthenticated', 'Escribe otra vez tu contraseña.');
  const { db, auth, config } = c.get('deps');
  const outcome = await runAndLogSignIn(c, `#${challenge.userId}`, () =>
    signInByCode(db, auth, { challenge, code, ...readClientInfo(c) }),
  );
  setCookie(c, hostCookieName(config, CHALLENGE_COOKIE), '', { ...cookieOptions(config), maxAge: 0 });
  if (remember) {
    const { device, seconds } = await trustDevice(db, challenge.userId, c.get('now'));
    setCookie(c, hostCookieName(config, DEVICE_COOKIE), device, {
      ...cookieOptions(config),
      maxAge: seconds,
    });
  }
  return outcome;
}

const CHALLENGE_COOKIE = 'saldo-codigo';
const DEVICE_COOKIE = 'saldo-equipo';

export async function setChallengeCookie(
  c: AppContext,
  { userId, passwordFingerprint }: SecondFactorChallenge,
): Promise<void> {
  const { config } = c.get('deps');
  const until = c.get('now').getTime() + CHALLENGE_SECONDS * 1000;
  const options = { ...cookieOptions(config), maxAge: CHALLENGE_SECONDS };
  const value = `${userId}.${until}.${passwordFingerprint}`;
  await setSignedCookie(c, hostCookieName(config, CHALLENGE_COOKIE), value, config.secret, options);
}

export function readChallengeCookie(c: AppContext): SecondFactorChallenge | undefined {
  const { config } = c.get('deps');
  const value = readSignedCookie(c, hostCookieName(config, CHALLENGE_COOKIE), config.secret) ?? '';
  const [userId, until, mark = ''] = value.split('.');
  return Number(until) > c.get('now').getTime()
    ? { userId: Number(userId), passwordFingerprint: mark }
    : undefined;
}

const readClientInfo = (c: AppContext) => ({
  address: readClientAddress(c),
  userAgent: c.req.header('user-agent') ?? '',
  at: c.get('now'),
});

async function runAndLogSignIn<T extends OpenedSession | { challenge: SecondFactorChallenge }>(
  c: AppContext,
  login: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const { db, config } = c.get('deps');
  try {
    const outcome = await attempt();
    if ('challenge' in outcome) return outcome;
    c.set('event', 'sign-in');
    c.set('signedIn', outcome.userId);
    const previous = c.get('session');
    if (previous) await signOut(db, previous.token);
    return outcome;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unauthenticated') c.set('event', 'sign-in-failed');
    if (error instanceof DomainError && error.kind === 'too-many') c.set('event', 'sign-in-locked');
    if (error instanceof DomainError) c.set('triedAccount', hashLogin(config.secret, login));
    throw error;
  }
}

/** A keyed hash, so that the log groups attempts at one account without revealing its name. */
const hashLogin = (secret: string, login: string): string =>
  createHmac('sha256', secret)
    .update(`log:${normalizeLoginName(login)}`)
    .digest('base64url')
    .slice(0, 16);

export async function signOutFromRequest(c: AppContext): Promise<void> {
  const session = c.get('session');
  if (session) {
    await signOut(c.get('deps').db, session.token);
    c.set('event', 'sign-out');
  }
  clearSessionCookie(c);
}
