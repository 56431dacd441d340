import type { Db } from '../../../db/schema.ts';
import {
  effectOf,
  kindName,
  type Movement,
  receiptName,
  WITHOUT_RECEIPT,
} from '../../../shared/petty-cash.ts';
import {
  day,
  type ExportFrame,
  type ListExport,
  money,
  pagesOf,
  type SheetColumn,
  type SheetPart,
} from '../../formats/sheets/sheet.ts';
import { toMovementJson } from '../../shapes/petty-cash-answers.ts';
import { countMovements, type MovementFilter, searchMovements } from '../petty-cash/searching.ts';

/** The movements of a filter, in the order of their capture; what is exported can be imported again. */
export async function movementsExport(
  db: Db,
  query: MovementFilter & SheetPart,
  { today, facts }: ExportFrame,
): Promise<ListExport<Movement>> {
  const { limit = Number.POSITIVE_INFINITY, cursor: _, ...filter } = query;
  return {
    file: `Movimientos de caja chica ${today}`,
    title: 'Movimientos de caja chica',
    filters: facts,
    noun: ['movimiento', 'movimientos'],
    sheet: {
      columns: COLUMNS,
      pages: pagesOf(async (page) => {
        const { movements, cursor } = await searchMovements(db, { ...query, ...page });
        return { rows: movements, cursor };
      }, query),
    },
    count: async () => Math.min(await countMovements(db, filter), limit),
    toRecords: (movements) => movements.map(toMovementJson),
  };
}

const COLUMNS: readonly SheetColumn<Movement>[] = [
  { name: 'id', heading: 'ID', cell: ({ id }) => id, key: true },
  { name: 'caja', heading: 'Caja', cell: ({ nombre }) => nombre },
  { name: 'tipo', heading: 'Tipo', cell: ({ tipo }) => kindName(tipo) },
  { name: 'fecha', heading: 'Fecha', cell: ({ fecha }) => day(fecha) },
  { name: 'concepto', heading: 'Concepto', cell: ({ concepto }) => concepto },
  { name: 'beneficiario', heading: 'Beneficiario', cell: ({ beneficiario }) => beneficiario },
  { name: 'comprobante', heading: 'Comprobante', cell: receiptWords },
  { name: 'folio', heading: 'Número de comprobante', cell: ({ folio }) => folio, paper: false },
  { name: 'uuid', heading: 'UUID', cell: ({ uuid }) => uuid, paper: false },
  { name: 'jobtitle', heading: 'Obra', cell: ({ jobtitle }) => jobtitle },
  { name: 'nombrerubro', heading: 'Rubro', cell: ({ nombrerubro }) => nombrerubro },
  {
    name: 'subtotal',
    heading: 'Subtotal',
    cell: (one) => money(one.subtotalCents),
    sum: false,
    paper: false,
  },
  { name: 'iva', heading: 'IVA', cell: ({ ivaCents }) => money(ivaCents), sum: false, paper: false },
  { name: 'importe', heading: 'Importe', cell: ({ importeCents }) => money(importeCents), sum: false },
  { name: 'efecto', heading: 'En la caja', cell: (movement) => money(effectOf(movement)) },
  {
    name: 'comprobarAntes',
    heading: 'Comprobar antes del',
    cell: ({ comprobarAntes }) => day(comprobarAntes),
    paper: false,
  },
  { name: 'reposicion', heading: 'Reposición', cell: ({ replenishmentId }) => replenishmentId },
  {
    name: 'origenderecursonombre',
    heading: 'Origen de recurso',
    cell: ({ origenderecursonombre }) => origenderecursonombre,
    paper: false,
  },
  { name: 'comments', heading: 'Observaciones', cell: ({ comments }) => comments, paper: false },
];

/** What is no expense has no receipt; of an expense without one, whether any is awaited. */
function receiptWords({ tipo, comprobante, comprobarAntes }: Movement): string | null {
  if (tipo !== 'gasto') return null;
  return comprobante === 'ninguno' && comprobarAntes === null ? WITHOUT_RECEIPT : receiptName(comprobante);
}
