import { Hono } from 'hono';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { type DestinationGroup, PALETTE_SEARCH_PATH } from '../../islands/palette/destinations.ts';
import { pluralize } from '../../shared/counts.ts';
import { formatDate } from '../../shared/dates.ts';
import { localize } from '../../shared/language.ts';
import { formatMoney, tryParseMoney } from '../../shared/money.ts';
import { BATCH_STATE_LABELS } from '../../shared/payment-batches.ts';
import { fold } from '../../shared/text.ts';
import { pages, withQuery } from '../../shared/urls.ts';
import { containsAllWords } from '../../shared/word-stems.ts';
import { findAccess, isAllowed } from '../http/access.ts';
import { sendJson } from '../http/send.ts';
import { type AppEnv, requireSession } from '../http/session.ts';
import { openMovementCondition, summarizeOpenMovements } from '../services/bank-statements/reading.ts';
import { MAIL_STATE_LABELS } from '../services/mails/mail.ts';
import { searchMails } from '../services/mails/reading.ts';
import { searchBatches } from '../services/payment-batches/reading.ts';
import { readPayments, searchPayments } from '../services/payments/reading.ts';
import { readFunds } from '../services/petty-cash/reading.ts';
import {
  getSettingDefinition,
  SETTING_SUBJECTS,
  SETTINGS,
  type SettingKey,
  type SettingSubject,
} from '../services/settings/definitions.ts';
import { searchHelp } from './help/search.ts';

const MAX_QUERY_LENGTH = 200;

/** The palette searches batches, payments, bank movements, sent mails, petty cash, settings and help here. */
export const palettePages = new Hono<AppEnv>({ strict: false }).get(
  `${PALETTE_SEARCH_PATH}/suggest`,
  async (c) => {
    const { db } = c.get('deps');
    const { userId, roles } = requireSession(c);
    const text = (c.req.query('text') ?? '').slice(0, MAX_QUERY_LENGTH).trim();
    const groups = text
      ? [
          { title: 'Programaciones', entries: await findBatches(db, text) },
          { title: 'Pagos', entries: await findPayments(db, text) },
          { title: 'Movimientos del banco', entries: await findOpenMovements(db, text) },
          { title: 'Correos', entries: await findMails(db, text) },
          { title: 'Caja chica', entries: await findNewExpenseLinks(db, text, userId) },
          { title: 'Configuración', entries: findSettings(text) },
          { title: 'Ayuda', entries: findHelp(text, roles) },
        ]
      : [];
    return sendJson(
      c,
      groups.map((group) => ({ ...group, entries: group.entries.filter(mayOpen(roles)) })),
    );
  },
);

type PaletteEntry = DestinationGroup['entries'][number];

const MAX_ENTRIES_PER_GROUP = 3;

const mayOpen =
  (roles: readonly number[]) =>
  ({ href }: PaletteEntry): boolean => {
    const access = findAccess(href.replace(/[?#].*$/, ''));
    return access !== undefined && isAllowed(access, roles);
  };

/** "programación 4", "lote 4" and "4" find the batch with that id; the word alone finds the newest batches. */
async function findBatches(db: Db, text: string): Promise<PaletteEntry[]> {
  const { noun, id } = splitNounAndId(text);
  if (noun && !containsAllWords('programaciones lotes', noun)) return [];
  if (!noun && id === undefined) return [];
  const { rows } = await searchBatches(db, { id, limit: MAX_ENTRIES_PER_GROUP, direction: 'desc' });
  return rows.map(({ id: batchId, estado, fecha, origenderecursonombre }) => ({
    href: pages.paymentBatch(batchId),
    label: `Programación ${batchId}`,
    meta: [BATCH_STATE_LABELS[estado], formatDate(fecha), origenderecursonombre].join(' · '),
  }));
}

/** "pago 12" finds the payment with that id; any other text is searched in the numbers of cheques and transfers. */
async function findPayments(db: Db, text: string): Promise<PaletteEntry[]> {
  const { noun, id } = splitNounAndId(text);
  const isById = id !== undefined && noun !== '' && containsAllWords('pagos', noun);
  const found = isById
    ? await readPayments(db, [id])
    : text.length < MIN_REFERENCE_LENGTH
      ? []
      : (await searchPayments(db, { checknum: text, limit: MAX_ENTRIES_PER_GROUP, direction: 'desc' })).rows;
  return found.map((payment) => ({
    href: pages.editPayment(payment.id),
    label: `Pago de ${formatMoney(payment.amountCents)} · ${payment.suppliername}`,
    meta: [formatDate(payment.paymentdate), payment.checknum].filter(Boolean).join(' · '),
  }));
}

/** The index cannot search for shorter texts. */
const MIN_REFERENCE_LENGTH = 3;

/** Finds unresolved bank movements. A word for all of them, such as "conciliar", finds the first one. */
async function findOpenMovements(db: Db, text: string): Promise<PaletteEntry[]> {
  const { count, firstId } = await summarizeOpenMovements(db);
  if (firstId !== undefined && containsAllWords('movimientos del banco abiertos conciliar', text))
    return [
      {
        href: pages.bankMovement(firstId),
        label: 'Movimientos del banco',
        meta: pluralize(count, 'movimiento abierto', 'movimientos abiertos'),
      },
    ];
  const cents = tryParseMoney(text);
  const open = await db
    .selectFrom('bank_movements')
    .select(['id', 'fecha', 'amountCents', 'referencia', 'descripcion'])
    .where(openMovementCondition)
    .orderBy('fecha', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SEARCHED_ROWS)
    .execute();
  return open
    .filter(
      ({ amountCents, referencia, descripcion }) =>
        Math.abs(amountCents) === cents || containsAllWords(`${referencia} ${descripcion}`, text),
    )
    .slice(0, MAX_ENTRIES_PER_GROUP)
    .map(({ id, fecha, amountCents, referencia, descripcion }) => ({
      href: pages.bankMovement(id),
      label: `${amountCents < 0 ? 'Salió' : 'Entró'} ${formatMoney(Math.abs(amountCents))}`,
      meta: [formatDate(fecha), referencia, descripcion].filter(Boolean).join(' · '),
    }));
}

async function findMails(db: Db, text: string): Promise<PaletteEntry[]> {
  const { rows } = await searchMails(db, { direction: 'desc', limit: MAX_SEARCHED_ROWS });
  const found = rows.filter(({ para, asunto }) => fold(`${para} ${asunto}`).includes(fold(text)));
  const newest = new Map(found.toReversed().map((mail) => [mail.supplierId, mail]));
  return [...newest.values()]
    .toReversed()
    .slice(0, MAX_ENTRIES_PER_GROUP)
    .map(({ supplierId, suppliername, asunto, para, estado }) => ({
      href: withQuery(pages.mails, { supplierId }),
      label: `${asunto} · ${suppliername}`,
      meta: `${para} · ${MAIL_STATE_LABELS[estado]}`,
    }));
}

/** Limits the search to the newest mails and open bank movements, because no index covers their texts. */
const MAX_SEARCHED_ROWS = 2000;

async function findNewExpenseLinks(db: Db, text: string, userId: number): Promise<PaletteEntry[]> {
  const funds = await readFunds(db, sql`where funds."closedOn" is null`);
  return funds
    .filter(({ nombre }) => containsAllWords(`nuevo gasto ticket comprobante caja chica ${nombre}`, text))
    .sort((one, other) => Number(other.responsableId === userId) - Number(one.responsableId === userId))
    .slice(0, MAX_ENTRIES_PER_GROUP)
    .map(({ id, nombre, responsable }) => ({
      href: pages.newPettyCashMovement(id),
      label: `Nuevo gasto en ${nombre}`,
      meta: responsable,
    }));
}

const SUBJECT_WORDS: Partial<Record<SettingSubject, string>> = { empresa: 'logo logotipo' };

function findSettings(text: string): PaletteEntry[] {
  const subjects = (Object.entries(SETTING_SUBJECTS) as [SettingSubject, string][]).map(
    ([subject, label]) => ({
      href: pages.settingsOf(subject),
      label,
      words: SUBJECT_WORDS[subject] ?? '',
    }),
  );
  const settings = (Object.keys(SETTINGS) as SettingKey[]).map((key) => {
    const { subject, label, description, section = '' } = getSettingDefinition(key);
    const meta = SETTING_SUBJECTS[subject];
    return {
      href: `${pages.settingsOf(subject)}#${key}`,
      label,
      meta,
      words: `${description} ${section} ${meta}`,
    };
  });
  return [...subjects, ...settings]
    .filter(({ label, words }) => containsAllWords(`configuración ${label} ${words}`, text))
    .sort(
      (one, other) => Number(containsAllWords(other.label, text)) - Number(containsAllWords(one.label, text)),
    )
    .slice(0, MAX_ENTRIES_PER_GROUP)
    .map(({ words: _words, ...entry }) => entry);
}

const findHelp = (text: string, roles: readonly number[]): PaletteEntry[] =>
  searchHelp(text, 1)
    .filter(({ topic }) => !topic.role || roles.includes(topic.role))
    .slice(0, MAX_ENTRIES_PER_GROUP)
    .map(({ topic }) => ({
      href: pages.helpTopic(topic.id),
      label: localize(topic.title),
      meta: topic.about,
    }));

function splitNounAndId(text: string): { noun: string; id: number | undefined } {
  const [, noun = '', digits] = /^(\D*?)(?:\s*#?(\d{1,9}))?$/.exec(fold(text)) ?? [];
  return { noun, id: digits === undefined ? undefined : Number(digits) };
}
