import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Instant } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type BankLayout, BUILT_IN_LAYOUTS, layoutText } from '../../formats/bank-files/layout.ts';
import { parseLayout } from '../../shapes/bank-layouts.ts';
import { type Actor, audit } from '../audit/audit.ts';

/** A layout that may be used, and who made it the firm's own. */
export interface StoredLayout {
  layout: BankLayout;
  /** null: as the program brings it */
  changedAt: Instant | null;
}

/** Those of the program, each in the firm's own form where there is one, and then those that are the firm's alone. */
export async function readLayouts(db: Db): Promise<StoredLayout[]> {
  const rows = await db
    .selectFrom('bank_layouts')
    .select(['code', 'definition', 'updatedAt'])
    .orderBy('code')
    .execute();
  const own = new Map(
    rows.map(({ code, definition, updatedAt }) => [
      code,
      { layout: parseLayout(definition), changedAt: updatedAt },
    ]),
  );
  const builtIn = BUILT_IN_LAYOUTS.map((layout) => own.get(layout.plantilla) ?? { layout, changedAt: null });
  const isBuiltIn = ({ layout }: StoredLayout) =>
    BUILT_IN_LAYOUTS.some(({ plantilla }) => plantilla === layout.plantilla);
  return [...builtIn, ...[...own.values()].filter((one) => !isBuiltIn(one))];
}

/** @throws DomainError not-found */
export async function getLayout(db: Db, code: string): Promise<BankLayout> {
  const found = (await readLayouts(db)).find(({ layout }) => layout.plantilla === code);
  if (!found) throw new DomainError('not-found', `No existe la plantilla de banco «${code}».`);
  return found.layout;
}

/**
 * Takes an administrator's layout from here on, in the place of one of the same name.
 * @throws DomainError invalid bad_layout
 */
export async function saveLayout(db: Db, actor: Actor, text: string): Promise<BankLayout> {
  const layout = parseLayout(text);
  await inTransaction(db, async (trx) => {
    const before = (await readLayouts(trx)).find((one) => one.layout.plantilla === layout.plantilla);
    // One of the program's own that is taken as it is becomes the firm's.
    if (before?.changedAt && layoutText(before.layout) === layoutText(layout)) return;
    const row = { definition: layoutText(layout), userId: actor.userId, updatedAt: actor.at };
    await trx
      .insertInto('bank_layouts')
      .values({ code: layout.plantilla, ...row })
      .onConflict((conflict) => conflict.column('code').doUpdateSet(row))
      .execute();
    note(trx, actor, layout.plantilla, before?.layout, layout);
  });
  return layout;
}

/** Back to the program's own, or to none. @throws DomainError not-found where the firm has none of its own */
export async function resetLayout(db: Db, actor: Actor, code: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await getLayout(trx, code);
    const { numDeletedRows } = await trx
      .deleteFrom('bank_layouts')
      .where('code', '=', code)
      .executeTakeFirstOrThrow();
    if (Number(numDeletedRows) === 0)
      throw new DomainError('not-found', `La plantilla «${code}» es la de fábrica.`);
    note(
      trx,
      actor,
      code,
      before,
      BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === code),
    );
  });
}

/** Beside the settings, as one of them. */
function note(
  trx: Parameters<typeof audit>[0],
  actor: Actor,
  code: string,
  before: BankLayout | undefined,
  after: BankLayout | undefined,
): void {
  const valueOfLayout = (layout: BankLayout | undefined) => ({ value: layout ? layoutText(layout) : '' });
  audit(trx, actor, {
    action: 'update',
    entity: 'settings',
    entityId: `plantilla.${code}`,
    before: valueOfLayout(before),
    after: valueOfLayout(after),
  });
}
