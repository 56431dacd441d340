import { refusal, refuse } from '../../../shared/refusal.ts';
import {
  HEADINGS,
  type StatementField,
  type StatementHeadings,
} from '../../formats/bank-statements/movements.ts';
import { headingKey } from '../../formats/tables/headings.ts';

const MOST = 40;
const LONGEST = 60;

/** So many of the known headings are named in an empty field. */
const SAID = 4;

const columnSetting = (field: StatementField, label: string, what: string) => ({
  subject: 'bancos' as const,
  section: 'Columnas de los estados de cuenta' as const,
  label,
  default: '',
  description: `Encabezados, separados por comas, con que el estado de cuenta del banco titula ${what}. Si lo dejas vacío, los de fábrica`,
  control: { wide: true, placeholder: HEADINGS[field].slice(0, SAID).join(', ') },
  check: checkHeadings,
});

/** The headings of banks' statements, where they differ from those that the program knows; an empty setting stands for these. */
export const STATEMENT_COLUMNS = {
  'estado.fecha': columnSetting('fecha', 'Fecha del movimiento', 'la fecha'),
  'estado.cargo': columnSetting('cargo', 'Cargos', 'lo que sale'),
  'estado.abono': columnSetting('abono', 'Abonos', 'lo que entra'),
  'estado.importe': columnSetting('importe', 'Importe con signo', 'el importe, donde es una sola columna'),
  'estado.signo': columnSetting('signo', 'Cargo o abono', 'si el importe es cargo o abono'),
  'estado.referencia': columnSetting('referencia', 'Referencia', 'la referencia'),
  'estado.descripcion': columnSetting('descripcion', 'Descripción', 'la descripción, la cuenta o la CLABE'),
};

type ColumnKey = keyof typeof STATEMENT_COLUMNS;
const KEYS = Object.keys(STATEMENT_COLUMNS) as ColumnKey[];

export function headingsOf(values: Readonly<Record<ColumnKey, string>>): StatementHeadings {
  const entries = KEYS.map((key) => {
    const field = key.slice('estado.'.length) as StatementField;
    const own = namesIn(values[key]);
    return [field, own.length > 0 ? own : HEADINGS[field]] as const;
  });
  return Object.fromEntries(entries) as Record<StatementField, readonly string[]>;
}

/**
 * A column is of one kind: money that leaves must not be read as money that comes in.
 * @throws DomainError invalid, of the setting that was changed
 */
export function refuseSharedHeadings(
  changed: readonly { key: string; stored: string }[],
  current: Readonly<Record<ColumnKey, string>>,
): void {
  const after = { ...current, ...Object.fromEntries(changed.map(({ key, stored }) => [key, stored])) };
  const headings = headingsOf(after);
  const own = changed.filter(({ key }) => key in STATEMENT_COLUMNS);
  for (const { key } of own) {
    const field = key.slice('estado.'.length) as StatementField;
    for (const other of KEYS.filter((one) => one !== key)) {
      const taken = new Set(headings[other.slice('estado.'.length) as StatementField].map(headingKey));
      const shared = headings[field].find((name) => taken.has(headingKey(name)));
      if (shared === undefined) continue;
      refuse(refusal(`«${shared}» ya es un encabezado de ${STATEMENT_COLUMNS[other].label}.`, key));
    }
  }
}

const namesIn = (value: string): string[] =>
  value
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter(Boolean);

function checkHeadings(value: string): string {
  const names = new Map(namesIn(value).map((name) => [headingKey(name), name]));
  const deny = (message: string) => refuse(refusal(message, 'value'));
  if (names.size > MOST) deny(`Se esperan máximo ${MOST} encabezados.`);
  for (const [key, name] of names) {
    if (key === '') deny(`«${name}» no es un encabezado: no tiene letras ni números.`);
    if (name.length > LONGEST) deny(`«${name.slice(0, 20)}…» pasa de ${LONGEST} letras.`);
    if (/\p{Cc}/u.test(name)) deny('Un encabezado trae caracteres no permitidos.');
  }
  return [...names.values()].join(', ');
}
