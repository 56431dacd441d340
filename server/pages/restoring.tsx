import { Hono } from 'hono';
import { catalogs } from '../../shared/catalogs/all.ts';
import { creditNoteTexts } from '../../shared/credit-notes.ts';
import { invoiceTexts } from '../../shared/invoices.ts';
import { LeaveLink } from '../../shared/ui/LeaveLink.tsx';
import { pages, restoreRowPath } from '../../shared/urls.ts';
import { ID_SEGMENT, idInPath, returnHref } from '../http/request.ts';
import type { AppContext, AppEnv } from '../http/session.ts';
import { restoreRow } from '../services/catalogs/row-changes.ts';
import { restoreCreditNote } from '../services/credit-notes/write.ts';
import { restoreInvoice } from '../services/invoices/invoices.ts';
import {
  handleForm,
  linkWarnings,
  type RefusedForm,
  redirectWithMessage,
  renderPage,
} from '../shell/render.tsx';
import { RefusedStepNotice } from './ui/refusal-reason.tsx';

export const restoringPages = new Hono<AppEnv>({ strict: false }).post(
  pages.restoreInvoice(ID_SEGMENT),
  (c) =>
    handleForm(c, createRefusedRenderer('Facturas', pages.invoices), async ({ form, db, actor }) => {
      const { invoice, warnings, about } = await restoreInvoice(db, actor, idInPath(c));
      return redirectWithMessage(c, returnHref(form, pages.invoices), {
        text: invoiceTexts.restored(invoice.numfactura),
        about: { href: pages.editInvoice(invoice.id), link: 'Ver factura' },
        warnings: linkWarnings(warnings, about, pages.editInvoice, 'Ver esa factura'),
      });
    }),
);

restoringPages.post(pages.restoreCreditNote(ID_SEGMENT), (c) =>
  handleForm(c, createRefusedRenderer('Notas de crédito', pages.creditNotes), async ({ form, db, actor }) => {
    const { creditNote } = await restoreCreditNote(db, actor, idInPath(c));
    return redirectWithMessage(c, returnHref(form, pages.creditNotes), {
      text: creditNoteTexts.restored(creditNote.numero),
      about: { href: `${pages.editSupplier}/${creditNote.supplierId}`, link: 'Ver proveedor' },
    });
  }),
);

for (const catalog of catalogs) {
  const { paths, texts, nameField } = catalog;
  restoringPages.post(restoreRowPath(paths.edit, ID_SEGMENT), (c) =>
    handleForm(c, createRefusedRenderer(texts.list, paths.list), async ({ form, db, actor }) => {
      const row = await restoreRow(db, actor, catalog, idInPath(c));
      return redirectWithMessage(c, returnHref(form, paths.list), {
        text: `Se recuperó ${texts.one} «${row[nameField]}».`,
        about: { href: `${paths.edit}/${row.id}`, link: `Ver ${texts.one.replace(/^(el|la) /, '')}` },
      });
    }),
  );
}

const createRefusedRenderer =
  (title: string, list: string) =>
  (c: AppContext, { status, ...refused }: RefusedForm) =>
    renderPage(
      c,
      { title, status },
      <>
        <RefusedStepNotice
          {...refused}
          intro="No se pudo deshacer."
          action={c.req.path}
          buttonLabel="Deshacer de todos modos"
        />
        <LeaveLink href={list} />
      </>,
    );
