import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { accountTexts as texts } from '../../../shared/supplier-accounts.ts';
import { pages } from '../../../shared/urls.ts';
import { createOnce, idInPath, readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { requireVersion } from '../../services/stored-rows.ts';
import { createAccount, deleteAccount, updateAccount } from '../../services/supplier-accounts/accounts.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { accountChangeShape, newAccountShape } from '../../shapes/supplier-accounts.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { renderEdit } from '../catalogs/catalogs.tsx';
import { versionIn } from '../ui/record-form.tsx';
import { showAccounts } from './list.tsx';
import type { AccountFormState } from './section.tsx';

const ID = ':id{[0-9]+}';
const ACCOUNT = ':cuentaId{[0-9]+}';

/** The accounts of all suppliers, and what is done with one's on its own edit screen. */
export const supplierAccountPages = new Hono<AppEnv>({ strict: false })
  .get(pages.accounts, showAccounts)
  .post(pages.supplierAccounts(ID), (c) =>
    change(c, async (supplierId, { idempotencyKey, ...form }) => {
      const draft = parseShape(newAccountShape, form);
      const { warnings } = await createOnce(c, { ...form, idempotencyKey }, async (trx) => {
        const { account, warnings } = await createAccount(trx, actorOf(c), supplierId, draft);
        return { id: account.id, warnings };
      });
      return { text: texts.created, warnings };
    }),
  )
  .post(pages.supplierAccount(ID, ACCOUNT), (c) =>
    change(c, async (supplierId, { version, ...form }) => {
      const draft = parseShape(newAccountShape, form);
      const place = { supplierId, id: accountIn(c), version: versionIn(version) };
      const { account, warnings } = await updateAccount(c.get('deps').db, actorOf(c), place, draft);
      return { text: account.trustedBy === null ? texts.updated : texts.same, warnings };
    }),
  )
  .post(`${pages.supplierAccount(ID, ACCOUNT)}/confianza`, (c) =>
    change(c, async (supplierId, form) => {
      const { confiable: trusted, version } = parseShape(accountChangeShape, form);
      if (trusted) requireVersion(version);
      const place = { supplierId, id: accountIn(c), version };
      await updateAccount(c.get('deps').db, actorOf(c), place, { trusted });
      return { text: trusted ? texts.trusted : texts.revoked };
    }),
  )
  .post(`${pages.supplierAccount(ID, ACCOUNT)}/eliminar`, (c) =>
    change(c, async (supplierId, { version }) => {
      const place = { supplierId, id: accountIn(c), version: versionIn(version) };
      await deleteAccount(c.get('deps').db, actorOf(c), place);
      return { text: texts.deleted };
    }),
  );

const accountIn = (c: AppContext) => parseId(c.req.param('cuentaId') ?? '', 'Cuenta');

/** Leads back to the supplier, whose screen says what was done, or why it was not. */
async function change(
  c: AppContext,
  work: (supplierId: number, form: Record<string, string>) => Promise<{ text: string; warnings?: string[] }>,
) {
  const supplierId = idInPath(c);
  const form = await readForm(c);
  return answerForm(
    c,
    async () => redirectWith(c, `${pages.editSupplier}/${supplierId}#cuentas`, await work(supplierId, form)),
    (problem, status) => showSupplier(c, supplierId, { problem, values: form, asked: c.req.path }, status),
  );
}

async function showSupplier(
  c: AppContext,
  id: number,
  accounts: AccountFormState,
  status: ContentfulStatusCode,
) {
  return renderEdit(c, suppliers, await getRow(c.get('deps').db, suppliers, id), { accounts, status });
}
