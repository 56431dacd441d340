import type { Db } from '../../../db/schema.ts';
import {
  MOVEMENT_FIELDS,
  type Movement,
  movementKindLabel,
  signedAmountOf,
  voucherKindLabel,
  WITHOUT_VOUCHER_LABEL,
} from '../../../shared/petty-cash.ts';
import {
  createSheetColumns,
  exportFromSearch,
  type LimitAndCursor,
  moneyCell,
  type PartialListExport,
} from '../../formats/sheets/sheet.ts';
import { movementAnswer } from '../../shapes/petty-cash-answers.ts';
import { type MovementFilter, searchMovements, sumMovements } from '../petty-cash/searching.ts';

/** In order of capture. The export can be imported again. */
export function movementsExport(db: Db, query: MovementFilter & LimitAndCursor): PartialListExport<Movement> {
  return exportFromSearch(query, {
    columns: createSheetColumns(
      [
        { name: 'id', heading: 'ID', key: true },
        { name: 'caja', heading: 'Caja', cell: ({ nombre }) => nombre },
        { name: 'tipo', heading: 'Tipo', cell: ({ tipo }) => movementKindLabel(tipo) },
        'fecha',
        'concepto',
        'beneficiario',
        { name: 'comprobante', heading: 'Comprobante', cell: describeVoucher },
        { name: 'folio', heading: 'Número de comprobante', paperCell: false },
        { name: 'uuid', heading: 'UUID', paperCell: false },
        { name: 'jobtitle', heading: 'Obra' },
        { name: 'nombrerubro', heading: 'Rubro' },
        { name: 'subtotal', heading: 'Subtotal', kind: 'money', sum: false, paperCell: false },
        { name: 'iva', heading: 'IVA', kind: 'money', sum: false, paperCell: false },
        { name: 'importe', heading: 'Importe', kind: 'money', sum: false },
        { name: 'efecto', heading: 'En la caja', cell: (movement) => moneyCell(signedAmountOf(movement)) },
        { name: 'comprobarAntes', heading: 'Comprobar antes del', kind: 'date', paperCell: false },
        { name: 'reposicion', heading: 'Reposición', cell: ({ replenishmentId }) => replenishmentId },
        { name: 'origenderecursonombre', heading: 'Origen de recurso', paperCell: false },
        { name: 'comments', heading: 'Observaciones', paperCell: false },
      ],
      MOVEMENT_FIELDS,
    ),
    search: (page) => searchMovements(db, { ...query, ...page }),
    count: async () => (await sumMovements(db, query)).count,
    toRecords: (movements) => movements.map(movementAnswer.toJson),
  });
}

function describeVoucher({ tipo, comprobante, comprobarAntes }: Movement): string | null {
  if (tipo !== 'gasto') return null;
  return comprobante === 'ninguno' && comprobarAntes === null
    ? WITHOUT_VOUCHER_LABEL
    : voucherKindLabel(comprobante);
}
