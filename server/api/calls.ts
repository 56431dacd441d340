import { Hono } from 'hono';
import { z } from 'zod';
import type { Db } from '../../db/schema.ts';
import { DomainError } from '../../shared/errors.ts';
import { ADMIN_ROLE, describeMissingPrivileges } from '../../shared/roles.ts';
import { ID_SEGMENT, readJson, readOptionalJson, writeOnce } from '../http/request.ts';
import { sendJson } from '../http/send.ts';
import { type AppContext, type AppEnv, actorOf, type Deps, requireSession } from '../http/session.ts';
import type { Filter } from '../lists/filter.ts';
import type { Actor } from '../services/audit/audit.ts';
import { requireApprover } from '../services/payment-batches/stages.ts';
import type { Answer } from '../shapes/answers.ts';
import { motivoField, parseId, parseQuery, parseShape, textField } from '../shapes/fields.ts';
import { type Description, wrapWithDescription } from './call-descriptions.ts';
import { answerList, defineListCall, type ListCall } from './lists.ts';

export const ROW_PATH = `/${ID_SEGMENT}`;

type CallTexts = Pick<Description, 'summary' | 'text' | 'problems'> & Partial<Pick<Description, 'returns'>>;

interface CallHandler {
  run(c: AppContext): Response | Promise<Response>;
}

const DEFAULT_RETURN_TEXTS = { GET: 'La lista', POST: 'Como quedó', PUT: 'Como quedó', DELETE: 'Eliminado' };

interface DeleteCall extends CallTexts, Pick<Description, 'query'> {
  run(db: Db, actor: Actor, id: number): Promise<unknown>;
}

interface DeleteAllCall extends CallTexts, Pick<Description, 'query'> {
  run(deps: Deps, actor: Actor): Promise<unknown>;
}

interface ReadCall<Query extends z.ZodObject, Row> extends CallTexts, Pick<Description, 'type' | 'headers'> {
  query?: Query;
  answer?: Answer<Row>;
  /** the answer is a complete list; a header states its number of rows */
  isCounted?: true;
  run(context: CallContext & { query: z.output<Query> }): Row | Response | Promise<Row | Response>;
}

interface WriteCall<Body extends z.ZodObject, Row> extends CallTexts, Pick<Description, 'isIdempotent'> {
  body: Body;
  answer: Answer<Row>;
  /** the body may be omitted; only `documented` says so in the API's document */
  lacksBody?: 'documented' | 'tolerated';
  status?: 200 | 201;
  /** only for users who may approve payments; others are refused before the body is read */
  forApprovers?: true;
  /** describes the stored row in an answer 409 `stale`; `complete` adds members that the error's row lacks */
  stale?: Answer<never>;
  complete?(stored: never, c: AppContext): object | Promise<object>;
  run(sent: WriteContext<z.output<Body>>): Promise<Row>;
}

interface CallContext {
  c: AppContext;
  db: Db;
  /** id of the row that the path names; 0 where it names none */
  id: number;
}

interface WriteContext<Body> extends CallContext {
  actor: Actor;
  /** the parsed body without `motivo`, which the actor carries */
  body: Omit<Body, 'motivo'>;
  sentBody: Record<string, unknown>;
}

/** Each call is described where it is implemented, so that the API's document says what the server does. */
export function createEndpoints(tag: string) {
  const app = new Hono<AppEnv>({ strict: false });

  function declareEndpoint(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { run, ...described }: Omit<Description, 'tag' | 'returns'> & CallTexts & CallHandler,
  ) {
    app.on(
      method,
      path,
      wrapWithDescription(
        { tag, ...described, returns: described.returns ?? DEFAULT_RETURN_TEXTS[method] },
        run,
      ),
    );
  }

  function declareRead<Query extends z.ZodObject, Row extends object>(
    path: string,
    { run, query, answer, isCounted, ...rest }: ReadCall<Query, Row>,
  ) {
    declareEndpoint('GET', path, {
      ...rest,
      query,
      answer: answer?.shape,
      status: 200,
      async run(c) {
        const parameters = query && parseQuery(query, c.req.queries());
        const context = { c, db: c.get('deps').db, id: query ? pathIdOrZero(c) : pathIdWithoutQuery(c) };
        const result = await run({ ...context, query: parameters as z.output<Query> });
        if (result instanceof Response) return result;
        const json = answer!.toJson(result);
        return isCounted && Array.isArray(json)
          ? answerList(c, json, { total: json.length })
          : sendJson(c, json);
      },
    });
  }

  function declareWrite<Body extends z.ZodObject, Row extends object>(
    method: 'POST' | 'PUT',
    path: string,
    { run, lacksBody, forApprovers, answer, stale, complete, status = 200, ...rest }: WriteCall<Body, Row>,
  ) {
    declareEndpoint(method, path, {
      ...rest,
      status,
      answer: answer.shape,
      isBodyOptional: lacksBody === 'documented' || undefined,
      staleAnswer: stale?.shape,
      async run(c) {
        if (forApprovers) requireApprover(actorOf(c));
        const id = pathIdWithoutQuery(c);
        const sent = await (lacksBody ? readOptionalJson(c) : readJson(c));
        const { motivo, ...body } = parseShape(rest.body, sent) as z.output<Body> & BodyWithMotivo;
        if (id) requireSameId(id, body.id);
        const runAndConvert = async (db: Db) =>
          answer.toJson(await run({ c, db, actor: actorOf(c, motivo), id, body, sentBody: sent }));
        try {
          return sendJson(
            c,
            await (rest.isIdempotent ? writeOnce(c, sent, runAndConvert) : runAndConvert(c.get('deps').db)),
            status,
          );
        } catch (error) {
          const stored = error instanceof DomainError && error.extra?.current;
          if (!stored || !stale) throw error;
          const row = complete ? await complete(stored as never, c) : stored;
          const extra = { ...error.extra, current: stale.toJson(row as never) };
          throw new DomainError(error.kind, error.message, { ...error, extra });
        }
      },
    });
  }

  return {
    app,
    call: declareEndpoint,
    reads: declareRead,
    sends: declareWrite,

    creates: <Body extends z.ZodObject, Row extends object>(path: string, creating: WriteCall<Body, Row>) =>
      declareWrite('POST', path, { isIdempotent: true, status: 201, ...creating }),

    changes: <Body extends z.ZodObject, Row extends object>(path: string, changing: WriteCall<Body, Row>) =>
      declareWrite('PUT', path, changing),

    steps: <Body extends z.ZodObject, Row extends object>(path: string, step: WriteCall<Body, Row>) =>
      declareWrite('POST', path, { isIdempotent: true, lacksBody: 'documented', ...step }),

    removes(path: string, { run, query, ...rest }: DeleteCall) {
      declareEndpoint('DELETE', path, {
        ...rest,
        query,
        status: 204,
        async run(c) {
          const { motivo } = parseQuery(query ?? NO_PARAMETERS, c.req.queries()) as BodyWithMotivo;
          await run(c.get('deps').db, actorOf(c, motivo), pathIdOrZero(c));
          return c.body(null, 204);
        },
      });
    },

    removesAll({ run, query = confirmAllShape, problems = [], ...rest }: DeleteAllCall) {
      declareEndpoint('DELETE', '/', {
        ...rest,
        problems: ['confirmation_required', ...problems],
        query,
        status: 204,
        onlyRole: ADMIN_ROLE,
        async run(c) {
          await run(c.get('deps'), requireAdminConfirmingAll(c, query));
          return c.body(null, 204);
        },
      });
    },

    lists<Filters extends readonly Filter[], Sort extends string>(
      paths: Readonly<Record<string, Pick<CallTexts, 'summary' | 'text'>>>,
      listing: ListCall<Filters, Sort>,
    ) {
      const described = defineListCall(listing);
      for (const [path, text] of Object.entries(paths))
        declareEndpoint('GET', path, { ...text, ...described });
    },
  };
}

interface BodyWithMotivo {
  motivo?: string;
  id?: number | null;
}

const NO_PARAMETERS = z.strictObject({});

export const suggestQueryShape = z.strictObject({ text: textField('Lo escrito', 200, 'text') });

const pathIdOrZero = (c: AppContext): number => {
  const id = c.req.param('id');
  return id === undefined ? 0 : parseId(id);
};

/** @returns the id in the path, or 0 without one @throws DomainError malformed where the query has parameters */
export function pathIdWithoutQuery(c: AppContext): number {
  if (c.req.param('id') !== undefined) parseQuery(NO_PARAMETERS, c.req.queries());
  return pathIdOrZero(c);
}

/** A body may repeat the id of the path, but must not name another row. */
export function requireSameId(id: number, sentId: number | null | undefined): void {
  if (sentId !== undefined && sentId !== null && sentId !== id) {
    throw new DomainError('malformed', 'El id del cuerpo no es el de la dirección.', {
      fields: { id: 'No es el de la dirección.' },
    });
  }
}

/** No other parameter is accepted: with an id the caller meant to delete one row, not all of them. */
const confirmAllShape = z
  .strictObject({
    confirm: textField('confirm', 20).meta({
      enum: ['all'],
      description: 'Sin `all` no se elimina nada: 400',
    }),
  })
  .meta({ examples: [{ confirm: 'all' }] });

export const confirmWithMotivoShape = confirmAllShape
  .extend({ motivo: motivoField })
  .meta({ examples: [{ confirm: 'all' }] });

function requireAdminConfirmingAll(c: AppContext, shape: z.ZodObject): Actor {
  const session = requireSession(c);
  if (!session.roles.includes(ADMIN_ROLE))
    throw new DomainError('forbidden', describeMissingPrivileges(session.username));
  const { confirm, motivo } = parseQuery(shape, c.req.queries()) as z.output<typeof confirmWithMotivoShape>;
  if (confirm !== 'all') {
    throw new DomainError('malformed', 'Para eliminar toda la lista agrega ?confirm=all.', {
      code: 'confirmation_required',
    });
  }
  return actorOf(c, motivo);
}
