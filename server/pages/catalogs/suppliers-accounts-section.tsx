import { bankOf, lastOfClabe, spacedClabe } from '../../../shared/banks.ts';
import { plainDateIn, sayDate } from '../../../shared/dates.ts';
import { mayEnter } from '../../../shared/roles.ts';
import {
  ACCOUNT_FIELDS,
  type SupplierAccount,
  accountTexts as texts,
} from '../../../shared/supplier-accounts.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages } from '../../../shared/urls.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import type { CatalogRow } from '../../services/catalogs/reading.ts';
import { editorsOf, isOfHand, listAccounts } from '../../services/supplier-accounts/reading.ts';
import { Ask } from '../ui/ask.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { type Texts, textsOf } from '../ui/record-fields.tsx';
import { type FormState, keyOf } from '../ui/record-form.tsx';
import { Refused } from '../ui/refused.tsx';
import { StepForm } from '../ui/step-form.tsx';

export type AccountFormState = Pick<FormState, 'values' | 'problem' | 'asked'>;

export async function renderAccounts(
  c: AppContext,
  { id: supplierId, suppliername }: CatalogRow,
  state: AccountFormState = { values: {} },
) {
  const { db, config } = c.get('deps');
  const accounts = await listAccounts(db, supplierId);
  const { userId, roles } = requireSession(c);
  const editors = await editorsOf(
    db,
    accounts.map(({ id }) => id),
  );
  const viewer = { roles, hasTyped: (one: SupplierAccount) => isOfHand(one, editors, userId) };
  const { problem, asked } = state;
  const create = pages.supplierAccounts(supplierId);
  const isNewRefused = asked === create;
  const { idempotencyKey } = keyOf(isNewRefused ? state : { values: {} });
  return (
    <section className="form" id="cuentas" aria-labelledby="accounts-title">
      <h2 id="accounts-title">Cuentas bancarias</h2>
      <Refused problem={problem} />
      {accounts.length > 0 && (
        <DataTable
          caption="Cuentas bancarias del proveedor"
          columns={columnsOf(viewer, config.timeZone)}
          rows={accounts}
          rowKey={({ id }) => id}
        />
      )}
      {accounts.map((account) => (
        <OneAccount key={account.id} c={c} account={account} state={state} />
      ))}
      <details className="disclosure" open={isNewRefused || accounts.length === 0}>
        <summary>
          <Icon name="chevron" />
          Agregar una cuenta
        </summary>
        <AccountForm
          action={create}
          hidden={{ idempotencyKey }}
          values={isNewRefused ? state.values : { titular: String(suppliername) }}
          errors={(isNewRefused && problem?.fields) || {}}
          id="nueva"
        />
      </details>
    </section>
  );
}

function OneAccount({
  c,
  account,
  state,
}: {
  c: AppContext;
  account: SupplierAccount;
  state: AccountFormState;
}) {
  const { id, supplierId, clabe, version } = account;
  const action = pages.supplierAccount(supplierId, id);
  const isRefused = state.asked === action;
  const newer = isRefused ? (state.problem?.extra?.current as SupplierAccount | undefined) : undefined;
  const name = lastOfClabe(clabe);
  return (
    <>
      <details className="disclosure" open={isRefused}>
        <summary>
          <Icon name="chevron" />
          {`Cambiar la cuenta ${name}`}
        </summary>
        <AccountForm
          action={action}
          hidden={{
            version:
              String(newer?.version ?? (isRefused ? state.values.version : '') ?? '') || String(version),
          }}
          values={isRefused ? state.values : textsOf(ACCOUNT_FIELDS, account)}
          errors={(isRefused && state.problem?.fields) || {}}
          id={`cuenta-${id}`}
        />
        {historyLink(c, 'supplier-accounts', id)}
      </details>
      <Ask
        summary={`Eliminar la cuenta ${name}`}
        question={`¿Eliminar la cuenta ${spacedClabe(clabe)} de ${bankOf(clabe)}?`}
        action={`${action}/eliminar`}
        version={String(version)}
        button="Eliminar"
      />
    </>
  );
}

interface AccountFormProps {
  action: string;
  hidden: Texts;
  values: Texts;
  errors: Texts;
  /** prefix of the ids of its controls */
  id: string;
}

const AccountForm = ({ action, hidden, values, errors, id }: AccountFormProps) => (
  <StepForm
    action={action}
    hidden={hidden}
    fields={ACCOUNT_FIELDS.map((field) => (
      <Field
        key={field.name}
        {...field}
        id={`${id}-${field.name}`}
        value={values[field.name]}
        error={errors[field.name]}
      />
    ))}
    buttons={<Button>Guardar la cuenta</Button>}
  />
);

const columnsOf = (viewer: Viewer, timeZone: string): readonly Column<SupplierAccount>[] => [
  {
    key: 'cuenta',
    label: 'Cuenta',
    card: 'title',
    render: ({ clabe }) => bankOf(clabe),
    under: ({ clabe }) => spacedClabe(clabe),
  },
  { key: 'titular', label: 'Titular', className: 'wraps names' },
  {
    key: 'estado',
    label: 'Estado',
    card: 'foot',
    className: 'wraps',
    render: (account) => (
      <div>
        <Trust account={account} timeZone={timeZone} />
        <TrustForm account={account} viewer={viewer} />
      </div>
    ),
  },
];

/** "Confiable. La confirmó luis el viernes 20 de noviembre de 2026." */
function Trust({ account, timeZone }: { account: SupplierAccount; timeZone: string }) {
  const { truster, trustedAt, editor, changedOn } = account;
  const confirmedOn = trustedAt && sayDate(plainDateIn(new Date(trustedAt), timeZone));
  return (
    <>
      <AccountChip account={account} />
      <div className="hint">
        {`La capturó o cambió al último ${editor}, el ${sayDate(changedOn)}.`}
        {truster && ` La confirmó ${truster} el ${confirmedOn}.`}
      </div>
    </>
  );
}

export const AccountChip = ({ account: { trustedBy } }: { account: SupplierAccount }) =>
  trustedBy === null ? <Chip tone="warn">Por confirmar</Chip> : <Chip tone="done">Confiable</Chip>;

interface Viewer {
  roles: readonly number[];
  hasTyped(account: SupplierAccount): boolean;
}

/** A user who has typed the account, or may not trust one, reads who confirms it. */
function TrustForm({ account, viewer: { hasTyped, roles } }: { account: SupplierAccount; viewer: Viewer }) {
  const { id, supplierId, trustedBy, version, clabe } = account;
  const isTrusted = trustedBy !== null;
  if (!isTrusted && hasTyped(account)) return <span className="hint">La confirma otra persona.</span>;
  if (!isTrusted && !mayEnter('trust', roles)) return <span className="hint">{texts.mayNotTrust}</span>;
  return (
    <form method="post" action={`${pages.supplierAccount(supplierId, id)}/confianza`} data-busy="">
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="confiable" value={String(!isTrusted)} />
      <Button
        look={isTrusted ? 'quiet' : undefined}
        icon={isTrusted ? undefined : 'check'}
        aria-label={`${isTrusted ? 'Quitar confianza a' : 'Confirmar'} la cuenta ${lastOfClabe(clabe)}`}
      >
        {isTrusted ? 'Quitar confianza' : 'Confirmar'}
      </Button>
    </form>
  );
}
