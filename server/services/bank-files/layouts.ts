import { createHash } from 'node:crypto';
import { lockAdvisoryKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Instant } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { batchTexts, type SignatureNote } from '../../../shared/payment-batches.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { type BankLayout, BUILT_IN_LAYOUTS, formatLayout } from '../../formats/bank-files/layout.ts';
import { requireArea } from '../area-access.ts';
import { type Actor, queueAuditEntry, readAuditTail } from '../audit/audit.ts';
import { BANK_LAYOUT_KEY_PREFIX } from '../audit/entry-descriptions.ts';
import { requireApproverAndVersion } from '../payment-batches/stages.ts';
import { loadSignatureNoteLookup, requireSecondPerson } from '../signatures/second-person.ts';
import { requireCurrentVersion } from '../stored-rows.ts';
import { parseLayout } from './layout-shape.ts';

export interface StoredLayout {
  layout: BankLayout;
  sha256: string;
  /** Without it, the built-in layout applies. */
  customization?: LayoutCustomization;
}

interface LayoutCustomization {
  changedAt: Instant;
  changedBy: number;
  author: string;
  /** who changed the layout since it was last confirmed; none of them may confirm it */
  authors: readonly number[];
  confirmedBy: number | null;
  note: SignatureNote | null;
  /** null while the layout waits for confirmation; until then it writes no files */
  confirmer: string | null;
  version: number;
}

export async function readLayouts(db: Db): Promise<StoredLayout[]> {
  const rows = await db
    .selectFrom('bank_layouts')
    .innerJoin('users', 'users.id', 'bank_layouts.userId')
    .leftJoin('users as confirmers', 'confirmers.id', 'bank_layouts.confirmedBy')
    .select(['code', 'definition', 'bank_layouts.updatedAt', 'bank_layouts.userId', 'users.username'])
    .select([
      'authors',
      'confirmedBy',
      'confirmedAt',
      'confirmers.username as confirmer',
      'bank_layouts.version',
    ])
    .orderBy('code')
    .execute();
  const keys = rows
    .filter((row) => row.confirmedBy !== null)
    .map(({ code }) => `${BANK_LAYOUT_KEY_PREFIX}${code}`);
  const noteOf = await loadSignatureNoteLookup(db, 'settings', keys);
  const custom = new Map(
    rows.map(({ code, definition, updatedAt, userId, username, authors, confirmedAt, ...rest }) => [
      code,
      {
        // The layout met the rules of the day on which it was stored; confirmLayout checks the current rules.
        layout: JSON.parse(definition) as BankLayout,
        sha256: sha256Of(definition),
        customization: {
          changedAt: updatedAt,
          changedBy: userId,
          author: username,
          authors: [userId, ...authors.split(',').filter(Boolean).map(Number)],
          note: noteOf(`${BANK_LAYOUT_KEY_PREFIX}${code}`, rest.confirmedBy, confirmedAt),
          ...rest,
        },
      },
    ]),
  );
  const builtIn = BUILT_IN_LAYOUTS.map(
    (layout) => custom.get(layout.plantilla) ?? { layout, sha256: sha256Of(formatLayout(layout)) },
  );
  const isBuiltIn = ({ layout }: StoredLayout) =>
    BUILT_IN_LAYOUTS.some(({ plantilla }) => plantilla === layout.plantilla);
  return [...builtIn, ...[...custom.values()].filter((one) => !isBuiltIn(one))];
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

export const isConfirmed = ({ customization }: StoredLayout): boolean =>
  !customization || customization.confirmer !== null;

/** @throws DomainError not-found */
export async function getLayout(db: Db, code: string): Promise<StoredLayout> {
  const found = (await readLayouts(db)).find(({ layout }) => layout.plantilla === code);
  if (!found) throw new DomainError('not-found', `No existe la plantilla de banco «${code}».`);
  return found;
}

/** The layout can be used once another person has confirmed it. @throws DomainError forbidden, invalid bad_layout */
export async function saveLayout(db: Db, actor: Actor, text: string): Promise<StoredLayout> {
  requireArea(actor, 'admin');
  const layout = parseLayout(text);
  const code = layout.plantilla;
  const definition = formatLayout(layout);
  return inTransaction(db, async (trx) => {
    await lockLayout(trx, code);
    const before = (await readLayouts(trx)).find((one) => one.layout.plantilla === code);
    if (before?.sha256 === sha256Of(definition)) return before;
    const earlierAuthors = before?.customization && !isConfirmed(before) ? before.customization.authors : [];
    const row = {
      definition,
      userId: actor.userId,
      updatedAt: actor.at,
      authors: [...new Set(earlierAuthors)].filter((id) => id !== actor.userId).join(),
      confirmedBy: null,
      confirmedAt: null,
      version: await findNextVersion(trx),
    };
    await trx
      .insertInto('bank_layouts')
      .values({ code, ...row })
      .onConflict((conflict) => conflict.column('code').doUpdateSet(row))
      .execute();
    return auditChangeAndReadLayout(trx, actor, code, before);
  });
}

/** @throws DomainError forbidden, not-found, stale, invalid bad_layout (by newer rules), conflict same_layout_author */
export async function confirmLayout(
  db: Db,
  actor: Actor,
  { code, version }: { code: string; version: number | undefined },
): Promise<StoredLayout> {
  const seenVersion = requireApproverAndVersion(actor, version);
  if (!code) throwIfRefused(createRefusal(batchTexts.noLayout, 'plantilla'));
  return inTransaction(db, async (trx) => {
    await lockLayout(trx, code);
    const before = await getLayout(trx, code);
    const { customization, layout } = before;
    if (!customization) throw new DomainError('not-found', `La plantilla «${code}» es la de fábrica.`);
    requireCurrentVersion({ ...before, version: customization.version }, seenVersion, layoutTexts.stale);
    if (isConfirmed(before)) return before;
    const id = `${BANK_LAYOUT_KEY_PREFIX}${code}`;
    const document = {
      entity: 'settings',
      id,
      since: customization.changedAt,
      authorIds: customization.authors,
      auditFields: {},
    } as const;
    const refused = { message: layoutTexts.samePerson, code: 'same_layout_author' };
    await requireSecondPerson(trx, actor, document, refused);
    parseLayout(formatLayout(layout));
    await trx
      .updateTable('bank_layouts')
      .set({
        authors: '',
        confirmedBy: actor.userId,
        confirmedAt: actor.at,
        version: await findNextVersion(trx),
      })
      .where('code', '=', code)
      .execute();
    return auditChangeAndReadLayout(trx, actor, code, before);
  });
}

export const layoutTexts = {
  stale: 'Otra persona cambió esta plantilla mientras la veías.',
  samePerson: 'La confirma otra persona: nadie que la haya cambiado desde la última confirmación.',
  waits: (name: string) =>
    `La plantilla «${name}» espera a que Dirección o Contabilidad la confirme; mientras tanto no sirve.`,
};

/** The built-in layout applies again, if any. @throws DomainError forbidden; not-found where there is no custom one */
export async function resetLayout(db: Db, actor: Actor, code: string): Promise<void> {
  requireArea(actor, 'admin');
  await inTransaction(db, async (trx) => {
    await lockLayout(trx, code);
    const before = await getLayout(trx, code);
    const { numDeletedRows } = await trx
      .deleteFrom('bank_layouts')
      .where('code', '=', code)
      .executeTakeFirstOrThrow();
    if (Number(numDeletedRows) === 0)
      throw new DomainError('not-found', `La plantilla «${code}» es la de fábrica.`);
    await auditChangeAndReadLayout(trx, actor, code, before);
  });
}

const lockLayout = (trx: Trx, code: string) => lockAdvisoryKey(trx, `plantilla.${code}`);

/** No version is used twice, even where a layout is removed and another one gets its name. */
const findNextVersion = async (trx: Trx): Promise<number> => (await readAuditTail(trx)).lastId + 1;

async function auditChangeAndReadLayout(
  trx: Trx,
  actor: Actor,
  code: string,
  before: StoredLayout | undefined,
): Promise<StoredLayout> {
  const after = (await readLayouts(trx)).find((one) => one.layout.plantilla === code);
  queueAuditEntry(trx, actor, {
    action: 'update',
    entity: 'settings',
    entityId: `${BANK_LAYOUT_KEY_PREFIX}${code}`,
    before: toAuditBody(before),
    after: toAuditBody(after),
  });
  return after!;
}

const toAuditBody = (stored: StoredLayout | undefined) => ({
  value: stored ? formatLayout(stored.layout) : '',
  sha256: stored?.sha256 ?? null,
  estado: stored && (stored.customization ? (isConfirmed(stored) ? 'confirmada' : 'espera') : 'de fábrica'),
});
