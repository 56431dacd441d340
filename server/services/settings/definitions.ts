import { DomainError } from '../../../shared/errors.ts';
import { parseRate, rateText } from '../../../shared/money.ts';
import { isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { ROLE_NAMES } from '../../../shared/roles.ts';
import { cleanText } from '../../../shared/text.ts';

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

/** @throws DomainError not-found */
export function settingDefinition(key: string): SettingDefinition {
  if (!isSettingKey(key)) throw new DomainError('not-found', `No existe el ajuste «${key}».`);
  return SETTINGS[key];
}

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);

export function defaultSettings(): Settings {
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
