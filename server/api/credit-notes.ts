import { creditNoteList } from '../lists/credit-notes.ts';
import { getCreditNote } from '../services/credit-notes/reading.ts';
import { createCreditNote, deleteCreditNote, restoreCreditNote } from '../services/credit-notes/write.ts';
import {
  creditNoteAnswer,
  newCreditNoteShape,
  savedCreditNoteAnswer,
  toCreditNoteFieldValues,
} from '../shapes/credit-notes.ts';
import { motivoOnlyShape, restoreShape } from '../shapes/fields.ts';
import { CLOSED_PERIOD_PROBLEMS, REFERENCE_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints, ROW_PATH } from './calls.ts';

const endpoints = createEndpoints('Notas de crédito');
export const creditNotesApi = endpoints.app;

endpoints.lists(
  { '/': { summary: 'La lista de notas de crédito' } },
  {
    list: creditNoteList,
    example: { sortfield: 'fecha', sorttype: 'DESC', limit: 50 },
    row: creditNoteAnswer,
  },
);

endpoints.reads(ROW_PATH, {
  summary: 'Leer una nota de crédito',
  returns: 'La nota',
  answer: creditNoteAnswer,
  run: ({ db, id }) => getCreditNote(db, id),
});

endpoints.creates('/', {
  summary: 'Capturar una nota de crédito',
  text: 'Los importes siguen las reglas de una factura. Lo que dice `aplicar` se abona a esas facturas en el mismo acto, todo o nada; el resto queda como saldo a favor.',
  body: newCreditNoteShape,
  returns: 'Capturada',
  answer: savedCreditNoteAnswer,
  problems: ['duplicate_credit', 'amounts_disagree', 'overpayment', 'over_credit', ...CLOSED_PERIOD_PROBLEMS],
  run: ({ db, actor, body }) => createCreditNote(db, actor, toCreditNoteFieldValues(body)),
});

endpoints.steps(`${ROW_PATH}/restore`, {
  summary: 'Recuperar una nota de crédito eliminada',
  text: 'Vuelve con su mismo número, si ni ella ni otra que la sustituye está.',
  body: restoreShape,
  returns: 'La nota recuperada',
  answer: savedCreditNoteAnswer,
  problems: ['not_deleted', 'duplicate_credit', 'closed_period', 'invalid', ...REFERENCE_PROBLEMS],
  run: ({ db, actor, id }) => restoreCreditNote(db, actor, id),
});

endpoints.removes(ROW_PATH, {
  summary: 'Eliminar una nota de crédito',
  text: 'Solo mientras nada de ella esté aplicado.',
  query: motivoOnlyShape,
  problems: ['in_use', ...CLOSED_PERIOD_PROBLEMS],
  run: deleteCreditNote,
});
