import { Hono } from 'hono';
import type { Trx } from '../../../db/schema.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { creditNoteTexts } from '../../../shared/credit-notes.ts';
import { parseMoney } from '../../../shared/money.ts';
import { paymentTexts } from '../../../shared/payments.ts';
import { throwIfRefused, toFieldsRefusal } from '../../../shared/refusal.ts';
import { pages } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, writeOnce } from '../../http/request.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { getCreditNote } from '../../services/credit-notes/reading.ts';
import { applyCredit, deleteCreditNote } from '../../services/credit-notes/write.ts';
import { handleForm, type RefusedForm, redirectWithMessage } from '../../shell/render.tsx';
import { parseOptionalId, resolvePickedInvoiceId } from '../ui/pickers.ts';
import { renderEdit } from './catalogs.tsx';

export const supplierCreditPages = new Hono<AppEnv>({ strict: false })
  .post(pages.applyCredit(ID_SEGMENT), (c) =>
    handleForm(c, createRefusedRenderer(c, idInPath(c)), async ({ form, actor }) => {
      await writeOnce(c, form, async (trx) => {
        const credit = await readCreditApplication(trx, form);
        return { id: (await applyCredit(trx, actor, credit)).id };
      });
      return redirectWithMessage(c, `${pages.editSupplier}/${idInPath(c)}`, paymentTexts.creditApplied);
    }),
  )
  .get(pages.deleteCreditNote(ID_SEGMENT), async (c) => {
    const { supplierId } = await getCreditNote(c.get('deps').db, idInPath(c));
    return c.redirect(pages.supplierCredit(supplierId), 303);
  })
  .post(pages.deleteCreditNote(ID_SEGMENT), async (c) => {
    const noteId = idInPath(c);
    const { supplierId } = await getCreditNote(c.get('deps').db, noteId);
    return handleForm(c, createRefusedRenderer(c, supplierId, c.req.path), async ({ db, actor }) => {
      const { numero } = await deleteCreditNote(db, actor, noteId);
      return redirectWithMessage(c, `${pages.editSupplier}/${supplierId}`, {
        text: creditNoteTexts.deleted(numero),
        undo: pages.restoreCreditNote(noteId),
      });
    });
  });

const createRefusedRenderer =
  (c: AppContext, id: number, stepAddress?: string) =>
  async (_: AppContext, { status, ...refused }: RefusedForm) => {
    const supplier = await getRow(c.get('deps').db, suppliers, id);
    return renderEdit(c, suppliers, supplier, { credit: { ...refused, stepAddress }, status });
  };

/** @throws DomainError that names all missing fields, or else the first field that cannot be read */
async function readCreditApplication(trx: Trx, form: Record<string, string>) {
  const invoiceId = parseOptionalId(await resolvePickedInvoiceId(trx, form));
  const creditNoteId = parseOptionalId(form.creditNoteId);
  const { paymentamount = '' } = form;
  throwIfRefused(
    toFieldsRefusal({
      facturaproveedorId: !invoiceId && 'Selecciona una factura.',
      creditNoteId: !creditNoteId && 'Selecciona una nota de crédito.',
      paymentamount: !paymentamount.trim() && 'Indica la cantidad.',
    }),
  );
  const amountCents = parseMoney(paymentamount, 'Cantidad', 'paymentamount');
  return { invoiceId: invoiceId!, creditNoteId: creditNoteId!, amountCents };
}
