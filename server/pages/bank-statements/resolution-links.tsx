import type { BankMovement } from '../../../shared/bank-statements.ts';
import { batchName } from '../../../shared/payment-batches.ts';
import { pages, withQuery } from '../../../shared/urls.ts';

export const openMovementsHref = (statementId: number): string =>
  withQuery(pages.bankStatement(statementId), { abierto: 'true' });

export const listMatchedRecordLinks = ({
  paymentIds,
  batchId,
  suppliername,
  movimientocajaId,
  reposicionId,
}: BankMovement): { href: string; text: string }[] => [
  ...paymentIds.map((id) => ({ href: pages.editPayment(id), text: `Pago ${id}` })),
  ...(batchId === null
    ? []
    : [{ href: pages.paymentBatch(batchId), text: `${suppliername}: ${batchName(batchId)}` }]),
  ...(movimientocajaId === null
    ? []
    : [{ href: pages.pettyCashMovement(movimientocajaId), text: 'Devolución de caja chica' }]),
  ...(reposicionId === null
    ? []
    : [
        {
          href: pages.pettyCashReplenishment(reposicionId),
          text: `Solicitud ${reposicionId} de caja chica`,
        },
      ]),
];
