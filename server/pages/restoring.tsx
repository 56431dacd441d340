import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { DomainError } from '../../shared/errors.ts';
import { invoiceTexts } from '../../shared/invoices.ts';
import { LinkButton } from '../../shared/ui/Button.tsx';
import { pages, restoreRowPath } from '../../shared/urls.ts';
import { idInPath, readForm, returnAddress } from '../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../http/session.ts';
import { restoreRow } from '../services/catalogs/catalogs.ts';
import { restoreInvoice } from '../services/invoices/invoices.ts';
import { answerForm, linked, redirectWith, renderPage } from '../shell/render.tsx';
import { Refusal } from './ui/closed-period.tsx';

const ID = ':id{[0-9]+}';

/** "Deshacer" of what was deleted on its own screen: back in the list, with the way to it. */
export const restoringPages = new Hono<AppEnv>({ strict: false }).post(
  pages.restoreInvoice(ID),
  async (c) => {
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const actor = actorOf(c, form.motivo);
        const { invoice, warnings, about } = await restoreInvoice(c.get('deps').db, actor, idInPath(c));
        return redirectWith(c, returnAddress(form, pages.invoices), {
          text: invoiceTexts.restored(invoice.numfactura),
          about: { href: pages.editInvoice(invoice.id), link: 'Ver factura' },
          warnings: linked(warnings, about, pages.editInvoice, 'Ver esa factura'),
        });
      },
      (problem, status) =>
        renderRefused(c, { title: 'Facturas', list: pages.invoices, values: form }, problem, status),
    );
  },
);

for (const catalog of catalogs) {
  const { paths, texts, nameField } = catalog;
  restoringPages.post(restoreRowPath(paths.edit, ID), async (c) => {
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const row = await restoreRow(c.get('deps').db, actorOf(c), catalog, idInPath(c));
        return redirectWith(c, returnAddress(form, paths.list), {
          text: `Se recuperó ${texts.one} «${row[nameField]}».`,
          about: { href: `${paths.edit}/${row.id}`, link: `Ver ${texts.one.replace(/^(el|la) /, '')}` },
        });
      },
      (problem, status) =>
        renderRefused(c, { title: texts.list, list: paths.list, values: form }, problem, status),
    );
  });
}

interface List {
  title: string;
  list: string;
  /** what was posted */
  values: Record<string, string>;
}

function renderRefused(
  c: AppContext,
  { title, list, values }: List,
  problem: DomainError,
  status: ContentfulStatusCode,
) {
  return renderPage(
    c,
    { title, status },
    <>
      <Refusal
        problem={problem}
        says="No se pudo deshacer."
        action={c.req.path}
        values={values}
        button="Deshacer de todos modos"
      />
      <LinkButton href={list}>Regresar</LinkButton>
    </>,
  );
}
