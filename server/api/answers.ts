import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { ADMIN_ROLE, lacksPrivileges } from '../../shared/roles.ts';
import type { ExportFormat } from '../../shared/urls.ts';
import { sendExport } from '../http/downloads.ts';
import { readOptionalJson } from '../http/request.ts';
import { type AppContext, actorOf, requireSession } from '../http/session.ts';
import type { Filter } from '../lists/filter.ts';
import type { AskedOf, List } from '../lists/list.ts';
import { readExport } from '../lists/read-export.ts';
import type { Actor } from '../services/audit/audit.ts';
import {
  motivoField,
  motivoShape,
  parseId,
  parseQuery,
  parseShape,
  restoreShape,
  textField,
} from '../shapes/fields.ts';

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

const NO_PARAMETERS = z.strictObject({});

/** The row in the path that is deleted, and who does it, with the reason where there is one. */
export function deletion(c: AppContext): { id: number; actor: Actor } {
  const { motivo } = parseQuery(motivoShape, c.req.queries());
  return { id: parseId(c.req.param('id') ?? ''), actor: actorOf(c, motivo) };
}

/** The same of one that is brought back. */
export async function restoration<Shape extends typeof restoreShape>(
  c: AppContext,
  shape = restoreShape as Shape,
): Promise<{ id: number; body: Omit<z.output<Shape>, 'userId'>; actor: Actor }> {
  const id = pathId(c);
  const { userId: _userId, ...body } = parseShape(shape, await readOptionalJson(c));
  return { id, body, actor: actorOf(c, body.motivo) };
}

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

/** A conflict of versions names the stored row; on the wire it looks like every other answer. */
export async function withCurrentAsJson<T>(
  work: () => Promise<T>,
  toJson: (current: unknown) => object,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || !error.extra?.current) throw error;
    throw new DomainError(error.kind, error.message, {
      ...error,
      extra: { current: toJson(error.extra.current) },
    });
  }
}
