type Recipe = readonly [purpose: string, command: string];

/** Shown as they are typed; a test holds all of them against the commands that exist. */
export const RECIPES: readonly Recipe[] = [
  ['Todas las órdenes, con un ejemplo de cada una', 'npx saldo --help'],
  [
    'Crear un usuario; su contraseña se muestra una vez',
    'npx saldo users create --firstname Ana --lastname Ruiz --email ana@obra.mx --roles 2,4',
  ],
  ['Una contraseña nueva para quien la olvidó', 'npx saldo users reset-password ana.ruiz'],
  ['Quien perdió el teléfono del doble factor', 'npx saldo users reset-second-factor ana.ruiz'],
  [
    'Cargar los CFDI de una carpeta o de un zip; primero sin guardar nada',
    'npx saldo import cfdi facturas/2026-11 --job "Torre Norte" --create-suppliers --dry-run',
  ],
  [
    'Los saldos a una fecha, para una hoja de cálculo',
    'npx saldo report balances --corte 2026-11-20 --format csv --out saldos.csv',
  ],
  ['Ver los ajustes con su valor', 'npx saldo settings list'],
  ['Cambiar un ajuste', 'npx saldo settings set empresa "Constructora del Valle"'],
];

export const FORGOTTEN: readonly Recipe[] = [
  ['Quién es quién', 'npx saldo users list'],
  ['La contraseña nueva, que se muestra una vez', 'npx saldo users reset-password ana.ruiz'],
];

export const WEEKLY: readonly Recipe[] = [
  ['El reporte de hoy en Excel', 'npx saldo report balances --format xlsx --out saldos.xlsx'],
  [
    'En PDF, con el logotipo y los datos de la empresa',
    'npx saldo report balances --format pdf --out saldos.pdf',
  ],
  [
    'Un renglón por factura y semana, con columnas que no cambian',
    'npx saldo report balances --long --format csv',
  ],
  [
    'El estado de cuenta de un proveedor',
    'npx saldo report statement --supplier "Aceros del Norte" --format pdf --out estado.pdf',
  ],
];

export const LEAVING: readonly Recipe[] = [
  ['Comprobar que todo cuadra', 'npx saldo db check'],
  ['La copia, que entra en SQLite y en PostgreSQL', 'npx saldo db backup saldo.zip --portable'],
  ['Su huella, para comparar al final', 'npx saldo db stats --digest'],
];

export const ARRIVING: readonly Recipe[] = [
  ['Poner la copia, con el servidor detenido', 'npx saldo db restore saldo.zip'],
  ['Comprobar otra vez, y comparar la huella', 'npx saldo db stats --digest'],
];

export function Commands({ of }: { of: readonly Recipe[] }) {
  return of.map(([purpose, command]) => (
    <div key={command}>
      <p>{purpose}:</p>
      <pre>
        <code>{command}</code>
      </pre>
    </div>
  ));
}
