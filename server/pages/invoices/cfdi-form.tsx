import type { Db } from '../../../db/schema.ts';
import { invoiceTexts as texts } from '../../../shared/invoices.ts';
import { refuse } from '../../../shared/refusal.ts';
import { noteOf, plainText, type Remark } from '../../../shared/remarks.ts';
import { pages } from '../../../shared/urls.ts';
import { readForm, returnAddress } from '../../http/request.ts';
import { type AppContext, actorOf } from '../../http/session.ts';
import { EXCEEDED } from '../../services/budgets/budget-book.ts';
import { storeDocument } from '../../services/cfdi/documents.ts';
import type { CfdiOutcome } from '../../services/cfdi/outcomes.ts';
import { getCreditNote } from '../../services/credit-notes.ts';
import { readUpload } from '../../services/files.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { readOptions } from './cfdi-options.ts';
import { type Loaded, renderCfdi, requireStored } from './cfdi-page.tsx';
import { renderLoad } from './load.tsx';

/** The creation screen filled from a document that was loaded: `/new-invoice?cfdi=…&pdf=…`. */
export const showCfdi = (c: AppContext): Promise<Response> =>
  withLoaded(c, (loaded) => renderCfdi(c, loaded, {}));

/** Saves it the way every CFDI is imported, with the job, rubro, dates and comments of the form. */
export async function saveCfdi(c: AppContext): Promise<Response> {
  const { another, returnTo = '', ...form } = await readForm(c);
  const { db } = c.get('deps');
  return withLoaded(c, ({ xml, pdf }) =>
    answerForm(
      c,
      async () => {
        const options = await readOptions(c, form);
        const actor = actorOf(c, form.motivo);
        const outcome = await storeDocument(db, actor, xml, { ...options, pdf });
        // A reason may let it pass.
        if (outcome.refused?.code === EXCEEDED) refuse(outcome.refused);
        requireStored(outcome);
        const { invoiceId, linked } = outcome;
        const list = returnAddress({ returnTo }, pages.invoices);
        const to = another ? pages.loadInvoice : linked && invoiceId ? pages.editInvoice(invoiceId) : list;
        const text = savedText(outcome, form.numfactura ?? '', form.confirmed === 'replace');
        return redirectWith(c, to, {
          text,
          about: await aboutSaved(db, outcome, to),
          warnings: outcome.warnings?.filter(isNews).slice(0, MOST_WARNINGS).map(plainText),
        });
      },
      (problem, status) => renderCfdi(c, { xml, pdf }, { values: form, problem, status }),
    ),
  );
}

/** They were read before saving, and a cookie carries them: no more than fit into one. */
const MOST_WARNINGS = 3;

/** What the message itself says already is none. */
const isNews = (warning: Remark) => noteOf(warning).code !== 'receipt_completed';

function savedText({ kind, linked }: CfdiOutcome, numfactura: string, isReplacement = false): string {
  if (kind === 'E') return 'Se guardó la nota de crédito.';
  if (kind === 'P')
    return linked ? 'Se registraron los pagos que faltaban del recibo.' : 'Se guardó el recibo de pago.';
  if (isReplacement) return 'El CFDI sustituyó al anterior en su factura.';
  return linked ? 'La factura quedó ligada a su CFDI.' : texts.saved(numfactura);
}

type Stored = Awaited<ReturnType<typeof storeDocument>>;

/** Where it can be seen now; a credit note stands with its supplier, a receipt with the one invoice that it names. */
async function aboutSaved(db: Db, { invoiceIds: [invoiceId, ...more], creditNoteId }: Stored, to: string) {
  if (creditNoteId === undefined) {
    if (invoiceId === undefined || more.length > 0) return undefined;
    const href = pages.editInvoice(invoiceId);
    return href === to ? undefined : { href, link: 'Ver factura' };
  }
  const { supplierId } = await getCreditNote(db, creditNoteId);
  return { href: `${pages.editSupplier}/${supplierId}`, link: 'Ver proveedor' };
}

/** What was loaded is kept for two days, and for whoever loaded it. */
async function withLoaded(
  c: AppContext,
  show: (loaded: Loaded) => Response | Promise<Response>,
): Promise<Response> {
  const { db } = c.get('deps');
  const { cfdi = '', pdf } = c.req.query();
  const { userId } = actorOf(c);
  const read = async () => ({
    xml: await readUpload(db, userId, cfdi),
    pdf: pdf ? await readUpload(db, userId, pdf) : undefined,
  });
  return answerForm(
    c,
    async () => show(await read()),
    (problem, status) => renderLoad(c, problem, status),
  );
}
