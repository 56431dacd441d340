import { z } from 'zod';
import type { Db } from '../../db/schema.ts';
import { DomainError } from '../../shared/errors.ts';
import { ADMIN_ROLE, lacksPrivileges } from '../../shared/roles.ts';
import type { ExportFormat } from '../../shared/urls.ts';
import { sendExport } from '../http/downloads.ts';
import { createOnce, readJson, readOptionalJson } from '../http/request.ts';
import { type AppContext, actorOf, requireSession } from '../http/session.ts';
import type { Filter } from '../lists/filter.ts';
import type { AskedOf, List } from '../lists/list.ts';
import { readExport } from '../lists/read-export.ts';
import type { Actor } from '../services/audit/audit.ts';
import { motivoField, parseId, parseQuery, parseShape, textField } from '../shapes/fields.ts';

/** A page of a list: how many rows there are in all, where the next page is, and what else the headers say. */
interface ListPage {
  rows: object[];
  total: number;
  cursor?: string;
  headers?: Record<string, string>;
}

/** A list as an answer. */
export const answerList = (c: AppContext, rows: object[], rest: Omit<ListPage, 'rows'>) =>
  c.json(rows, 200, headersOf(c, { rows, ...rest }));

function headersOf(c: AppContext, { rows, total, cursor, headers }: ListPage): Record<string, string> {
  const counted = { ...headers, 'X-Total-Count': String(total) };
  if (!cursor) return counted;
  const next = new URL(c.req.url);
  next.searchParams.set('cursor', cursor);
  if (!next.searchParams.has('limit')) next.searchParams.set('limit', String(Math.min(rows.length, 1000)));
  return { ...counted, Link: `<${next.pathname}${next.search}>; rel="next"` };
}

/** Rows that are made into text at a time. */
const ROWS_AT_ONCE = 1000;

/** An array of any length, made as it is sent: its text is a hundred times what its rows are in the database. */
export function answerRows<Row>(c: AppContext, rows: readonly Row[], toJson: (row: Row) => object): Response {
  if (rows.length <= ROWS_AT_ONCE) return c.json(rows.map(toJson));
  const encoder = new TextEncoder();
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = rows.slice(at, at + ROWS_AT_ONCE).map((row) => JSON.stringify(toJson(row)));
        const isLast = at + ROWS_AT_ONCE >= rows.length;
        controller.enqueue(encoder.encode(`${at === 0 ? '[' : ','}${part.join(',')}${isLast ? ']' : ''}`));
        at += ROWS_AT_ONCE;
        if (isLast) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return c.body(body, 200, { 'Content-Type': 'application/json' });
}

/** The same as a file: all of it where no part is asked for. */
export async function sendList<Filters extends readonly Filter[], Sort extends string>(
  c: AppContext,
  list: List<Filters, Sort>,
  asked: AskedOf<Filters, Sort>,
  format: ExportFormat,
): Promise<Response> {
  const { db, config } = c.get('deps');
  const around = { db, today: c.get('today'), timeZone: config.timeZone, now: c.get('now') };
  return sendExport(c, format, await readExport(list, asked, around));
}

/** What somebody has typed who looks for a row. */
export const suggestShape = z.strictObject({ text: textField('Lo escrito', 200, 'text') });

/** The id in the path, which takes no parameters beside it. @throws DomainError malformed */
export function pathId(c: AppContext): number {
  parseQuery(NO_PARAMETERS, c.req.queries());
  return parseId(c.req.param('id') ?? '');
}

export const NO_PARAMETERS = z.strictObject({});

/** What a call that changes something works with. */
export interface Asked<Body> {
  c: AppContext;
  db: Db;
  actor: Actor;
  /** of the row in the path; 0 where it names none */
  id: number;
  /** the body as its shape reads it, but for its reason, which the actor has */
  body: Omit<Body, 'motivo'>;
  /** the body as it came */
  sent: Record<string, unknown>;
}

interface Taking {
  /** done one time for its Idempotency-Key, in one transaction */
  once?: true;
  status?: 200 | 201;
  mayLackBody?: true;
  /** the stored row that a conflict of versions names, as it looks on the wire */
  current?: (row: never, c: AppContext) => object | Promise<object>;
}

export const CREATES = { once: true, status: 201 } as const satisfies Taking;

/** Answers a call with a JSON body that changes something. */
export const takes =
  <Shape extends z.ZodObject>(
    shape: Shape,
    { once, status = 200, mayLackBody, current }: Taking,
    work: (asked: Asked<z.output<Shape>>) => Promise<object>,
  ) =>
  async (c: AppContext) => {
    const id = c.req.param('id') === undefined ? 0 : pathId(c);
    const sent = await (mayLackBody ? readOptionalJson(c) : readJson(c));
    const { motivo, ...body } = parseShape(shape, sent) as z.output<Shape> & OfAnyBody;
    if (id) requireOwnId(id, body.id);
    const run = (db: Db) => work({ c, db, actor: actorOf(c, motivo), id, body, sent });
    try {
      return c.json(await (once ? createOnce(c, sent, run) : run(c.get('deps').db)), status);
    } catch (error) {
      const stored = error instanceof DomainError && error.extra?.current;
      if (!stored || !current) throw error;
      throw new DomainError(error.kind, error.message, {
        ...error,
        extra: { current: await current(stored as never, c) },
      });
    }
  };

interface OfAnyBody {
  motivo?: string;
  id?: number | null;
}

/** Answers a call that deletes the row in the path; its parameters may give the reason. */
export const removes =
  (shape: z.ZodObject, remove: (db: Db, actor: Actor, id: number) => Promise<unknown>) =>
  async (c: AppContext) => {
    const { motivo } = parseQuery(shape, c.req.queries()) as OfAnyBody;
    await remove(c.get('deps').db, actorOf(c, motivo), parseId(c.req.param('id') ?? ''));
    return c.body(null, 204);
  };

/**
 * The id that `?id=` asks for, alone; empty, "undefined" and "null" count as absent.
 * @returns the id, or the other parameters where there is none
 * @throws DomainError malformed (repeated, or together with others)
 */
export function askedId(c: AppContext): { id: number } | { rest: Record<string, string[]> } {
  const { id: ids = [], ...rest } = c.req.queries();
  const [id = ''] = ids;
  if (['', 'undefined', 'null'].includes(id.trim()) && ids.length < 2) return { rest };
  if (ids.length > 1) throw new DomainError('malformed', 'El parámetro «id» viene más de una vez.');
  const [other] = Object.keys(rest);
  if (other) throw new DomainError('malformed', `Con «id» no va el parámetro «${other}».`);
  return { id: parseId(id) };
}

/** A body may repeat the path's id, and no other. */
export function requireOwnId(id: number, sent: number | null | undefined): void {
  if (sent !== undefined && sent !== null && sent !== id) {
    throw new DomainError('malformed', 'El id del cuerpo no es el de la dirección.', {
      fields: { id: 'No es el de la dirección.' },
    });
  }
}

/** What deleting a whole list has to be asked for with, alone: whoever names an id beside it did not mean it. */
export const confirmShape = z
  .strictObject({
    confirm: textField('confirm', 20).meta({
      enum: ['all'],
      description: 'Sin `all` no se elimina nada: 400',
    }),
  })
  .meta({ examples: [{ confirm: 'all' }] });

/** The same of what a period that is closed may hold. */
export const confirmDatedShape = confirmShape
  .extend({ motivo: motivoField })
  .meta({ examples: [{ confirm: 'all' }] });

/** Deleting a whole list takes role 3 and ?confirm=all. @returns who does it */
export function requireConfirmation(c: AppContext, shape: z.ZodObject = confirmShape): Actor {
  const session = requireSession(c);
  if (!session.roles.includes(ADMIN_ROLE))
    throw new DomainError('forbidden', lacksPrivileges(session.username));
  const { confirm, motivo } = parseQuery(shape, c.req.queries()) as z.output<typeof confirmDatedShape>;
  if (confirm !== 'all') {
    throw new DomainError('malformed', 'Para eliminar toda la lista agrega ?confirm=all.', {
      code: 'confirmation_required',
    });
  }
  return actorOf(c, motivo);
}
