import type { Db } from '../../../db/schema.ts';
import { CREDIT_NOTE_FIELDS, type CreditNote, unappliedOf } from '../../../shared/credit-notes.ts';
import {
  createSheetColumns,
  type ExportQuery,
  exportFromSearch,
  moneyCell,
} from '../../formats/sheets/sheet.ts';
import { creditNoteAnswer } from '../../shapes/credit-notes.ts';
import { type CreditNoteQuery, searchCreditNotes, sumUnappliedCreditNotes } from '../credit-notes/reading.ts';

/** The export can be imported again. */
export function creditNotesExport(db: Db, query: ExportQuery<CreditNoteQuery>) {
  return exportFromSearch<CreditNote>(query, {
    columns: createSheetColumns(
      [
        { name: 'suppliername', heading: 'Proveedor', key: true },
        { name: 'rfc', heading: 'RFC', paperCell: false },
        'numero',
        { name: 'uuid', heading: 'UUID', paperCell: false },
        'fecha',
        'subtotal',
        { name: 'iva', heading: 'IVA', kind: 'money' },
        'otrosimpuestos',
        'retenciones',
        { name: 'total', heading: 'Total', kind: 'money' },
        {
          name: 'aplicado',
          heading: 'Aplicado',
          kind: 'money',
          cell: ({ appliedCents }) => moneyCell(appliedCents),
        },
        {
          name: 'pendiente',
          heading: 'Por aplicar',
          kind: 'money',
          cell: (note) => moneyCell(unappliedOf(note)),
        },
        'comments',
      ],
      CREDIT_NOTE_FIELDS,
    ),
    search: (page) => searchCreditNotes(db, { ...query, ...page }),
    count: async () => (await sumUnappliedCreditNotes(db, query)).count,
    toRecords: (notes) => notes.map(creditNoteAnswer.toJson),
  });
}
