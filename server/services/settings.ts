import { lockKey } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';
import { parseRate, rateText } from '../../shared/money.ts';
import { isRfc, normalizeRfc } from '../../shared/rfc.ts';
import { ROLE_NAMES } from '../../shared/roles.ts';
import { cleanText } from '../../shared/text.ts';
import { type Actor, audit } from './audit.ts';

export const SETTING_GROUPS = ['Empresa', 'Facturas', 'Reporte', 'Sesiones', 'Roles'] as const;

interface SettingDefinition {
  group: (typeof SETTING_GROUPS)[number];
  /** on screen, within its group */
  label: string;
  default: string;
  description: string;
  /** the value as it is stored; throws DomainError invalid */
  check(value: string): string;
}

const roleSetting = (id: number): SettingDefinition => ({
  group: 'Roles',
  label: `Rol ${id}`,
  default: ROLE_NAMES[id] ?? '',
  description: `Nombre del rol ${id}`,
  check: (value) => required(text(60)(value), 'un nombre'),
});

/** Every setting there is; a feature that needs one adds it here. */
export const SETTINGS = {
  empresa: {
    group: 'Empresa',
    label: 'Nombre',
    default: '',
    description: 'Nombre de la empresa',
    check: text(200),
  },
  rfc: {
    group: 'Empresa',
    label: 'RFC',
    default: '',
    description: 'RFC de la empresa, receptor de sus facturas',
    check: rfc,
  },
  direccion: {
    group: 'Empresa',
    label: 'Dirección',
    default: '',
    description: 'Dirección de la empresa, para los membretes',
    check: text(500),
  },
  moneda: {
    group: 'Facturas',
    label: 'Moneda base',
    default: 'MXN',
    description: 'Moneda base (ISO 4217)',
    check: currency,
  },
  tasa: {
    group: 'Facturas',
    label: 'Tasa de IVA',
    default: '16',
    description: 'Tasa de IVA de una factura nueva, en %',
    check: (v: string) => rateText(parseRate(v)),
  },
  diascredito: {
    group: 'Facturas',
    label: 'Días de crédito',
    default: '0',
    description: 'Días de crédito de un proveedor nuevo',
    check: whole(0, 365),
  },
  semanas: {
    group: 'Reporte',
    label: 'Semanas',
    default: '12',
    description: 'Semanas en el reporte de saldos',
    check: whole(1, 53),
  },
  'sesion.inactiva': {
    group: 'Sesiones',
    label: 'Horas sin uso',
    default: '8',
    description: 'Horas sin uso hasta que termina una sesión',
    check: whole(1, 168),
  },
  'sesion.total': {
    group: 'Sesiones',
    label: 'Horas en total',
    default: '24',
    description: 'Horas hasta que termina una sesión',
    check: whole(1, 720),
  },
  'rol.1': roleSetting(1),
  'rol.2': roleSetting(2),
  'rol.3': roleSetting(3),
  'rol.4': roleSetting(4),
  'rol.5': roleSetting(5),
  'rol.6': roleSetting(6),
} as const satisfies Record<string, SettingDefinition>;

export type SettingKey = keyof typeof SETTINGS;
export type Settings = Record<SettingKey, string>;

/** Read at every request, so kept for a moment; another process's change is seen within it. */
const KEPT_MS = 2000;
const kept = new WeakMap<Db, { until: number; settings: Settings }>();

export async function readSettings(db: Db): Promise<Settings> {
  const known = kept.get(db);
  if (known && known.until > performance.now()) return known.settings;
  const settings = defaults();
  for (const { key, value } of await db.selectFrom('settings').selectAll().execute()) {
    if (isSettingKey(key)) settings[key] = value;
  }
  if (!db.isTransaction) kept.set(db, { until: performance.now() + KEPT_MS, settings });
  return settings;
}

export interface SettingChange {
  key: string;
  value: string;
  /** what stood there when it was edited; without it the change goes over whatever stands there now */
  former?: string;
}

/** @throws DomainError not-found (no such key) or invalid (not a value it takes) */
export const changeSetting = (db: Db, actor: Actor, key: string, value: string): Promise<number> =>
  changeSettings(db, actor, [{ key, value }]);

/**
 * All of the changes or none, each that differs with an entry of its own in the audit trail.
 * @returns how many differed
 * @throws DomainError not-found, invalid or stale, naming the settings by their keys
 */
export async function changeSettings(
  db: Db,
  actor: Actor,
  changes: readonly SettingChange[],
): Promise<number> {
  const checked = checkAll(changes);
  const changed = await inTransaction(db, async (trx) => {
    await lockKey(trx, 'settings');
    const current = await readSettings(trx);
    refuseStale(checked, current);
    const differing = checked.filter(({ key, stored }) => current[key] !== stored);
    for (const { key, stored } of differing) await storeSetting(trx, actor, key, current[key], stored);
    return differing.length;
  });
  kept.delete(db);
  return changed;
}

export function settingDefinition(key: string): SettingDefinition {
  if (!isSettingKey(key)) throw new DomainError('not-found', `No existe el ajuste «${key}».`);
  return SETTINGS[key];
}

interface CheckedChange extends SettingChange {
  key: SettingKey;
  stored: string;
}

/** Every value that is refused says so at once, not only the first. */
function checkAll(changes: readonly SettingChange[]): CheckedChange[] {
  const fields: Record<string, string> = {};
  const checked = changes.map((change) => {
    const { check } = settingDefinition(change.key);
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

/** Somebody else changed the same setting meanwhile, to something else. */
function refuseStale(changes: readonly CheckedChange[], current: Settings): void {
  const fields: Record<string, string> = {};
  for (const { key, former, stored } of changes) {
    if (former === undefined || current[key] === former || current[key] === stored) continue;
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
  audit(trx, actor, {
    action: 'update',
    entity: 'settings',
    entityId: key,
    before: { value: before },
    after: { value: after },
  });
}

const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);

function defaults(): Settings {
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [key, setting.default]);
  return Object.fromEntries(entries) as Settings;
}

function text(max: number) {
  return (value: string) => cleanText(value, 'Valor', 'value', max);
}

function whole(min: number, max: number) {
  return (value: string) => {
    const number = Number(value);
    if (!/^\d{1,4}$/.test(value.trim()) || number < min || number > max)
      expects(`un entero de ${min} a ${max}`);
    return String(number);
  };
}

function currency(value: string): string {
  const code = value.trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) expects('un código de moneda como MXN');
  return code;
}

function rfc(value: string): string {
  const normalized = normalizeRfc(value);
  if (normalized && !isRfc(normalized)) expects('un RFC de 12 o 13 caracteres');
  return normalized;
}

function required(value: string, what: string): string {
  return value || expects(what);
}

function expects(what: string): never {
  throw new DomainError('invalid', `Se espera ${what}.`, { fields: { value: `Se espera ${what}.` } });
}
