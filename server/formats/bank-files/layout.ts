import builtIn from './layouts.json' with { type: 'json' };

/**
 * The layout of a bank's transfer file, as plain data, so that no code changes when a bank changes its format. Banks
 * publish no versions of their formats. The built-in layouts come from public programs, and have to be tried with the
 * bank before the first real file.
 */
export interface BankLayout {
  plantilla: string;
  nombre: string;
  /** first three digits of the paying CLABE; null: any bank's */
  banco: string | null;
  destino: (typeof DESTINATIONS)[number];
  separador: (typeof SEPARATORS)[number];
  extension: (typeof EXTENSIONS)[number];
  encabezado: boolean;
  campos: readonly LayoutField[];
}

export interface LayoutField {
  campo: string;
  origen: (typeof FIELD_SOURCES)[number];
  valor?: string;
  /** limits the field to transfers within the bank, or to other banks; both may have a field of the same name */
  solo?: 'mismo' | 'otro';
  /** the maximum length; the exact length where the field is padded or there is no separator */
  ancho?: number;
  relleno?: ' ' | '0';
  alinea?: 'izquierda' | 'derecha';
  caracteres?: (typeof ALLOWED_CHARACTERS)[number];
}

export const DESTINATIONS = ['mismo', 'otro', 'todos'] as const;
export const SEPARATORS = ['', '\t', ',', ';', '|'] as const;
export const EXTENSIONS = ['txt', 'csv'] as const;
export const ALLOWED_CHARACTERS = ['mayusculas', 'correo', 'libre'] as const;

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

export const filterFieldsByTransferKind = (
  { campos }: Pick<BankLayout, 'campos'>,
  kind: TransferKind,
): LayoutField[] => campos.filter(({ solo }) => solo === undefined || solo === kind);

export const BUILT_IN_LAYOUTS = builtIn as readonly BankLayout[];

export function formatLayout({ campos, ...layout }: BankLayout): string {
  const head = Object.entries(layout).map(([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`);
  const fields = campos.map((field) => `    ${JSON.stringify(field)}`).join(',\n');
  return `{\n${head.join('')}  "campos": [\n${fields}\n  ]\n}\n`;
}
