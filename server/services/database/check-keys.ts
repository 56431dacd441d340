import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../db/schema.ts';

/** Values that no two rows of a table may share. */
export const UNIQUE: ReadonlyArray<{
  name: string;
  description: string;
  table: keyof Schema;
  value: RawBuilder<unknown>;
  among: RawBuilder<SqlBool>;
}> = [
  {
    name: 'uuids',
    description: 'Ningún UUID de CFDI está en dos facturas',
    table: 'invoices',
    value: sql`lower(uuid)`,
    among: sql`uuid is not null`,
  },
  {
    name: 'credit-note-uuids',
    description: 'Ningún UUID está en dos notas de crédito',
    table: 'credit_notes',
    value: sql`lower(uuid)`,
    among: sql`uuid is not null`,
  },
  {
    name: 'rfcs',
    description: 'Ningún RFC es de dos proveedores',
    table: 'suppliers',
    value: sql`rfc`,
    among: sql`rfc is not null and rfc not in ('XAXX010101000', 'XEXX010101000')`,
  },
  {
    name: 'funds-of-sources',
    description: 'Los pagos de ningún origen salen de dos cajas chicas',
    table: 'petty_cash_funds',
    value: sql`"pagosOrigenId"`,
    among: sql`"pagosOrigenId" is not null`,
  },
  {
    name: 'expense-uuids',
    description: 'Ningún UUID es de dos gastos de caja chica',
    table: 'petty_cash_movements',
    value: sql`lower(uuid)`,
    among: sql`uuid is not null`,
  },
  {
    name: 'budgets-of-places',
    description: 'Ninguna obra tiene dos presupuestos del mismo rubro',
    table: 'budgets',
    value: sql`"jobId" || '/' || coalesce("rubroId", 0)`,
    among: sql`true`,
  },
  {
    name: 'accounts-of-suppliers',
    description: 'Ningún proveedor tiene dos veces la misma CLABE',
    table: 'supplier_accounts',
    value: sql`"supplierId" || '/' || clabe`,
    among: sql`true`,
  },
];
