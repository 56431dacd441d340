import { Hono } from 'hono';
import { abbreviateClabe, bankNameOf } from '../../../shared/banks.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { accountTexts as texts } from '../../../shared/supplier-accounts.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, writeOnce } from '../../http/request.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { accountList } from '../../lists/supplier-accounts.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { requireVersion } from '../../services/stored-rows.ts';
import { createAccount, deleteAccount, updateAccount } from '../../services/supplier-accounts/accounts.ts';
import { countAccounts, searchAccounts } from '../../services/supplier-accounts/reading.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { accountChangeShape, newAccountShape } from '../../shapes/supplier-accounts.ts';
import { type FormRequest, handleForm, type RefusedForm, redirectWithMessage } from '../../shell/render.tsx';
import { renderEdit } from '../catalogs/catalogs.tsx';
import { AccountChip } from '../catalogs/suppliers-accounts-section.tsx';
import { dateColumn } from '../ui/columns.tsx';
import { showList } from '../ui/list-page.tsx';
import { parseVersion } from '../ui/record-form.tsx';

const ACCOUNT_ID_SEGMENT = ':cuentaId{[0-9]+}';

export const supplierAccountPages = new Hono<AppEnv>({ strict: false })
  .get(pages.accounts, (c) => showAccounts(c))
  .post(pages.supplierAccounts(ID_SEGMENT), (c) =>
    handleAccountChange(c, async (supplierId, { form: { idempotencyKey, ...form }, actor }) => {
      const draft = parseShape(newAccountShape, form);
      const { warnings } = await writeOnce(c, { ...form, idempotencyKey }, async (trx) => {
        const { account, warnings } = await createAccount(trx, actor, supplierId, draft);
        return { id: account.id, warnings };
      });
      return { text: texts.created, warnings };
    }),
  )
  .post(pages.supplierAccount(ID_SEGMENT, ACCOUNT_ID_SEGMENT), (c) =>
    handleAccountChange(c, async (supplierId, { form: { version, ...form }, db, actor }) => {
      const draft = parseShape(newAccountShape, form);
      const place = { supplierId, id: accountIdInPath(c), version: parseVersion(version) };
      const { account, warnings } = await updateAccount(db, actor, place, draft);
      return { text: account.trustedBy === null ? texts.updated : texts.same, warnings };
    }),
  )
  .post(`${pages.supplierAccount(ID_SEGMENT, ACCOUNT_ID_SEGMENT)}/confianza`, (c) =>
    handleAccountChange(c, async (supplierId, { form, db, actor }) => {
      const { confiable: trusted, version } = parseShape(accountChangeShape, form);
      if (trusted) requireVersion(version);
      await updateAccount(db, actor, { supplierId, id: accountIdInPath(c), version }, { trusted });
      return { text: trusted ? texts.trusted : texts.revoked };
    }),
  )
  .post(`${pages.supplierAccount(ID_SEGMENT, ACCOUNT_ID_SEGMENT)}/eliminar`, (c) =>
    handleAccountChange(c, async (supplierId, { form, db, actor }) => {
      await deleteAccount(db, actor, {
        supplierId,
        id: accountIdInPath(c),
        version: parseVersion(form.version),
      });
      return { text: texts.deleted };
    }),
  );

const accountIdInPath = (c: AppContext) => parseId(c.req.param('cuentaId') ?? '', 'Cuenta');

const handleAccountChange = (
  c: AppContext,
  act: (supplierId: number, request: FormRequest) => Promise<{ text: string; warnings?: string[] }>,
) =>
  handleForm(c, renderRefusedAccountChange, async (request) => {
    const id = idInPath(c);
    return redirectWithMessage(c, pages.accountsOfSupplier(id), await act(id, request));
  });

async function renderRefusedAccountChange(c: AppContext, { status, ...refused }: RefusedForm) {
  const supplier = await getRow(c.get('deps').db, suppliers, idInPath(c));
  return renderEdit(c, suppliers, supplier, { accounts: { ...refused, stepAddress: c.req.path }, status });
}

const showAccounts = (c: AppContext) =>
  showList(c, accountList, {
    async read(c, search) {
      const { db } = c.get('deps');
      return { ...(await searchAccounts(db, search)), count: await countAccounts(db, search) };
    },
    rowHref: ({ supplierId }) => pages.accountsOfSupplier(supplierId),
    columns: (_found) => [
      {
        key: 'suppliername',
        label: 'Proveedor',
        className: 'wraps names',
        isRowLink: true,
        card: 'title',
        textBelow: ({ suppliername, titular }) => (titular === suppliername ? null : `Titular: ${titular}`),
      },
      {
        key: 'estado',
        label: 'Estado',
        card: 'corner',
        render: (account) => <AccountChip account={account} />,
      },
      { key: 'banco', label: 'Banco', card: 'half', render: ({ clabe }) => bankNameOf(clabe) },
      { key: 'clabe', label: 'Termina en', card: 'half', render: ({ clabe }) => abbreviateClabe(clabe) },
      dateColumn('changedOn', 'Último cambio'),
      { key: 'editor', label: 'Por', hideOnSmall: true },
      { key: 'truster', label: 'La confirmó', hideOnSmall: true },
    ],
    noMatches: {
      title: 'Ninguna cuenta con este filtro',
      hint: 'Prueba con otro proveedor o con otro estado.',
    },
    empty: {
      title: 'Todavía no hay cuentas bancarias',
      hint: 'Se capturan en cada proveedor, o se importan de una tabla; otra persona las confirma.',
      action: <LinkButton href={suppliers.paths.list}>Ir a proveedores</LinkButton>,
    },
  });
