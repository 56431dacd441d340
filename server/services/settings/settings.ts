import { compileQueryOnce } from '../../../db/compile-once.ts';
import { lockAdvisoryKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { requireArea } from '../area-access.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { CLOSING_KEY, lockClosingExclusive, requireMayMoveClosing } from '../closing/closing.ts';
import { requireDistinctHeadings } from './bank-statement-columns.ts';
import {
  DEFAULT_SETTINGS,
  getSettingDefinition,
  isSettingKey,
  type SettingKey,
  type Settings,
} from './definitions.ts';

export async function readSettings(db: Db): Promise<Settings> {
  const settings = { ...DEFAULT_SETTINGS };
  for (const { key, value } of await readStoredSettings(db)) {
    if (isSettingKey(key)) settings[key] = value;
  }
  return settings;
}

const readStoredSettings = compileQueryOnce((db) => db.selectFrom('settings').select(['key', 'value']));

export interface SettingChange {
  key: string;
  value: string;
  /** the value before the edit; without it the change overwrites any value */
  previous?: string;
}

interface ChangeSettingOptions {
  /** the closing date may lie in the future */
  allowFuture?: boolean;
}

/** @throws DomainError forbidden, not-found (no such key) or invalid (not a value that it accepts) */
export const changeSetting = (
  db: Db,
  actor: Actor,
  key: string,
  value: string,
  options?: ChangeSettingOptions,
): Promise<number> => changeSettings(db, actor, [{ key, value }], options);

/**
 * @returns the number of settings that changed; either all changes are stored, or none
 * @throws DomainError forbidden; not-found, invalid or stale, naming the settings by their keys; conflict (the closing
 * date)
 */
export async function changeSettings(
  db: Db,
  actor: Actor,
  changes: readonly SettingChange[],
  { allowFuture = false }: ChangeSettingOptions = {},
): Promise<number> {
  requireArea(actor, 'admin');
  const checked = checkSettingChanges(changes);
  return inTransaction(db, async (trx) => {
    // Locked before all else, so that running writes end first.
    if (checked.some(({ key }) => key === CLOSING_KEY)) await lockClosingExclusive(trx);
    await lockAdvisoryKey(trx, 'settings');
    const current = await readSettings(trx);
    requireNoStaleChange(checked, current);
    requireDistinctHeadings(checked, current);
    const differing = checked.filter(({ key, stored }) => current[key] !== stored);
    for (const { key, stored } of differing) {
      if (key === CLOSING_KEY) requireMayMoveClosing(actor, current[key], stored, allowFuture);
      await storeSetting(trx, actor, key, current[key], stored);
    }
    return differing.length;
  });
}

interface CheckedChange extends SettingChange {
  key: SettingKey;
  stored: string;
}

function checkSettingChanges(changes: readonly SettingChange[]): CheckedChange[] {
  const fields: Record<string, string> = {};
  const checked = changes.map((change) => {
    const { check } = getSettingDefinition(change.key);
    try {
      return { ...change, key: change.key as SettingKey, stored: check(change.value) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      fields[change.key] = error.message;
      return { ...change, key: change.key as SettingKey, stored: '' };
    }
  });
  const [first] = Object.values(fields);
  if (first !== undefined) throw new DomainError('invalid', first, { fields });
  return checked;
}

function requireNoStaleChange(changes: readonly CheckedChange[], current: Settings): void {
  const fields: Record<string, string> = {};
  for (const { key, previous, stored } of changes) {
    if (previous === undefined || current[key] === previous || current[key] === stored) continue;
    fields[key] = `Guardado por otra persona: ${current[key] || '(vacío)'}`;
  }
  if (Object.keys(fields).length === 0) return;
  const message = 'Otra persona guardó estos ajustes mientras los editabas.';
  throw new DomainError('stale', message, { fields, extra: { current } });
}

async function storeSetting(
  trx: Trx,
  actor: Actor,
  key: SettingKey,
  before: string,
  after: string,
): Promise<void> {
  await trx
    .insertInto('settings')
    .values({ key, value: after })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: after }))
    .execute();
  const roleId = /^rol\.(\d)$/.exec(key)?.[1];
  if (roleId)
    await trx.updateTable('roles').set({ rolename: after }).where('id', '=', Number(roleId)).execute();
  queueAuditEntry(trx, actor, {
    action: 'update',
    entity: 'settings',
    entityId: key,
    before: { value: before },
    after: { value: after },
  });
}
