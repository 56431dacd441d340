import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { DomainError } from '../../shared/errors.ts';
import { type AppContext, type AppEnv, readsSession } from './session.ts';

/** JSON and forms. */
const BODY_LIMIT = 256 * 1024;

/** Where files are taken: these routes bound what they read themselves (server/http/uploads.ts), so that their pages answer. */
const TAKES_FILES: readonly RegExp[] = [
  /^\/importar\/?$/,
  /^\/new-invoice\/xml\/?$/,
  /^\/editinvoicepage\/\d+\/adjuntos\/?$/,
  /^\/admin-settings\/(logo|plantillas)\/?$/,
  /^\/caja-chica\/(\d+\/(nuevo-movimiento|leer-xml)|movimientos\/\d+(\/(leer-xml|adjuntos))?)\/?$/,
  /^(\/api)?\/programaciones\/estados-de-cuenta\/cargar\/?$/,
];

/** Who is not signed in has an address and a password to send. */
const GUEST_BODY_LIMIT = 16 * 1024;

/**
 * Every address of ours is made of plain names, so nothing has to be decoded, folded or taken apart: a path
 * with %2F, "..", "//", ";" or a backslash is nobody's.
 */
const isPlainPath = (path: string): boolean => /^\/(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\/?)?$/.test(path);

/** Looks at the path as it was sent; the URL that the application sees has its dots folded already. */
export const refusesOddPaths: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (isPlainPath(sentPath(c))) return next();
  await readsSession(c, async () => {}); // whoever is signed in keeps the menu
  throw new DomainError('not-found', 'No existe esta página.');
};

/** What says that it is too large is refused before anything is looked up or read. */
export const refusesLargeBodies: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isBounded = !(takesFiles(c) && namesSession(c));
  if (isBounded && Number(c.req.header('content-length') ?? 0) > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
  await next();
};

/** What does not say how large it is is read no further than the bound, and by those who may ask at all. */
export const boundsBodies: MiddlewareHandler<AppEnv> = (c, next) => {
  if (isWithoutBody(c)) return next();
  if (!c.get('session')) return boundsGuests(c, next);
  return takesFiles(c) ? next() : boundsUsers(c, next);
};

/** Nobody reads a body of these, and to look for one would make a whole request of it. */
const isWithoutBody = (c: AppContext) => c.req.method === 'GET' || c.req.method === 'HEAD';

const bounds = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw tooLarge(maxSize);
    },
  });

const boundsUsers = bounds(BODY_LIMIT);
const boundsGuests = bounds(GUEST_BODY_LIMIT);

const tooLarge = (limit: number) => new DomainError('too-large', `La solicitud pasa de ${limit / 1024} KB.`);

const takesFiles = (c: AppContext) =>
  c.req.method === 'POST' && TAKES_FILES.some((path) => path.test(c.req.path));

/** Whether the session is one is not known yet; who names none sends no files. */
const namesSession = (c: AppContext) =>
  ['cookie', 'authorization', 'x-access-token'].some((name) => c.req.header(name) !== undefined);

function sentPath(c: AppContext): string {
  const { incoming } = (c.env ?? {}) as { incoming?: { url?: string } };
  const target = incoming?.url ?? c.req.url;
  // Proxies may send the whole address.
  return target.replace(/^https?:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '') || '/';
}
