import { auditList } from './audit.ts';
import { catalogLists } from './catalogs.ts';
import { creditNoteList } from './credit-notes.ts';
import { doublePaymentList } from './double-payments.ts';
import { invoiceList } from './invoices.ts';
import type { List } from './list.ts';
import { mailList } from './mails.ts';
import { batchList } from './payment-batches.ts';
import { paymentList } from './payments.ts';
import { fundList } from './petty-cash.ts';
import { movementList } from './petty-cash-movements.ts';
import { reports } from './reports.ts';
import { accountList } from './supplier-accounts.ts';
import { userList } from './users.ts';

/** All lists and reports, in the order of `saldo export`. Exports, access rules and the guide derive from them. */
export const LISTS: readonly List[] = [
  invoiceList,
  paymentList,
  doublePaymentList,
  creditNoteList,
  batchList,
  ...catalogLists,
  accountList,
  mailList,
  userList,
  auditList,
  fundList,
  movementList,
  ...reports,
];
