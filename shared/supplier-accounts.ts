import { findClabeProblem } from './banks.ts';
import { formatShortDayMonth, type Instant, type PlainDate } from './dates.ts';
import type { SignatureNote } from './payment-batches.ts';
import type { FieldValuesOf, RecordField } from './record-fields.ts';
import { type Refusal, toFieldsRefusal } from './refusal.ts';

export interface SupplierAccount {
  id: number;
  supplierId: number;
  suppliername: string;
  rfc: string | null;
  clabe: string;
  titular: string;
  createdBy: number;
  author: string;
  editedBy: number;
  editor: string;
  changedOn: PlainDate;
  /** who confirmed it; null: nobody yet, so no file pays to it */
  trustedBy: number | null;
  truster: string | null;
  trustedAt: Instant | null;
  note?: SignatureNote | null;
  createdAt: Instant;
  updatedAt: Instant;
  version: number;
}

export const ACCOUNT_SORTS = {
  id: 'ID',
  suppliername: 'Proveedor',
  estado: 'Estado',
  banco: 'Banco',
  clabe: 'Termina en',
  changedOn: 'Último cambio',
  editor: 'Por',
  truster: 'La confirmó',
} as const;
export type AccountSort = keyof typeof ACCOUNT_SORTS;

export const ACCOUNT_STATE_LABELS = { 'por-confirmar': 'Por confirmar', confiable: 'Confirmada' } as const;
export type AccountState = keyof typeof ACCOUNT_STATE_LABELS;

export const accountStateOf = ({ trustedBy }: Pick<SupplierAccount, 'trustedBy'>): AccountState =>
  trustedBy === null ? 'por-confirmar' : 'confiable';

/** A supplier is paid to the account that was confirmed last. Without such an account, no file can pay it. */
export const payingAccountOf = <Account extends Pick<SupplierAccount, 'id' | 'trustedAt'>>(
  accounts: readonly Account[],
): Account | undefined =>
  accounts
    .filter(({ trustedAt }) => trustedAt !== null)
    .sort((a, b) => Number(a.trustedAt! > b.trustedAt!) - Number(a.trustedAt! < b.trustedAt!) || a.id - b.id)
    .at(-1);

/** The account to which a supplier is paid, or, if none is confirmed, the one captured last. */
export interface PayeeAccount {
  /** bank and last digits, such as "BBVA ··· 0066" */
  name: string;
  isTrusted: boolean;
  changedOn: PlainDate;
  /** captured or changed in the last 30 days */
  isNew: boolean;
}

/** The account as the API describes it in words. */
export interface PayeeAccountTexts {
  texto: string;
  /** null unless the account is new */
  aviso?: string | null;
}

export const NO_ACCOUNT: PayeeAccountTexts = { texto: 'Sin cuenta' };

export const describePayeeAccount = (account: PayeeAccount | null | undefined): string =>
  account ? `${account.name}${account.isTrusted ? '' : ', sin confirmar'}` : NO_ACCOUNT.texto;

/** Null unless the account is new. */
export const describeAccountChange = (account: PayeeAccount | null | undefined): string | null =>
  account?.isNew ? `Cuenta nueva, ${formatShortDayMonth(account.changedOn)}` : null;

export const ACCOUNT_FIELDS = [
  {
    name: 'clabe',
    label: 'CLABE',
    kind: 'text',
    required: true,
    inputMode: 'numeric',
    maxLength: 30,
    autoComplete: 'off',
    hint: 'Los 18 dígitos de su estado de cuenta.',
  },
  {
    name: 'titular',
    label: 'Titular',
    kind: 'text',
    required: true,
    maxLength: 200,
    autoComplete: 'off',
    hint: 'A nombre de quién está en el banco.',
  },
] as const satisfies readonly RecordField[];

export type AccountFieldValues = FieldValuesOf<typeof ACCOUNT_FIELDS>;

export const accountTexts = {
  noHolder: 'Indica a nombre de quién está la cuenta.',
  stale: 'Otra persona cambió esta cuenta mientras la veías.',
  created: 'Se guardó la cuenta bancaria; falta que otra persona la confirme.',
  updated: 'Se guardó la cuenta bancaria; falta que otra persona la confirme.',
  same: 'La cuenta bancaria quedó como estaba.',
  deleted: 'Se eliminó la cuenta bancaria.',
  trusted: 'La cuenta quedó confirmada.',
  revoked: 'La cuenta ya no está confirmada.',
  mayNotTrust: 'La confirma Dirección, Contabilidad o un administrador.',
  samePerson: 'La confirma otra persona: ni quien la capturó ni quien la ha cambiado desde que se confirmó.',
  taken: 'El proveedor ya tiene una cuenta con esa CLABE.',
  unknownBank: (prefix: string) => `Ningún banco conocido empieza con ${prefix}: revisa la CLABE.`,
  shared: (suppliername: string) => `La misma CLABE está registrada de «${suppliername}»: revísala.`,
} as const;

export const checkAccount = ({ clabe = '', titular = '' }: AccountFieldValues): Refusal | undefined =>
  toFieldsRefusal({
    clabe: findClabeProblem(clabe) ?? false,
    titular: !titular && accountTexts.noHolder,
  });
