import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Trx } from '../../../db/schema.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { DomainError } from '../../../shared/errors.ts';
import { parseMoney } from '../../../shared/money.ts';
import { paymentTexts } from '../../../shared/payments.ts';
import { pages } from '../../../shared/urls.ts';
import { createOnce, idInPath, readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { applyCredit, deleteCreditNote, getCreditNote } from '../../services/credit-notes.ts';
import { findInvoice } from '../../services/invoices/finding.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { LONGEST_NAME } from '../ui/pickers.ts';
import { renderEdit } from './catalogs.tsx';
import type { CreditFormState } from './suppliers-credit-notes-section.tsx';

const ID = ':id{[0-9]+}';

/** What is done with a supplier's saldo a favor; the section stands on the supplier's own edit screen. */
export const supplierCreditPages = new Hono<AppEnv>({ strict: false })
  .post(pages.applyCredit(ID), async (c) => {
    const id = idInPath(c);
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        await createOnce(c, form, async (trx) => {
          const credit = await readApplication(trx, form);
          return { id: (await applyCredit(trx, actorOf(c, form.motivo), credit)).id };
        });
        return redirectWith(c, `${pages.editSupplier}/${id}`, paymentTexts.creditApplied);
      },
      (problem, status) => showSupplier(c, id, { problem, values: form }, status),
    );
  })
  .post(pages.deleteCreditNote(ID), async (c) => {
    const noteId = idInPath(c);
    const { db } = c.get('deps');
    const { supplierId } = await getCreditNote(db, noteId);
    const values = await readForm(c);
    return answerForm(
      c,
      async () => {
        const { numero } = await deleteCreditNote(db, actorOf(c, values.motivo), noteId);
        return redirectWith(
          c,
          `${pages.editSupplier}/${supplierId}`,
          `Se eliminó la nota de crédito ${numero}.`,
        );
      },
      (problem, status) => showSupplier(c, supplierId, { problem, values, asked: c.req.path }, status),
    );
  });

async function showSupplier(
  c: AppContext,
  id: number,
  credit: CreditFormState,
  status: ContentfulStatusCode,
) {
  return renderEdit(c, suppliers, await getRow(c.get('deps').db, suppliers, id), { credit, status });
}

/** @throws DomainError naming every field that cannot be read */
async function readApplication(trx: Trx, form: Record<string, string>) {
  const fields: Record<string, string> = {};
  const typed = form.numfactura?.trim();
  const invoiceId = typed
    ? (await findInvoice(trx, typed.slice(0, LONGEST_NAME))).id
    : idIn(form.facturaproveedorId);
  const creditNoteId = idIn(form.creditNoteId);
  if (!invoiceId) fields.facturaproveedorId = 'Selecciona una factura.';
  if (!creditNoteId) fields.creditNoteId = 'Selecciona una nota de crédito.';
  if (!form.paymentamount?.trim()) fields.paymentamount = 'Indica la cantidad.';
  const [message] = Object.values(fields);
  if (message) throw new DomainError('invalid', message, { fields });
  return {
    invoiceId,
    creditNoteId,
    amountCents: parseMoney(form.paymentamount, 'Cantidad', 'paymentamount'),
  };
}

const idIn = (text = ''): number => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : 0);
