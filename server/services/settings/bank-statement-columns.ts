import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { findDirections, type MoneyDirection } from '../../formats/bank-statements/directions.ts';
import {
  type BankStatementField,
  type BankStatementHeadings,
  type BankStatementOptions,
  DEFAULT_HEADINGS,
} from '../../formats/bank-statements/movements.ts';
import { headingKey } from '../../formats/tables/headings.ts';

const MAX_HEADINGS = 40;
const MAX_HEADING_LENGTH = 60;

/** In letters. An empty field shows as many built-in words as fit into it on a phone. */
const MAX_PLACEHOLDER_LENGTH = 38;

function headingSetting(label: string, description: string, knownHeadings: readonly string[]) {
  const fitsPlaceholder = (_: string, index: number) =>
    knownHeadings.slice(0, index + 1).join(', ').length <= MAX_PLACEHOLDER_LENGTH;
  const placeholder = `De fábrica: ${knownHeadings.filter(fitsPlaceholder).join(', ')}…`;
  return {
    ...({ subject: 'bancos', section: 'Columnas de los estados de cuenta', default: '', label } as const),
    ...{ description, control: { wide: true, placeholder }, check: checkHeadings },
  };
}

const columnSetting = (field: BankStatementField, label: string, what: string) =>
  headingSetting(
    label,
    `Encabezados, separados por comas, con que el estado de cuenta del banco titula ${what}. Si lo dejas vacío, los de fábrica`,
    DEFAULT_HEADINGS[field],
  );

/** Headings of banks' statements; an empty setting stands for the built-in ones. */
export const BANK_STATEMENT_COLUMN_SETTINGS = {
  'estado.fecha': columnSetting('fecha', 'Fecha del movimiento', 'la fecha'),
  'estado.cargo': columnSetting('cargo', 'Cargos', 'lo que sale'),
  'estado.abono': columnSetting('abono', 'Abonos', 'lo que entra'),
  'estado.importe': columnSetting('importe', 'Importe con signo', 'el importe, donde es una sola columna'),
  'estado.signo': columnSetting('signo', 'Cargo o abono', 'si el importe es cargo o abono'),
  'estado.cuenta': columnSetting('cuenta', 'Cuenta propia', 'la cuenta propia, donde un archivo trae varias'),
  'estado.referencia': columnSetting('referencia', 'Referencia', 'la referencia'),
  'estado.descripcion': columnSetting('descripcion', 'Descripción', 'la descripción, la cuenta o la CLABE'),
  'estado.saldo': headingSetting(
    'Saldo',
    'Encabezados, separados por comas, con que el estado de cuenta del banco titula el saldo después de cada movimiento, además de los de fábrica',
    DEFAULT_HEADINGS.saldo,
  ),
};

const directionWordSetting = (label: string, what: string, knownWords: readonly string[]) =>
  headingSetting(
    label,
    `Palabras, separadas por comas, con que la columna de cargo o abono del banco dice ${what}, además de las de fábrica`,
    knownWords,
  );

/** A bank's statement tells charges from credits by these words, in addition to the built-in ones. */
export const BANK_STATEMENT_WORD_SETTINGS = {
  'estado.cargos': directionWordSetting('Palabras de cargo', 'que salió dinero', [
    'Cargo',
    'Retiro',
    'Débito',
    'Egreso',
  ]),
  'estado.abonos': directionWordSetting('Palabras de abono', 'que entró dinero', [
    'Abono',
    'Depósito',
    'Crédito',
    'Ingreso',
  ]),
};

type WordKey = keyof typeof BANK_STATEMENT_WORD_SETTINGS;
const WORD_DIRECTIONS: Readonly<Record<WordKey, MoneyDirection>> = {
  'estado.cargos': 'out',
  'estado.abonos': 'in',
};

type ColumnKey = keyof typeof BANK_STATEMENT_COLUMN_SETTINGS;
const COLUMN_KEYS = Object.keys(BANK_STATEMENT_COLUMN_SETTINGS) as ColumnKey[];

export const bankStatementOptionsOf = (
  values: Readonly<Record<ColumnKey | WordKey, string>>,
): BankStatementOptions => ({
  headings: headingsOf(values),
  signWords: {
    out: splitHeadingList(values['estado.cargos']),
    in: splitHeadingList(values['estado.abonos']),
  },
});

function headingsOf(values: Readonly<Record<ColumnKey, string>>): BankStatementHeadings {
  const entries = COLUMN_KEYS.map((key) => {
    const field = key.slice('estado.'.length) as BankStatementField;
    const changedColumns = splitHeadingList(values[key]);
    if (field === 'saldo') return [field, [...changedColumns, ...DEFAULT_HEADINGS.saldo]] as const;
    return [field, changedColumns.length > 0 ? changedColumns : DEFAULT_HEADINGS[field]] as const;
  });
  return Object.fromEntries(entries) as Record<BankStatementField, readonly string[]>;
}

/** Money that leaves must not be read as money that comes in. @throws DomainError invalid, of the changed setting */
export function requireDistinctHeadings(
  changedSettings: readonly { key: string; stored: string }[],
  currentValues: Readonly<Record<ColumnKey | WordKey, string>>,
): void {
  const after = {
    ...currentValues,
    ...Object.fromEntries(changedSettings.map(({ key, stored }) => [key, stored])),
  };
  const headings = headingsOf(after);
  const changedColumns = changedSettings.filter(({ key }) => key in BANK_STATEMENT_COLUMN_SETTINGS);
  for (const { key } of changedColumns) {
    const field = key.slice('estado.'.length) as BankStatementField;
    for (const other of COLUMN_KEYS.filter((one) => one !== key)) {
      const otherNames = new Set(
        headings[other.slice('estado.'.length) as BankStatementField].map(headingKey),
      );
      const shared = headings[field].find((name) => otherNames.has(headingKey(name)));
      if (shared === undefined) continue;
      throwIfRefused(
        createRefusal(
          `«${shared}» ya es un encabezado de ${BANK_STATEMENT_COLUMN_SETTINGS[other].label}.`,
          key,
        ),
      );
    }
  }
  for (const key of Object.keys(WORD_DIRECTIONS) as WordKey[]) {
    if (!changedSettings.some((one) => one.key === key)) continue;
    const other = key === 'estado.cargos' ? 'estado.abonos' : 'estado.cargos';
    const otherNames = { out: [], in: [], [WORD_DIRECTIONS[other]]: splitHeadingList(after[other]) };
    const shared = splitHeadingList(after[key]).find(
      (word) => findDirections([word], otherNames).get(word) === WORD_DIRECTIONS[other],
    );
    if (shared !== undefined)
      throwIfRefused(
        createRefusal(
          `«${shared}» ya es una palabra de ${WORD_DIRECTIONS[other] === 'out' ? 'cargo' : 'abono'}.`,
          key,
        ),
      );
  }
}

const splitHeadingList = (value: string): string[] =>
  value
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter(Boolean);

function checkHeadings(value: string): string {
  const names = new Map(splitHeadingList(value).map((name) => [headingKey(name), name]));
  const throwRefusal = (message: string) => throwIfRefused(createRefusal(message, 'value'));
  if (names.size > MAX_HEADINGS) throwRefusal(`Se esperan máximo ${MAX_HEADINGS} encabezados.`);
  for (const [key, name] of names) {
    if (key === '') throwRefusal(`«${name}» no es un encabezado: no tiene letras ni números.`);
    if (name.length > MAX_HEADING_LENGTH)
      throwRefusal(`«${name.slice(0, 20)}…» pasa de ${MAX_HEADING_LENGTH} letras.`);
    if (/\p{Cc}/u.test(name)) throwRefusal('Un encabezado trae caracteres no permitidos.');
  }
  return [...names.values()].join(', ');
}
