import { bankOf, lastOfClabe, spacedClabe } from '../../../shared/banks.ts';
import { formatDate, plainDateIn } from '../../../shared/dates.ts';
import { say } from '../../../shared/language.ts';
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
  const { db } = c.get('deps');
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
      {accounts.map((account) => (
        <OneAccount key={account.id} c={c} account={account} viewer={viewer} state={state} />
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

interface OneAccountProps {
  c: AppContext;
  account: SupplierAccount;
  viewer: Viewer;
  state: AccountFormState;
}

/** Shows an account and whether it is confirmed; one row below holds all that can be done with it. */
function OneAccount({ c, account, viewer, state }: OneAccountProps) {
  const { id, supplierId, clabe, titular, version } = account;
  const action = pages.supplierAccount(supplierId, id);
  const isRefused = state.asked === action;
  const newer = isRefused ? (state.problem?.extra?.current as SupplierAccount | undefined) : undefined;
  const which = <span className="visually-hidden"> la cuenta {lastOfClabe(clabe)}</span>;
  return (
    <article className="account">
      <p>
        <b>{bankOf(clabe)}</b> <span className="clabe">{spacedClabe(clabe)}</span>{' '}
        <AccountChip account={account} />
      </p>
      <p>{titular}</p>
      <p className="hint">{historyOf(account, c.get('deps').config.timeZone)}</p>
      <div className="asks">
        <TrustForm account={account} viewer={viewer} />
        <Disclosure summary={<>Cambiar{which}</>} isOpen={isRefused}>
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
        </Disclosure>
        <Ask
          summary={<>Eliminar{which}</>}
          question={`¿Eliminar la cuenta ${spacedClabe(clabe)} de ${bankOf(clabe)}?`}
          action={`${action}/eliminar`}
          version={String(version)}
          button="Eliminar"
        />
        {historyLink(c, 'supplier-accounts', id)}
      </div>
    </article>
  );
}

/** "Último cambio: ana, 12-10-2026. La confirmó luis, 20-11-2026." */
function historyOf({ truster, trustedAt, editor, changedOn }: SupplierAccount, timeZone: string): string {
  const changed = `Último cambio: ${editor}, ${formatDate(changedOn)}.`;
  if (!truster || !trustedAt) return changed;
  return `${changed} La confirmó ${truster}, ${formatDate(plainDateIn(new Date(trustedAt), timeZone))}.`;
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
    buttons={<Button>{say('Guardar la cuenta')}</Button>}
  />
);

export const AccountChip = ({ account: { trustedBy } }: { account: SupplierAccount }) =>
  trustedBy === null ? <Chip tone="warn">Por confirmar</Chip> : <Chip tone="done">Confirmada</Chip>;

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
        aria-label={`${isTrusted ? 'Quitar la confirmación de' : 'Confirmar'} la cuenta ${lastOfClabe(clabe)}`}
      >
        {isTrusted ? 'Quitar la confirmación' : 'Confirmar'}
      </Button>
    </form>
  );
}
