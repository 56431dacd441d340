import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Amounts get hundreds of millions, to test layouts. One name in five is a single word without a place to break. */
export async function lengthenNames(db: Db): Promise<void> {
  for (const [table, column, words] of LONG_NAMES) {
    const name = sql.ref(column);
    const long = sql`case when id % 5 = 0 then ${UNBROKEN_WORD} || id else ${words} || ${name} || ${' y asociados, S.A.P.I. de C.V.'} end`;
    await sql`update ${sql.table(table)} set ${name} = ${long}`.execute(db);
  }
  for (const [table, column, text] of LONG_TEXTS) {
    const value = sql.ref(column);
    await sql`update ${sql.table(table)} set ${value} = ${text} || id where ${value} <> ''`.execute(db);
  }
  await sql`update users set userfirstname = ${'María Guadalupe del Socorro'}, userlastname = ${'Villaseñor-Echeverría y Montes de Oca'}, name = ${'María Guadalupe del Socorro Villaseñor-Echeverría'}`.execute(
    db,
  );
  for (const [table, columns] of LARGE_AMOUNTS) {
    const larger = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(column)} * 100`);
    await sql`update ${sql.table(table)} set ${sql.join(larger)}`.execute(db);
  }
}

const UNBROKEN_WORD = 'ImpermeabilizacionesPrefabricadosConcretosyAgregadosdelOccidente';

const LONG_NAMES = [
  [
    'suppliers',
    'suppliername',
    'Comercializadora e Impermeabilizadora de Materiales Prefabricados del Bajío ',
  ],
  ['suppliers', 'suppliercontactperson', 'Licenciada María Guadalupe del Socorro Villaseñor-Echeverría '],
  ['clients', 'clientname', 'Desarrolladora Inmobiliaria y Fraccionadora de la Costa Alegre '],
  ['clients', 'clientcontactperson', 'Ingeniero Maximiliano Eduardo Villaseñor-Echeverría '],
  ['jobs', 'jobtitle', 'Ampliación y rehabilitación integral del conjunto habitacional '],
  ['rubros', 'nombrerubro', 'Instalaciones hidrosanitarias, eléctricas y contra incendio: '],
  ['funding_sources', 'origenderecursonombre', 'Crédito puente revolvente de la cuenta concentradora '],
  ['petty_cash_funds', 'nombre', 'Caja chica de la superintendencia del fraccionamiento residencial '],
  ['petty_cash_movements', 'beneficiario', 'Ferretera y Tlapalería de Materiales del Bajío '],
  ['petty_cash_movements', 'concepto', 'Fletes, maniobras y consumibles menores para el almacén de la obra '],
] as const;

const LONG_TEXTS = [
  [
    'suppliers',
    'suppliercontactemail',
    'facturacion.electronica.y.cobranza@impermeabilizaciones-del-occidente.com.mx',
  ],
  [
    'clients',
    'clientcontactemail',
    'administracion.de.proyectos.ejecutivos@desarrolladora-costa-alegre.com.mx',
  ],
  ['suppliers', 'suppliercontactphone', '+52 1 (55) 5555-0000 ext. 104522 y '],
  ['invoices', 'numfactura', 'FAC-2026-JAL-ZAPOPAN-CONCRETOS-00000'],
  ['credit_notes', 'numero', 'NOTA-DE-CREDITO-2026-JALISCO-000'],
  ['payments', 'checknum', 'TRANSFERENCIA-SPEI-2026112000000'],
  ['petty_cash_movements', 'folio', 'NOTA-DE-REMISION-2026-JALISCO-000'],
] as const;

const LARGE_AMOUNTS = [
  [
    'invoices',
    ['subtotalCents', 'ivaCents', 'otrosimpuestosCents', 'retencionesCents', 'totalCents', 'paidCents'],
  ],
  ['payments', ['amountCents']],
  ['payment_batch_lines', ['amountCents']],
  [
    'credit_notes',
    ['subtotalCents', 'ivaCents', 'otrosimpuestosCents', 'retencionesCents', 'totalCents', 'appliedCents'],
  ],
  ['petty_cash_movements', ['subtotalCents', 'ivaCents', 'importeCents']],
] as const;
