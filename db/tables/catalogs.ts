import type { Generated } from 'kysely';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { SupplierAccount } from '../../shared/supplier-accounts.ts';
import type { ImportableRow } from './rows.ts';

type AccountColumn = 'supplierId' | 'clabe' | 'titular' | 'createdBy' | 'editedBy' | 'changedOn';

export interface CatalogsTables {
  suppliers: ImportableRow & {
    suppliername: string;
    suppliernameFold: string;
    suppliercontactperson: string;
    suppliercontactpersonFold: Generated<string>;
    suppliercontactphone: string;
    suppliercontactemail: string;
    rfc: string | null;
    diascredito: number;
    /** SAT, c_RegimenFiscal, and the day of the latest CFDI that states it */
    regimenFiscal: Generated<string | null>;
    regimenFecha: Generated<PlainDate | null>;
  };
  clients: ImportableRow & {
    clientname: string;
    clientnameFold: string;
    clientcontactperson: string;
    clientcontactphone: string;
    clientcontactemail: string;
  };
  jobs: ImportableRow & {
    jobtitle: string;
    jobtitleFold: string;
    jobdescription: string;
    jobstartdate: PlainDate | null;
    jobduedate: PlainDate | null;
    clientId: number;
  };
  rubros: ImportableRow & { nombrerubro: string; nombrerubroFold: string; descripcionrubro: string };
  funding_sources: ImportableRow & {
    origenderecursonombre: string;
    origenderecursonombreFold: string;
    origenderecursodescripcion: string;
    /** This is the CLABE of the firm's own account. */
    clabe: string | null;
    /** the account's balance at the end of that day, as the bank stated it; below zero: overdrawn */
    saldobancoCents: Cents | null;
    saldobancofecha: PlainDate | null;
  };
  /** An account is confirmed by somebody other than those who captured or changed it. */
  supplier_accounts: ImportableRow & Pick<SupplierAccount, AccountColumn | 'trustedBy' | 'trustedAt'>;
  /** `confirmed` is 1 where the account was confirmed after the user's change, and the confirmation was not revoked. */
  supplier_account_editors: { accountId: number; userId: number; confirmed: number };
}
