import { type SqlBool, sql } from 'kysely';
import { isOneOf, isOneOfTexts } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { pluralize } from '../../../shared/counts.ts';
import type { Instant } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { SignatureNote } from '../../../shared/payment-batches.ts';
import { type Actor, getPendingEntries, queueAuditEntry } from '../audit/audit.ts';
import {
  PAYMENT_GUARD_SETTINGS,
  type SettingKey,
  type Settings,
  weakensSetting,
} from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { distinctIds } from '../stored-rows.ts';

/** Documents that need a second person, by their entity in the audit trail. `settings`: a bank's file layout. */
const SIGNED_ENTITIES = {
  'payment-batches': { authorLabel: 'quien hizo', subjectLabel: 'esta programación', isMoney: true },
  'petty-cash-replenishments': {
    authorLabel: 'quien pidió o gastó',
    subjectLabel: 'este dinero',
    isMoney: true,
  },
  'petty-cash-counts': { authorLabel: 'quien contó o gastó', subjectLabel: 'este dinero', isMoney: true },
  'supplier-accounts': { authorLabel: 'quien capturó o cambió', subjectLabel: 'esta cuenta', isMoney: false },
  settings: { authorLabel: 'quien cambió', subjectLabel: 'esta plantilla', isMoney: false },
} as const;

export interface DocumentToSign {
  entity: keyof typeof SIGNED_ENTITIES;
  id: number | string;
  /** A document without an entry in the audit trail began at this moment. */
  since: Instant;
  /** These users entered the document, or changed its amount or text. */
  authorIds: readonly (number | null)[];
  /** The fields that name the document in the audit trail, if its id does not. */
  auditFields?: object;
}

/**
 * Reads the settings that apply to a document. If one was weakened since the document began, its former value applies.
 * Documents about money begin with their first entry in the audit trail, accounts and templates with their latest.
 */
export async function readSettingsForDocument(
  db: Db,
  { entity, id, since }: Omit<DocumentToSign, 'authorIds'>,
): Promise<Settings> {
  const rules = await readSettings(db);
  const began = db
    .selectFrom('audit')
    .select(({ fn }) => fn[SIGNED_ENTITIES[entity].isMoney ? 'min' : 'max']('id').as('id'))
    .where('entity', '=', entity)
    .where('entityId', '=', String(id))
    .where('action', '<>', 'import');
  const changes = await db
    .selectFrom('audit')
    .select(['entityId', 'before'])
    .where('entity', '=', 'settings')
    .where('entityId', 'in', PAYMENT_GUARD_SETTINGS)
    .where(sql<SqlBool>`id > coalesce(${began}, 0) and (${began} is not null or at >= ${since})`)
    .execute();
  for (const change of changes) {
    const [key, { value }] = [change.entityId as SettingKey, JSON.parse(change.before!) as { value: string }];
    if (weakensSetting(key, value, rules[key])) rules[key] = value;
  }
  return rules;
}

/**
 * Requires a signer who is not among the document's authors. If an author had access to the signer's account lately, an
 * audit entry for the signature, with a note for the page, precedes the entry of the change.
 * @throws DomainError conflict: `ownRefusal.code` where the signer is an author, same_author where they must wait
 */
export async function requireSecondPerson(
  trx: Trx,
  actor: Actor,
  document: DocumentToSign,
  ownRefusal: { message: string; code: string },
  knownRules?: Settings,
): Promise<void> {
  const { entity, id: entityId, authorIds, auditFields = { id: entityId } } = document;
  const rules = knownRules ?? (await readSettingsForDocument(trx, document));
  if (SIGNED_ENTITIES[entity].isMoney && rules.autorizacion !== 'otra') return;
  if (authorIds.includes(actor.userId))
    throw new DomainError('conflict', ownRefusal.message, { code: ownRefusal.code });
  const note = await findSignatureNote(trx, actor.userId, document, actor.at);
  if (!note) return;
  if (mustWaitToSign(note, rules))
    throw new DomainError('conflict', describeWait(note, rules), { code: 'same_author' });
  queueAuditEntry(trx, actor, { action: 'sign', entity, entityId, after: { ...auditFields, ...note } });
}

/** Tells a user who has not signed yet which note the signature would carry, or why the user has to wait. */
export async function previewSignature(
  db: Db,
  userId: number,
  document: DocumentToSign,
  { rules: settings, at }: { rules: Settings; at: Instant },
): Promise<{ note?: string; obstacle?: string }> {
  const isFree = SIGNED_ENTITIES[document.entity].isMoney && settings.autorizacion !== 'otra';
  if (isFree || document.authorIds.includes(userId)) return {};
  const note = await findSignatureNote(db, userId, document, at);
  if (!note) return {};
  return mustWaitToSign(note, settings) ? { obstacle: describeWait(note, settings) } : { note: note.text };
}

/** Reads the users who had access to this account so lately that its owner may not yet sign what they entered. */
export async function findUsersWithAccessToAccount(
  db: Db,
  userId: number,
  settings: Settings,
  at: Instant,
): Promise<number[]> {
  if (settings['autorizacion.espera'] === '0') return [];
  const ends = findAccessActPaths(await readAccessActs(db, [userId], at), userId).map(oldestActOnPath);
  return distinctIds(
    ends.filter((end) => mustWaitToSign({ days: daysSince(end, at) }, settings)).map(({ byId }) => byId),
  );
}

export const mustWaitToSign = ({ days }: Pick<SignatureNote, 'days'>, settings: Settings): boolean =>
  days !== null && days < Number(settings['autorizacion.espera']);

const describeWait = ({ text }: SignatureNote, rules: Settings): string =>
  `${text} No puede firmar hasta que pasen ${pluralize(Number(rules['autorizacion.espera']), 'día', 'días')}: que firme otra persona.`;

export async function loadSignatureNoteLookup(
  db: Db,
  entity: DocumentToSign['entity'],
  ids: readonly (number | string)[],
): Promise<(id: number | string, userId: number | null, at: Instant | null) => SignatureNote | null> {
  const notes = new Map<string, SignatureNote>();
  const recordSignatureNote = (at: Instant, id: unknown, userId: number | null, note: SignatureNote) =>
    notes.set(`${id} ${userId} ${at}`, note);
  const signed = db.selectFrom('audit').select(['entityId', 'userId', 'at', 'after']);
  const rows = signed
    .where('entity', '=', entity)
    .where(isOneOfTexts(db, 'entityId', ids.map(String)))
    .where('action', '=', 'sign');
  if (ids.length > 0)
    for (const { at, entityId, userId, after } of await rows.execute())
      recordSignatureNote(at, entityId, userId, JSON.parse(after!) as SignatureNote);
  for (const { actor, note } of getPendingEntries(db))
    if (note.action === 'sign')
      recordSignatureNote(actor.at, note.entityId, actor.userId, note.after as SignatureNote);
  return (id, userId, at) => notes.get(`${id} ${userId} ${at}`) ?? null;
}

/** Something that one user did to another's account, after which they may have signed in as that user. */
interface AccountAccessAct {
  subjectId: number;
  subject: string;
  byId: number;
  by: string;
  /** An act at the command line, where nobody signs in, has the user of the operating system. */
  terminal: string | undefined;
  /** The act is put into words, with "…" in place of the account's user. */
  template: string;
  at: Instant;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** For this many days, a user who created, activated or reset an account counts as having access to it. */
const ACCOUNT_ACCESS_DAYS = 30;

/**
 * Checks whether somebody had access to the signer's account in the last thirty days: an author of the document,
 * directly or through other accounts, an unknown person at the command line, or a person who also had access to an
 * author's account. Also checks whether the signer had access to an author's account.
 * @returns the note to be shown with the signature, or null
 */
async function findSignatureNote(
  db: Db,
  signerId: number,
  { entity, authorIds: allAuthorIds }: Pick<DocumentToSign, 'entity' | 'authorIds'>,
  at: Instant,
): Promise<SignatureNote | null> {
  const authorIds = distinctIds(allAuthorIds).filter((id) => id !== signerId);
  const acts = await readAccessActs(db, [signerId, ...authorIds], at);
  const { authorLabel, subjectLabel } = SIGNED_ENTITIES[entity];
  const describePath = (
    actsOnPath: readonly AccountAccessAct[],
    last: string,
    first = actsOnPath[0]!.subject,
  ) =>
    actsOnPath
      .map(({ template, by, ...act }, index) => {
        const who = index === actsOnPath.length - 1 ? last : by;
        const whose = index === 0 ? first : act.subject;
        return `${template.replace('…', () => whose)} ${formatAgo(act.at, at)} ${who}`;
      })
      .join('; ');
  const ownPaths = findAccessActPaths(acts, signerId);
  const direct = ownPaths.find((path) => authorIds.includes(oldestActOnPath(path).byId));
  if (direct) {
    return {
      at,
      text: `${describePath(direct, `${authorLabel} ${subjectLabel}`)}.`,
      days: daysSince(oldestActOnPath(direct), at),
    };
  }
  const unknown = ownPaths.find((path) => oldestActOnPath(path).terminal !== undefined);
  if (unknown) {
    const text = `${describePath(unknown, `alguien en la línea de comandos (${oldestActOnPath(unknown).terminal})`)}.`;
    return { at, text, days: null };
  }
  for (const other of authorIds.flatMap((author) => findAccessActPaths(acts, author))) {
    const { byId, by } = oldestActOnPath(other);
    const sharedPath = ownPaths.find((path) => oldestActOnPath(path).byId === byId);
    if (byId !== signerId && !sharedPath) continue;
    const who = byId === signerId ? 'quien firma' : by;
    const text = `${describePath(other, who, `${other[0]!.subject}, detrás de ${subjectLabel},`)}.`;
    return { at, text: sharedPath ? `${describePath(sharedPath, by)}; ${text}` : text, days: null };
  }
  return null;
}

const daysSince = ({ at: then }: AccountAccessAct, now: Instant): number =>
  Math.floor((Date.parse(now) - Date.parse(then)) / DAY_MS);

const oldestActOnPath = (actsOnPath: readonly AccountAccessAct[]): AccountAccessAct => actsOnPath.at(-1)!;

/**
 * A path names who acted on the account, who acted earlier on that user's account, and so on. The paths whose oldest
 * act is latest come first.
 */
function findAccessActPaths(acts: readonly AccountAccessAct[], from: number): AccountAccessAct[][] {
  const paths = new Map(acts.filter(({ subjectId }) => subjectId === from).map((act) => [act, [act]]));
  // Iterating a Map includes entries added meanwhile.
  for (const [act, path] of paths)
    for (const next of acts)
      if (next.subjectId === act.byId && next.at <= act.at && !paths.has(next))
        paths.set(next, [...path, next]);
  return [...paths.values()].sort(
    (a, b) => Date.parse(oldestActOnPath(b).at) - Date.parse(oldestActOnPath(a).at),
  );
}

type AccessActRow = Omit<AccountAccessAct, 'terminal' | 'template'> & {
  origin: string;
  action: string;
  before: string | null;
  after: string | null;
};

/** Reads the acts on these accounts, and on those of the users who acted. Acts of Saldo itself do not count. */
async function readAccessActs(db: Db, ids: readonly number[], until: Instant): Promise<AccountAccessAct[]> {
  const from = new Date(Date.parse(until) - ACCOUNT_ACCESS_DAYS * DAY_MS).toISOString();
  const visited = new Set<number>();
  const acts: AccountAccessAct[] = [];
  for (let pendingIds = [...ids]; pendingIds.length > 0; ) {
    for (const id of pendingIds) visited.add(id);
    const { rows } = await sql<AccessActRow>`
      select u.id as "subjectId", u.username as subject, a."userId" as "byId", a.username as by, a.origin, a.action,
        a.before, a.after, a.at
      from users u join audit a on a.entity = 'users' and a."entityId" = cast(u.id as text)
      where ${isOneOf(db, 'u.id', pendingIds)} and a."userId" is not null and a.at >= ${from} and a.at <= ${until}`.execute(
      db,
    );
    acts.push(...rows.flatMap(toAccessActs));
    pendingIds = distinctIds(acts.map(({ byId }) => byId)).filter((id) => !visited.has(id));
  }
  return acts;
}

interface AuditedUser {
  active?: boolean;
  roles?: { id: number }[];
  reset?: boolean;
  enabled?: boolean;
}

/** Acts on one's own account do not count, except at the command line. */
function toAccessActs({ origin, action, before, after, ...row }: AccessActRow): AccountAccessAct[] {
  const [kind, who] = origin.split(':');
  const terminal = kind === 'cli' ? (who ?? row.by) : undefined;
  if (row.byId === row.subjectId && terminal === undefined) return [];
  const [was, is] = [before, after].map((text) => JSON.parse(text ?? '{}') as AuditedUser);
  const had = new Set(was!.roles?.map(({ id }) => id));
  const template =
    (action === 'create' && 'La cuenta de … la creó') ||
    (is!.reset && 'La contraseña de … la restableció') ||
    (is!.enabled === false && 'El doble factor de … lo quitó') ||
    (is!.roles?.some(({ id }) => !had.has(id)) && 'A la cuenta de … le dio un rol') ||
    (is!.active && !was!.active && 'La cuenta de … la activó');
  return template ? [{ ...row, terminal, template }] : [];
}

function formatAgo(then: Instant, now: Instant): string {
  const hours = Math.floor((Date.parse(now) - Date.parse(then)) / HOUR_MS);
  if (hours >= 24) return `hace ${pluralize(Math.floor(hours / 24), 'día', 'días')}`;
  return hours < 1 ? 'hace menos de una hora' : `hace ${pluralize(hours, 'hora', 'horas')}`;
}
