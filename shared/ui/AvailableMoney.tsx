import { type Cents, formatMoney } from '../money.ts';
import { Money } from './Money.tsx';

export interface AccountMoney {
  /** what the account holds, less `plannedCents` */
  cents: Cents;
  /** what other open batches will pay from the account */
  plannedCents: Cents;
  /** the day, as text, of the bank balance from which `cents` was computed */
  asOf: string;
}

interface AvailableMoneyProps {
  /** absent where no balance of the account is known */
  account: AccountMoney | undefined;
  neededCents: Cents;
  href?: string;
}

export const describePlanned = ({ plannedCents }: AccountMoney) =>
  plannedCents > 0 && ` menos ${formatMoney(plannedCents)} de otras programaciones`;

export const AvailableMoney = ({ account, neededCents, href }: AvailableMoneyProps) =>
  account ? (
    <>
      Disponible <Money cents={account.cents} href={href} /> con el saldo del {account.asOf}
      {describePlanned(account)}
      {neededCents > account.cents && (
        <>
          , <strong className="late">faltan {formatMoney(neededCents - account.cents)}</strong>
        </>
      )}
    </>
  ) : (
    <>Sin saldo del banco: no se sabe si alcanza</>
  );
