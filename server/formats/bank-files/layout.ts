import builtIn from './layouts.json' with { type: 'json' };

/**
 * Tells how a bank wants its transfers written, as plain data, so that a bank's next change is a changed row. Banks
 * publish no versions of theirs; these are as found in public programs, to be tried with the bank before the first real
 * file.
 */
export interface BankLayout {
  plantilla: string;
  nombre: string;
  /** the first three digits of the CLABE that pays; null: any bank's */
  banco: string | null;
  /** which transfers it takes: to the same bank, to others, or all */
  destino: (typeof DESTINATIONS)[number];
  separador: (typeof SEPARATORS)[number];
  extension: (typeof EXTENSIONS)[number];
  /** whether the first line names the fields */
  encabezado: boolean;
  campos: readonly LayoutField[];
}

export interface LayoutField {
  campo: string;
  origen: (typeof FIELD_SOURCES)[number];
  /** what stands there, where `origen` is "constante" */
  valor?: string;
  /** only in transfers to the same bank, or to others; other transfers have another field of that name */
  solo?: 'mismo' | 'otro';
  /** as many characters at the most, or exactly so many where there is no separator or something fills them up */
  ancho?: number;
  relleno?: ' ' | '0';
  alinea?: 'izquierda' | 'derecha';
  /** of text: capitals, digits and spaces; what an e-mail address is made of; or as it is */
  caracteres?: (typeof CHARACTERS)[number];
}

export const DESTINATIONS = ['mismo', 'otro', 'todos'] as const;
export const SEPARATORS = ['', '\t', ',', ';', '|'] as const;
export const EXTENSIONS = ['txt', 'csv'] as const;
export const CHARACTERS = ['mayusculas', 'correo', 'libre'] as const;

/** Fields beside texts are digits, and are never cut. */
export const FIELD_SOURCES = [
  'constante',
  'cargo.clabe',
  'cargo.cuenta',
  'cargo.banco',
  'abono.clabe',
  'abono.cuenta',
  'abono.banco',
  'importe',
  'importe.centavos',
  'referencia',
  'fecha.ddmmaaaa',
  'fecha.aaaammdd',
  'fecha.aaaa-mm-dd',
  'consecutivo',
  'titular',
  'proveedor',
  'rfc',
  'banco',
  'concepto',
  'correo',
  'empresa.rfc',
] as const;

export type TransferKind = NonNullable<LayoutField['solo']>;

export const fieldsFor = ({ campos }: Pick<BankLayout, 'campos'>, kind: TransferKind): LayoutField[] =>
  campos.filter(({ solo }) => solo === undefined || solo === kind);

/** An administrator's own layout takes the place of the program's of the same name. */
export const BUILT_IN_LAYOUTS = builtIn as readonly BankLayout[];

/** Writes a layout with a field a line, for an administrator to change. */
export function layoutText({ campos, ...layout }: BankLayout): string {
  const head = Object.entries(layout).map(([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`);
  const fields = campos.map((field) => `    ${JSON.stringify(field)}`).join(',\n');
  return `{\n${head.join('')}  "campos": [\n${fields}\n  ]\n}\n`;
}
