import { LOGIN_PATH } from '../loader/paths.ts';

export const TRY_AGAIN_TEXT = 'Intenta de nuevo.';
export const GENERIC_ERROR_TEXT = `Ocurrió un error. ${TRY_AGAIN_TEXT}`;

export const SERVER_ERROR_CAUSE = 'server';

/**
 * Fetches; if the session has ended, goes to the sign-in page, which leads back.
 * @throws an Error with a message in Spanish, or the AbortError of `signal`
 */
export async function fetchOrSignIn(
  address: string,
  signal?: AbortSignal,
  headers?: HeadersInit,
): Promise<Response> {
  const response = await fetch(address, { signal, headers }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Error('No hay conexión con el servidor. Intenta de nuevo.');
  });
  if (response.status === 401 || isSignInPage(response)) {
    // The sign-in leads back to a list that was searched, or to the page that sent a request to the API.
    const returnAddress = address.startsWith('/api/') ? location.pathname + location.search : address;
    location.assign(`${LOGIN_PATH}?next=${encodeURIComponent(returnAddress)}`);
    return new Promise<Response>(() => {}); // never resolves, because the page is being left
  }
  if (!response.ok) {
    const message = await readMessage(response);
    throw new Error(message ?? GENERIC_ERROR_TEXT, { cause: message && SERVER_ERROR_CAUSE });
  }
  return response;
}

/** Without a session, a page redirects to the sign-in, and fetch follows the redirect. */
const isSignInPage = (response: Response) =>
  response.redirected && new URL(response.url).pathname === LOGIN_PATH;

/** The API answers with { message }, a page with an HTML document. */
async function readMessage(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  const message = body && typeof body === 'object' && 'message' in body ? body.message : undefined;
  return typeof message === 'string' && message ? message : undefined;
}
