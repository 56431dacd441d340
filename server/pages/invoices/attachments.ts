import { pages } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import { getInvoice } from '../../services/invoices/reading.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { attachmentRoutes } from '../ui/attachment-routes.ts';
import { invoiceTexts } from './form.tsx';
import { renderEdit } from './invoices.tsx';

/** The files that are kept with an invoice. */
export const attachmentPages = attachmentRoutes({
  list: pages.attachments(':id{[0-9]+}'),
  owner: idInPath,
  async changed(c, change) {
    const invoice = await getInvoice(c.get('deps').db, idInPath(c));
    return answerForm(
      c,
      async () => redirectWith(c, pages.editInvoice(invoice.id), await change()),
      (problem, status) => renderEdit(c, invoice, { values: invoiceTexts(invoice), problem, status }),
    );
  },
});
