import type { ReactNode } from 'react';
import { abbreviateClabe, bankNameOf, formatClabe } from '../../../shared/banks.ts';
import { formatDate, plainDateIn } from '../../../shared/dates.ts';
import { localize } from '../../../shared/language.ts';
import { mayEnter } from '../../../shared/roles.ts';
import {
  ACCOUNT_FIELDS,
  type SupplierAccount,
  accountTexts as texts,
} from '../../../shared/supplier-accounts.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import type { CatalogRow } from '../../services/catalogs/reading.ts';
import {
  involvedUserIdsOf,
  listAccounts,
  readUnconfirmedEditors,
} from '../../services/supplier-accounts/reading.ts';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { type FieldTexts, toFieldTexts } from '../ui/record-fields.tsx';
import { type FormState, pickNewestRow, prepareIdempotencyKey } from '../ui/record-form.tsx';
import { RefusedAlert } from '../ui/refused-alert.tsx';
import { SignatureNotes } from '../ui/signature-notes.tsx';
import { HiddenFields, StepForm } from '../ui/step-form.tsx';

export type AccountFormState = Pick<FormState, 'values' | 'problem' | 'stepAddress'>;

export async function renderAccounts(
  c: AppContext,
  { id: supplierId, suppliername }: CatalogRow,
  state: AccountFormState = { values: {} },
) {
  const { db, config } = c.get('deps');
  const accounts = await listAccounts(db, supplierId);
  const { userId, roles } = requireSession(c);
  const ids = accounts.map(({ id }) => id);
  const editors = await readUnconfirmedEditors(db, ids);
  const { problem, stepAddress } = state;
  const create = pages.supplierAccounts(supplierId);
  const isNewRefused = stepAddress === create;
  const { idempotencyKey } = prepareIdempotencyKey(isNewRefused ? state : { values: {} });
  const confirmationNote = (account: SupplierAccount) => {
    if (involvedUserIdsOf(account, editors).includes(userId)) return 'La confirma otra persona.';
    return mayEnter('trust', roles) ? undefined : texts.mayNotTrust;
  };
  return (
    <section className="form" id="cuentas" aria-labelledby="accounts-title">
      <h2 id="accounts-title">Cuentas bancarias</h2>
      <RefusedAlert problem={problem} />
      {accounts.map((account) => (
        <AccountItem
          key={account.id}
          account={account}
          state={stepAddress === pages.supplierAccount(supplierId, account.id) ? state : undefined}
          history={historyLink(c, 'supplier-accounts', account.id)}
          timeZone={config.timeZone}
          confirmationNote={confirmationNote(account)}
        />
      ))}
      <div className="asks">
        <Disclosure summary="Agregar una cuenta" isOpen={isNewRefused || accounts.length === 0}>
          <AccountForm
            action={create}
            hidden={{ idempotencyKey }}
            values={isNewRefused ? state.values : { titular: String(suppliername) }}
            errors={(isNewRefused && problem?.fields) || {}}
            id="nueva"
          />
        </Disclosure>
      </div>
    </section>
  );
}

interface AccountItemProps {
  account: SupplierAccount;
  state?: AccountFormState;
  history: ReactNode;
  timeZone: string;
  confirmationNote?: string;
}

function AccountItem({ account, state, history, timeZone, confirmationNote }: AccountItemProps) {
  const { id, supplierId, clabe, titular } = account;
  const action = pages.supplierAccount(supplierId, id);
  const hiddenName = <span className="visually-hidden"> la cuenta {abbreviateClabe(clabe)}</span>;
  return (
    <article className="account">
      <p>
        <b>{bankNameOf(clabe)}</b> <span className="clabe">{formatClabe(clabe)}</span>{' '}
        <AccountChip account={account} />
      </p>
      <p>{titular}</p>
      <p className="hint">{describeAccountHistory(account, timeZone)}</p>
      <SignatureNotes notes={[account.note]} timeZone={timeZone} />
      <div className="asks">
        <TrustToggleForm account={account} confirmationNote={confirmationNote} />
        <Disclosure summary={<>Cambiar{hiddenName}</>} isOpen={state !== undefined}>
          <AccountForm
            action={action}
            hidden={{ version: pickNewestRow(account, state ?? { values: {} }).version }}
            values={state?.values ?? toFieldTexts(ACCOUNT_FIELDS, account)}
            errors={state?.problem?.fields ?? {}}
            id={`cuenta-${id}`}
          />
        </Disclosure>
        <ConfirmStep
          summary={<>Eliminar{hiddenName}</>}
          question={`¿Eliminar la cuenta ${formatClabe(clabe)} de ${bankNameOf(clabe)}?`}
          action={`${action}/eliminar`}
          version={String(account.version)}
          button="Eliminar"
        />
        {history}
      </div>
    </article>
  );
}

function describeAccountHistory(
  { truster, trustedAt, editor, changedOn }: SupplierAccount,
  timeZone: string,
): string {
  const changed = `Último cambio: ${editor}, ${formatDate(changedOn)}.`;
  if (!truster || !trustedAt) return changed;
  return `${changed} La confirmó ${truster}, ${formatDate(plainDateIn(new Date(trustedAt), timeZone))}.`;
}

interface AccountFormProps {
  action: string;
  hidden: FieldTexts;
  values: FieldTexts;
  errors: FieldTexts;
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
    buttons={<Button>{localize('Guardar la cuenta')}</Button>}
  />
);

export const AccountChip = ({ account: { trustedBy } }: { account: SupplierAccount }) =>
  trustedBy === null ? <Chip tone="warn">Por confirmar</Chip> : <Chip tone="done">Confirmada</Chip>;

function TrustToggleForm({
  account,
  confirmationNote,
}: Pick<AccountItemProps, 'account' | 'confirmationNote'>) {
  const { id, supplierId, trustedBy, version, clabe } = account;
  const isTrusted = trustedBy !== null;
  if (!isTrusted && confirmationNote) return <span className="hint">{confirmationNote}</span>;
  return (
    <form method="post" action={`${pages.supplierAccount(supplierId, id)}/confianza`} data-busy="">
      <HiddenFields fields={{ version: String(version), confiable: String(!isTrusted) }} />
      <Button
        look={isTrusted ? 'quiet' : undefined}
        icon={isTrusted ? undefined : 'check'}
        aria-label={`${isTrusted ? 'Quitar la confirmación de' : 'Confirmar'} la cuenta ${abbreviateClabe(clabe)}`}
      >
        {isTrusted ? 'Quitar la confirmación' : 'Confirmar'}
      </Button>
    </form>
  );
}
