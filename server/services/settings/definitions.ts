import type { BUDGET_EXCESS_POLICIES } from '../../../shared/budgets.ts';
import { describeOtherCentury, isOfThisCentury, isPlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/language.ts';
import { formatRate, parseMoney, parseRate, toDecimalText } from '../../../shared/money.ts';
import { CHECK_LEVELS, type CheckLevel } from '../../../shared/payment-batches.ts';
import { createRefusal, throwIfRefused, toDomainError } from '../../../shared/refusal.ts';
import { isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { ROLE_NAMES } from '../../../shared/roles.ts';
import { cleanLine, cleanText } from '../../../shared/text.ts';
import { BANK_STATEMENT_COLUMN_SETTINGS, BANK_STATEMENT_WORD_SETTINGS } from './bank-statement-columns.ts';

/** The settings have these pages, in this order: each has the last part of its path, and its title. */
export const SETTING_SUBJECTS = {
  empresa: 'Empresa',
  facturas: 'Facturas y reportes',
  pagos: 'Pagos',
  'caja-chica': 'Caja chica',
  contabilidad: 'Contabilidad',
  bancos: 'Archivos de bancos',
  acceso: 'Acceso y roles',
  cierre: 'Cierre',
  respaldos: 'Respaldos',
  'acerca-de': 'Acerca de',
} as const;

export const SECTION_NOTES = {
  'Semáforo de pago': 'Se revisa al programar, al autorizar y al pagar.',
  'Nombres de los roles': 'Solo cambia el nombre: lo que cada rol ve y hace queda igual.',
  'Columnas de los estados de cuenta':
    'Escribe aquí los encabezados y las palabras de tu banco, separados por comas, si Saldo no los reconoce.',
} as const;

export type SettingSubject = keyof typeof SETTING_SUBJECTS;

interface SettingDefinition {
  subject: SettingSubject;
  section?: keyof typeof SECTION_NOTES;
  label: string;
  default: string;
  description: string;
  /** shown under its field on the page; only where a misunderstanding would cost something */
  hint?: string;
  /** the control on the page, where it is not a line of text */
  control?: SettingControl;
  /** returns the value as stored; throws DomainError invalid */
  check(value: string): string;
}

interface SettingControl {
  /** `radio`: one of few; `roles`: nobody, everybody, or some of the roles */
  kind?: 'number' | 'money' | 'textarea' | 'date' | 'radio' | 'roles';
  options?: readonly { value: string; label: string }[];
  min?: number;
  max?: number;
  suffix?: string;
  placeholder?: string;
  wide?: boolean;
}

const roleNameSetting = (id: number): SettingDefinition => ({
  subject: 'acceso',
  section: 'Nombres de los roles',
  label: `Rol ${id}`,
  default: ROLE_NAMES[id] ?? '',
  description: `Nombre del rol ${id}`,
  check: (value) => requireNonEmpty(createTextCheck(60)(value), 'un nombre'),
});

const paymentCheckSetting = (
  label: string,
  what: string,
  usual: CheckLevel = 'avisar',
): SettingDefinition => ({
  subject: 'pagos',
  section: 'Semáforo de pago',
  label,
  default: usual,
  description: `Semáforo de pago, ${what}: ignorar, avisar o impedir`,
  ...choiceSetting<CheckLevel>({ ignorar: 'Ignorar', avisar: 'Avisar', impedir: 'Impedir' }),
});

const ledgerAccountSetting = (label: string, usual: string): SettingDefinition => ({
  subject: 'contabilidad',
  label,
  default: usual,
  description: `Cuenta contable: ${label}`,
  check: (value) => checkAccountName(requireNonEmpty(createTextCheck(80)(value), 'el nombre de una cuenta')),
});

/** The option "these roles", with which the page also posts the roles. */
export const SOME_ROLES_OPTION = 'roles';

export const SETTINGS = {
  empresa: {
    subject: 'empresa',
    label: 'Nombre',
    default: '',
    description: 'Nombre de la empresa',
    control: { wide: true },
    check: createTextCheck(200),
  },
  rfc: {
    subject: 'empresa',
    label: 'RFC',
    default: '',
    description: 'RFC de la empresa, receptor de sus facturas',
    check: checkRfc,
  },
  moneda: {
    subject: 'empresa',
    label: 'Moneda base',
    default: 'MXN',
    description: 'Moneda base (ISO 4217)',
    hint: 'Decide qué CFDI necesitan tipo de cambio.',
    check: checkCurrency,
  },
  direccion: {
    subject: 'empresa',
    label: 'Dirección',
    default: '',
    description: 'Dirección de la empresa, para los membretes',
    control: { kind: 'textarea', wide: true },
    check: (value) => cleanText(value, 'Valor', 'value', 500),
  },
  idioma: {
    subject: 'empresa',
    label: 'Idioma',
    default: 'mixto',
    description:
      'Idioma de pantallas, archivos y terminal: mixto (español, con textos y fechas en inglés) o es',
    ...choiceSetting<Language>({
      mixto: 'Mixto: algunos textos y las fechas en inglés',
      es: 'Todo en español',
    }),
  },
  tasa: {
    subject: 'facturas',
    label: 'Tasa de IVA de una factura nueva',
    default: '16',
    description: 'Tasa de IVA de una factura nueva, en %',
    control: { suffix: '%' },
    check: (v: string) => formatRate(parseRate(v)),
  },
  diascredito: {
    subject: 'facturas',
    label: 'Días de crédito de un proveedor nuevo',
    default: '0',
    description: 'Días de crédito de un proveedor nuevo',
    ...wholeNumberSetting(0, 365),
  },
  presupuesto: {
    subject: 'facturas',
    label: 'Factura que excede el presupuesto',
    default: 'avisar',
    description: 'Qué pasa con una factura que excede el presupuesto de su obra: ignorar, avisar o impedir',
    ...choiceSetting<(typeof BUDGET_EXCESS_POLICIES)[number]>({
      ignorar: 'Ignorar',
      avisar: 'Avisar, y guardarla',
      impedir: 'Impedir, salvo a Dirección con un motivo',
    }),
  },
  semanas: {
    subject: 'facturas',
    label: 'Semanas en Saldos por proveedor',
    default: '12',
    description: 'Semanas en el reporte de saldos',
    ...wholeNumberSetting(1, 53),
  },
  'respaldo.dias': {
    subject: 'respaldos',
    label: 'Días sin respaldo hasta que avisa la campana',
    default: '7',
    description: 'Días después de los cuales se avisa que falta un respaldo',
    ...wholeNumberSetting(1, 365),
  },
  autorizacion: {
    subject: 'pagos',
    label: 'Quién autoriza una programación o lo que entra a una caja',
    default: 'otra',
    description:
      'Quién autoriza una programación de pagos o lo que entra a una caja chica: misma (también su autor) u otra persona',
    ...choiceSetting({ otra: 'Otra persona', misma: 'También quien lo hizo' }),
  },
  'autorizacion.limite': {
    subject: 'pagos',
    label: 'Basta una firma hasta',
    default: '',
    description:
      'Hasta este importe basta una firma; una programación mayor pide dos. Si lo dejas vacío, siempre una',
    hint: 'Una programación mayor pide dos.',
    control: { kind: 'money', placeholder: 'Sin límite' },
    check: checkAmountOrNone,
  },
  'autorizacion.espera': {
    subject: 'pagos',
    label: 'Días que espera una cuenta para firmar',
    default: '0',
    description:
      'Días que no firma quien tiene una cuenta que hizo, activó o restableció alguien que está detrás del importe',
    hint: 'Cuentan desde que la hizo, la activó o la restableció alguien que está detrás del importe. Con 0 no espera: puede firmar, y se avisa a los demás.',
    ...wholeNumberSetting(0, 30),
  },
  'semaforo.cancelado': paymentCheckSetting(
    'CFDI cancelado',
    'un CFDI que el SAT tiene por cancelado',
    'impedir',
  ),
  'semaforo.sin_verificar': paymentCheckSetting(
    'CFDI sin verificar',
    'un CFDI que ningún archivo de metadatos trae',
    'ignorar',
  ),
  'semaforo.duplicada': paymentCheckSetting('Facturas parecidas', 'una factura que se parece a otra'),
  'semaforo.rep': paymentCheckSetting('REP vencidos', 'pagos anteriores sin su REP'),
  'semaforo.rfc': paymentCheckSetting('RFC mal formado', 'un RFC mal formado'),
  'semaforo.lista69b': paymentCheckSetting(
    'Lista 69-B',
    'un proveedor Definitivo en la lista 69-B; si es Presunto solo avisa',
    'impedir',
  ),
  'semaforo.xml': paymentCheckSetting('Factura sin su XML', 'una factura sin su XML'),
  'semaforo.retencion': paymentCheckSetting(
    'Retenciones que no corresponden',
    'un CFDI que retiene otra cosa que lo que corresponde',
  ),
  'semaforo.sello': paymentCheckSetting(
    'Sello que no corresponde',
    'un CFDI cuyo sello no corresponde al timbre o al contenido',
  ),
  'caja.tope': {
    subject: 'caja-chica',
    label: 'Tope por gasto de las cajas sin tope propio',
    default: '',
    description:
      'Lo más que puede ser un gasto de caja chica donde su caja no dice otra cosa. Si lo dejas vacío, sin tope',
    control: { kind: 'money', placeholder: 'Sin tope' },
    check: checkAmountOrNone,
  },
  'caja.plazo': {
    subject: 'caja-chica',
    label: 'Días para comprobar un gasto',
    default: '7',
    description: 'Días para traer el comprobante de un gasto de caja chica que se entregó sin él',
    ...wholeNumberSetting(0, 90),
  },
  ...BANK_STATEMENT_COLUMN_SETTINGS,
  ...BANK_STATEMENT_WORD_SETTINGS,
  'semaforo.cuenta': paymentCheckSetting(
    'Cuenta nueva o sin confirmar',
    'una cuenta bancaria que nadie ha confirmado, o que es nueva',
    'impedir',
  ),
  'cuenta.espera': {
    subject: 'pagos',
    section: 'Semáforo de pago',
    label: 'Días hábiles que una cuenta se considera nueva',
    default: '1',
    description: 'Días hábiles que una cuenta bancaria es nueva después de capturarla o cambiarla',
    ...wholeNumberSetting(0, 30),
  },
  'diot.vence': {
    subject: 'contabilidad',
    label: 'La DIOT se presenta',
    default: 'fin',
    description: 'Hasta cuándo se presenta la DIOT de un mes: el fin del mes siguiente, o su día 17 (dia17)',
    ...choiceSetting({
      fin: 'Hasta el último día del mes siguiente',
      dia17: 'Hasta el día 17 del mes siguiente',
    }),
  },
  'cuenta.proveedores': ledgerAccountSetting('Proveedores', '201.01 Proveedores nacionales'),
  'cuenta.anticipos': ledgerAccountSetting(
    'Anticipos a proveedores',
    '120.01 Anticipo a proveedores nacionales',
  ),
  'cuenta.costo': ledgerAccountSetting('Costo sin IVA', '501.01 Costo de obra'),
  'cuenta.iva.pendiente': ledgerAccountSetting('IVA de lo que falta pagar', '119.01 IVA pendiente de pago'),
  'cuenta.iva.acreditado': ledgerAccountSetting('IVA de lo pagado', '118.01 IVA acreditable pagado'),
  'cuenta.retenciones.pendientes': ledgerAccountSetting(
    'Retenciones al pagar',
    '216.99 Retenciones pendientes de pago',
  ),
  'cuenta.retenciones': ledgerAccountSetting('Retenciones de lo pagado', '216.01 Impuestos retenidos'),
  'cuenta.cambiaria': ledgerAccountSetting('Diferencia cambiaria', '701.01 Diferencia cambiaria'),
  'cuenta.bancos': ledgerAccountSetting('Bancos', '102.01 Bancos nacionales'),
  'cuenta.caja': ledgerAccountSetting('Cajas chicas', '101.01 Caja y efectivo'),
  'cuenta.caja.diferencias': ledgerAccountSetting(
    'Faltantes y sobrantes de caja',
    '703.99 Faltantes y sobrantes de caja',
  ),
  cierre: {
    subject: 'cierre',
    label: 'Fecha de cierre',
    default: '',
    description: 'Último día cerrado (AAAA-MM-DD): hasta él nada se crea, cambia ni elimina; vacío: ninguno',
    hint: 'Hasta este día nada se crea, cambia ni elimina, si no es por un administrador y con un motivo.',
    control: { kind: 'date' },
    check: checkDay,
  },
  'sesion.inactiva': {
    subject: 'acceso',
    label: 'Horas sin uso hasta volver a ingresar',
    default: '8',
    description: 'Horas sin uso hasta que termina una sesión',
    ...wholeNumberSetting(1, 168),
  },
  'sesion.total': {
    subject: 'acceso',
    label: 'Horas en total hasta volver a ingresar',
    default: '24',
    description: 'Horas hasta que termina una sesión',
    ...wholeNumberSetting(1, 720),
  },
  doblefactor: {
    subject: 'acceso',
    label: 'Doble factor',
    default: 'none',
    description: 'Qué roles entran con un código además de la contraseña: none, all, o sus números (1,3)',
    control: {
      kind: 'roles',
      options: [
        { value: 'none', label: 'Opcional' },
        { value: 'all', label: 'Todos' },
        { value: SOME_ROLES_OPTION, label: 'Estos roles' },
      ],
    },
    check: checkSecondFactorRoles,
  },
  'rol.1': roleNameSetting(1),
  'rol.2': roleNameSetting(2),
  'rol.3': roleNameSetting(3),
  'rol.4': roleNameSetting(4),
  'rol.5': roleNameSetting(5),
  'rol.6': roleNameSetting(6),
} as const satisfies Record<string, SettingDefinition>;

/** The key of the logo in the audit trail, which lists it among the settings. */
export const LOGO_KEY = 'logo';

export type SettingKey = keyof typeof SETTINGS;
export type Settings = Record<SettingKey, string>;

/** @throws DomainError not-found */
export function getSettingDefinition(key: string): SettingDefinition {
  if (!isSettingKey(key)) throw new DomainError('not-found', `No existe el ajuste «${key}».`);
  return SETTINGS[key];
}

export const settingKeysOf = (subject: SettingSubject): SettingKey[] =>
  (Object.keys(SETTINGS) as SettingKey[]).filter((key) => SETTINGS[key].subject === subject);

export const isSettingSubject = (text: string): text is SettingSubject =>
  Object.hasOwn(SETTING_SUBJECTS, text);

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);

/** Settings that can hold a payment back, each more or less strictly. */
export const PAYMENT_GUARD_SETTINGS = (Object.keys(SETTINGS) as SettingKey[]).filter((key) =>
  /^(autorizacion|semaforo|cuenta\.espera|presupuesto)(\.|$)/.test(key),
);

export const weakensSetting = (key: SettingKey, before: string, after: string): boolean =>
  PAYMENT_GUARD_SETTINGS.includes(key) && computeStrictness(key, after) < computeStrictness(key, before);

/** Returns a number that is higher for a stricter value: a level, a wait in days, or a limit (none is the weakest). */
function computeStrictness(key: SettingKey, value: string): number {
  if (key === 'autorizacion.limite') return value === '' ? Number.NEGATIVE_INFINITY : -parseMoney(value, key);
  return key.endsWith('.espera') ? Number(value) : ['misma', 'otra', ...CHECK_LEVELS].indexOf(value);
}

/** Changes of controls, such as who may sign, require the user's password again. */
export const needsPasswordToChange = (key: string): boolean => SENSITIVE_KEY_PATTERN.test(key);

const SENSITIVE_KEY_PATTERN = /^(autorizacion|semaforo|cuenta\.espera|doblefactor|cierre)(\.|$)/;

export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([key, setting]) => [key, setting.default]),
) as Readonly<Settings>;

function createTextCheck(max: number) {
  return (value: string) => cleanLine(value, 'Valor', 'value', max);
}

function wholeNumberSetting(min: number, max: number) {
  const requireWholeNumber = (value: string) => {
    const number = Number(value);
    if (!/^\d{1,4}$/.test(value.trim()) || number < min || number > max)
      throwInvalidValue(`un entero de ${min} a ${max}`);
    return String(number);
  };
  return { check: requireWholeNumber, control: { kind: 'number' as const, min, max } };
}

function checkAmountOrNone(value: string): string {
  if (value.trim() === '') return '';
  const cents = parseMoney(value, 'Importe', 'value');
  return cents > 0 ? toDecimalText(cents) : throwInvalidValue('un importe mayor que cero');
}

function choiceSetting<Value extends string>(labels: Readonly<Record<Value, string>>) {
  const values = Object.keys(labels);
  const check = (value: string) => {
    const chosen = value.trim().toLowerCase();
    return values.includes(chosen) ? chosen : throwInvalidValue(values.join(' o '));
  };
  const options = Object.entries<string>(labels).map(([value, label]) => ({ value, label }));
  return { check, control: { kind: 'radio' as const, options } };
}

function checkDay(value: string): string {
  const text = value.trim();
  if (text && !isPlainDate(text)) throwInvalidValue('un día como 2026-10-31, o nada');
  if (text && !isOfThisCentury(text))
    throwIfRefused({ ...createRefusal(describeOtherCentury(text), 'value'), code: 'bad_value' });
  return text;
}

/** The value is `none`, `all`, or numbers of roles, each once and in order. */
function checkSecondFactorRoles(value: string): string {
  const text = value.trim().toLowerCase();
  if (text === 'none' || text === 'all') return text;
  if (text === '') throwInvalidValue('al menos un rol');
  const roles = text.split(/\s*,\s*/);
  if (roles.some((role) => !/^[1-6]$/.test(role))) throwInvalidValue('none, all o números de rol como 1,3');
  return [...new Set(roles)].sort().join(',');
}

/** In a ledger file a semicolon begins a comment, and what begins with one of these signs is no account. */
const checkAccountName = (name: string): string =>
  /[;|]|^[([*!~=]|:\s*(:|$)|^:/.test(name)
    ? throwInvalidValue('un nombre de cuenta sin «;» ni «|», que empiece con una letra o un número')
    : name;

function checkCurrency(value: string): string {
  const code = value.trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) throwInvalidValue('un código de moneda como MXN');
  return code;
}

function checkRfc(value: string): string {
  const normalized = normalizeRfc(value);
  if (normalized && !isRfc(normalized)) throwInvalidValue('un RFC de 12 o 13 caracteres');
  return normalized;
}

function requireNonEmpty(value: string, what: string): string {
  return value || throwInvalidValue(what);
}

function throwInvalidValue(what: string): never {
  throw toDomainError(createRefusal(`Se espera ${what}.`, 'value'));
}
