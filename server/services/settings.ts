import { lockKey } from '../../db/expressions.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';
import { parseRate, rateText } from '../../shared/money.ts';
import { isRfc, normalizeRfc } from '../../shared/rfc.ts';
import { ROLE_NAMES } from '../../shared/roles.ts';
import { cleanText } from '../../shared/text.ts';
import { type Actor, audit } from './audit.ts';

interface SettingDefinition {
  default: string;
  description: string;
  /** the value as it is stored; throws DomainError invalid */
  check(value: string): string;
}

const roleSetting = (id: number): SettingDefinition => ({
  default: ROLE_NAMES[id] ?? '',
  description: `Nombre del rol ${id}`,
  check: (value) => required(text(60)(value), 'un nombre'),
});

/** Every setting there is; a feature that needs one adds it here. */
export const SETTINGS = {
  empresa: { default: '', description: 'Nombre de la empresa', check: text(200) },
  rfc: { default: '', description: 'RFC de la empresa, receptor de sus facturas', check: rfc },
  direccion: { default: '', description: 'Dirección de la empresa, para los membretes', check: text(500) },
  moneda: { default: 'MXN', description: 'Moneda base (ISO 4217)', check: currency },
  tasa: {
    default: '16',
    description: 'Tasa de IVA de una factura nueva, en %',
    check: (v: string) => rateText(parseRate(v)),
  },
  diascredito: { default: '0', description: 'Días de crédito de un proveedor nuevo', check: whole(0, 365) },
  semanas: { default: '12', description: 'Semanas en el reporte de saldos', check: whole(1, 53) },
  'sesion.inactiva': {
    default: '8',
    description: 'Horas sin uso hasta que termina una sesión',
    check: whole(1, 168),
  },
  'sesion.total': { default: '24', description: 'Horas hasta que termina una sesión', check: whole(1, 720) },
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

/** @throws DomainError not-found (no such key) or invalid (not a value it takes) */
export async function changeSetting(db: Db, actor: Actor, key: string, value: string): Promise<void> {
  const definition = settingDefinition(key);
  const stored = definition.check(value);
  await inTransaction(db, async (trx) => {
    await lockKey(trx, `setting:${key}`);
    const before = (await readSettings(trx))[key as SettingKey];
    if (before === stored) return;
    await trx
      .insertInto('settings')
      .values({ key, value: stored })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: stored }))
      .execute();
    const roleId = /^rol\.(\d)$/.exec(key)?.[1];
    if (roleId)
      await trx.updateTable('roles').set({ rolename: stored }).where('id', '=', Number(roleId)).execute();
    audit(trx, actor, {
      action: 'update',
      entity: 'settings',
      entityId: key,
      before: { value: before },
      after: { value: stored },
    });
  });
  kept.delete(db);
}

export function settingDefinition(key: string): SettingDefinition {
  if (!isSettingKey(key)) throw new DomainError('not-found', `No existe el ajuste «${key}».`);
  return SETTINGS[key];
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
