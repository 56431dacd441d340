import type { MessagePort } from 'node:worker_threads';
import type { PlainDate } from '../../shared/dates.ts';
import type { Session } from '../services/session/session.ts';
import type { RequestEvent } from './request-facts.ts';

/** Who asks, and when: found out before the request is handed over. */
export interface HeavyAsker {
  requestId: string;
  session: Session;
  byToken: boolean;
  now: Date;
  today: PlainDate;
}

/** A request as it crosses to a thread. */
export interface HeavyRequest {
  /** reports and files read what is of one moment, and write nothing; files let the others of their user go first */
  kind: 'report' | 'file' | 'import' | 'backup';
  method: string;
  url: string;
  headers: [string, string][];
  body?: Uint8Array<ArrayBuffer>;
  asker: HeavyAsker;
}

/** To a thread: one request at a time, or to end. */
export type HeavyOrder = { request: HeavyRequest; port: MessagePort } | 'stop';

/** Over the request's own port. */
export type HeavyAnswer =
  | { status: number; headers: [string, string][]; event?: RequestEvent }
  | { chunk: Uint8Array }
  /** the end of it, with the rows that it created by their list, or what went wrong; the thread is free */
  | { failed?: string; created?: [entity: string, rows: number][] };

/** The other way: room for one chunk more, or nobody waits for it any longer. */
export type HeavyReply = 'more' | 'gone';

/** Chunks that may be under way. */
export const CHUNKS_AHEAD = 8;
