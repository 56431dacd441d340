import type { BUDGET_RULES } from '../../../shared/budgets.ts';
import { isOfThisCentury, isPlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/language.ts';
import { moneyText, parseMoney, parseRate, rateText } from '../../../shared/money.ts';
import type { CheckLevel } from '../../../shared/payment-batches.ts';
import { isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { ROLE_NAMES } from '../../../shared/roles.ts';
import { cleanLine, cleanText } from '../../../shared/text.ts';
import { STATEMENT_COLUMNS } from './statement-columns.ts';

export const SETTING_GROUPS = [
  'Empresa',
  'Captura',
  'Reglas',
  'Pagos',
  'Estados de cuenta',
  'Caja chica',
  'Sesiones',
  'Roles',
  'Cierre',
] as const;

interface SettingDefinition {
  group: (typeof SETTING_GROUPS)[number];
  label: string;
  default: string;
  description: string;
  /** on the page under its field: its meaning and the values that it takes */
  hint?: string;
  /** the field on the page, where that is not a line of text */
  control?: SettingControl;
  /** the value as it is stored; throws DomainError invalid */
  check(value: string): string;
}

interface SettingControl {
  kind?: 'number' | 'textarea' | 'select' | 'date';
  options?: readonly { value: string; label: string }[];
  min?: number;
  max?: number;
  suffix?: string;
  wide?: boolean;
}

const roleSetting = (id: number, hint?: string): SettingDefinition => ({
  group: 'Roles',
  label: `Rol ${id}`,
  default: ROLE_NAMES[id] ?? '',
  description: `Nombre del rol ${id}`,
  hint,
  check: (value) => required(text(60)(value), 'un nombre'),
});

/** The consequence of a check of payment batches. */
const checkSetting = (label: string, what: string, usual: CheckLevel = 'avisar'): SettingDefinition => ({
  group: 'Pagos',
  label,
  default: usual,
  description: `Semáforo de pago, ${what}: ignorar, avisar o impedir`,
  hint: `Al programar, autorizar y pagar: ${what}.`,
  ...choice<CheckLevel>({ ignorar: 'Ignorar', avisar: 'Avisar', impedir: 'Impedir' }),
});

/** Every setting there is; a feature that needs one adds it here. */
export const SETTINGS = {
  empresa: {
    group: 'Empresa',
    label: 'Nombre',
    default: '',
    description: 'Nombre de la empresa',
    hint: 'Como aparece en la barra de arriba y en lo que se exporta.',
    control: { wide: true },
    check: text(200),
  },
  rfc: {
    group: 'Empresa',
    label: 'RFC',
    default: '',
    description: 'RFC de la empresa, receptor de sus facturas',
    hint: 'El receptor de sus facturas: 12 o 13 caracteres.',
    check: rfc,
  },
  direccion: {
    group: 'Empresa',
    label: 'Dirección',
    default: '',
    description: 'Dirección de la empresa, para los membretes',
    hint: 'Para los membretes.',
    control: { kind: 'textarea', wide: true },
    check: (value) => cleanText(value, 'Valor', 'value', 500),
  },
  idioma: {
    group: 'Empresa',
    label: 'Idioma',
    default: 'mixto',
    description:
      'Idioma de pantallas, archivos y terminal: mixto (español, con textos y fechas en inglés) o es',
    hint: 'Para todos a la vez: pantallas, archivos y terminal.',
    ...choice<Language>({
      mixto: 'Mixto: algunos textos y las fechas en inglés',
      es: 'Todo en español',
    }),
  },
  tasa: {
    group: 'Captura',
    label: 'Tasa de IVA',
    default: '16',
    description: 'Tasa de IVA de una factura nueva, en %',
    hint: 'De una factura nueva, de 0 a 100.',
    control: { suffix: '%' },
    check: (v: string) => rateText(parseRate(v)),
  },
  diascredito: {
    group: 'Captura',
    label: 'Días de crédito',
    default: '0',
    description: 'Días de crédito de un proveedor nuevo',
    hint: 'De un proveedor nuevo, de 0 a 365.',
    ...whole(0, 365),
  },
  moneda: {
    group: 'Reglas',
    label: 'Moneda base',
    default: 'MXN',
    description: 'Moneda base (ISO 4217)',
    hint: 'Un código como MXN o USD: decide qué CFDI necesitan tipo de cambio.',
    check: currency,
  },
  presupuesto: {
    group: 'Reglas',
    label: 'Presupuesto excedido',
    default: 'avisar',
    description: 'Qué pasa con una factura que excede el presupuesto de su obra: ignorar, avisar o impedir',
    hint: 'Si se impide, Dirección puede guardarla con un motivo.',
    ...choice<(typeof BUDGET_RULES)[number]>({
      ignorar: 'Ignorar',
      avisar: 'Avisar, y guardarla',
      impedir: 'Impedir que se guarde',
    }),
  },
  semanas: {
    group: 'Reglas',
    label: 'Semanas del reporte',
    default: '12',
    description: 'Semanas en el reporte de saldos',
    hint: 'Columnas de Saldos por proveedor, de 1 a 53.',
    ...whole(1, 53),
  },
  'respaldo.dias': {
    group: 'Reglas',
    label: 'Días sin respaldo',
    default: '7',
    description: 'Días después de los cuales se avisa que falta un respaldo',
    hint: 'Pasados estos días desde el último, de 1 a 365, la campana avisa a los administradores.',
    ...whole(1, 365),
  },
  autorizacion: {
    group: 'Pagos',
    label: 'Autorización',
    default: 'otra',
    description:
      'Quién autoriza una programación de pagos o lo que entra a una caja chica: misma (también su autor) u otra persona',
    hint: 'Quién autoriza una programación de pagos, o lo que entra a una caja chica.',
    ...choice({ otra: 'Otra persona que quien la hizo', misma: 'También quien la hizo' }),
  },
  'autorizacion.limite': {
    group: 'Pagos',
    label: 'Una firma hasta',
    default: '',
    description: 'Hasta este importe basta una firma; una programación mayor pide dos. Vacío: siempre una',
    hint: 'Las programaciones mayores piden dos firmas. Vacío: siempre una.',
    check: amountOrNone,
  },
  'semaforo.duplicada': checkSetting('Facturas parecidas', 'una factura que se parece a otra'),
  'semaforo.rep': checkSetting('REP vencidos', 'pagos anteriores sin su REP'),
  'semaforo.rfc': checkSetting('RFC del proveedor', 'un RFC mal formado'),
  'semaforo.xml': checkSetting('XML de la factura', 'una factura sin su XML'),
  'caja.tope': {
    group: 'Caja chica',
    label: 'Tope por gasto',
    default: '',
    description:
      'Lo más que puede ser un gasto de caja chica donde su caja no dice otra cosa. Vacío: sin tope',
    hint: 'Donde la caja no tiene el suyo. Vacío: sin tope.',
    check: amountOrNone,
  },
  'caja.plazo': {
    group: 'Caja chica',
    label: 'Días para comprobar',
    default: '7',
    description: 'Días para traer el comprobante de un gasto de caja chica que se entregó sin él',
    hint: 'De lo que se entrega sin comprobante, de 0 a 90.',
    ...whole(0, 90),
  },
  ...STATEMENT_COLUMNS,
  'semaforo.cuenta': checkSetting(
    'Cuenta del proveedor',
    'una cuenta bancaria que nadie ha confirmado, o que es nueva',
    'impedir',
  ),
  'cuenta.espera': {
    group: 'Pagos',
    label: 'Espera de una cuenta',
    default: '1',
    description: 'Días hábiles que una cuenta bancaria es nueva después de capturarla o cambiarla',
    hint: 'Tantos días hábiles es nueva después de capturarla o cambiarla, de 0 a 30.',
    ...whole(0, 30),
  },
  cierre: {
    group: 'Cierre',
    label: 'Fecha de cierre',
    default: '',
    description: 'Último día cerrado (AAAA-MM-DD): hasta él nada se crea, cambia ni elimina; vacío: ninguno',
    hint: 'Hasta este día nada se crea, cambia ni elimina, si no es por un administrador y con un motivo. Vacía: no hay nada cerrado.',
    control: { kind: 'date' },
    check: day,
  },
  'sesion.inactiva': {
    group: 'Sesiones',
    label: 'Horas sin uso',
    default: '8',
    description: 'Horas sin uso hasta que termina una sesión',
    hint: 'Sin que nadie la use, de 1 a 168.',
    ...whole(1, 168),
  },
  'sesion.total': {
    group: 'Sesiones',
    label: 'Horas en total',
    default: '24',
    description: 'Horas hasta que termina una sesión',
    hint: 'Aunque se use, de 1 a 720.',
    ...whole(1, 720),
  },
  doblefactor: {
    group: 'Sesiones',
    label: 'Doble factor',
    default: 'none',
    description: 'Qué roles entran con un código además de la contraseña: none, all, o sus números (1,3)',
    hint: 'none: quien quiera. all: todos. O números de rol, como 1,3: ellos deben tenerlo.',
    check: factorRoles,
  },
  'rol.1': roleSetting(1, 'Ve las cifras de dirección.'),
  'rol.2': roleSetting(2),
  'rol.3': roleSetting(3, 'Administra usuarios y configuración.'),
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

/** Changes of controls, such as who may sign, ask for the own password again. */
export const isControl = (key: string): boolean => CONTROLS.test(key);

const CONTROLS = /^(autorizacion|semaforo|cuenta|doblefactor|cierre)(\.|$)/;

export function defaultSettings(): Settings {
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [key, setting.default]);
  return Object.fromEntries(entries) as Settings;
}

function text(max: number) {
  return (value: string) => cleanLine(value, 'Valor', 'value', max);
}

/** Check and control of a whole number. */
function whole(min: number, max: number) {
  const check = (value: string) => {
    const number = Number(value);
    if (!/^\d{1,4}$/.test(value.trim()) || number < min || number > max)
      expects(`un entero de ${min} a ${max}`);
    return String(number);
  };
  return { check, control: { kind: 'number' as const, min, max } };
}

function amountOrNone(value: string): string {
  if (value.trim() === '') return '';
  const cents = parseMoney(value, 'Importe', 'value');
  return cents > 0 ? moneyText(cents) : expects('un importe mayor que cero');
}

/** @param labels of the values that may be chosen, in their order */
function choice<Value extends string>(labels: Readonly<Record<Value, string>>) {
  const values = Object.keys(labels);
  const check = (value: string) => {
    const chosen = value.trim().toLowerCase();
    return values.includes(chosen) ? chosen : expects(values.join(' o '));
  };
  const options = Object.entries<string>(labels).map(([value, label]) => ({ value, label }));
  return { check, control: { kind: 'select' as const, options } };
}

function day(value: string): string {
  const text = value.trim();
  if (text && !isPlainDate(text)) expects('un día como 2026-10-31, o nada');
  if (text === '' || isOfThisCentury(text)) return text;
  const message = `${text} está fuera de 2000 a 2099.`;
  throw new DomainError('invalid', message, { fields: { value: message } });
}

/** none, all, or numbers of roles, each once and in order. */
function factorRoles(value: string): string {
  const text = value.trim().toLowerCase();
  if (text === 'none' || text === 'all') return text;
  const roles = text.split(/\s*,\s*/);
  if (roles.some((role) => !/^[1-6]$/.test(role))) expects('none, all o números de rol como 1,3');
  return [...new Set(roles)].sort().join(',');
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
