import type { Generated } from 'kysely';
import type { Instant, PlainDate } from '../../shared/dates.ts';
import type { Kept } from './kept.ts';

export interface CatalogsTables {
  suppliers: SuppliersTable;
  clients: ClientsTable;
  jobs: JobsTable;
  rubros: RubrosTable;
  funding_sources: FundingSourcesTable;
  supplier_accounts: SupplierAccountsTable;
  /** who has typed an account since it was last confirmed */
  /** `confirmed`: 1 where somebody has confirmed what this user typed, and that was not taken back. */
  supplier_account_editors: { accountId: number; userId: number; confirmed: number };
}

interface SuppliersTable extends Kept {
  suppliername: string;
  suppliernameFold: string;
  suppliercontactperson: string;
  suppliercontactpersonFold: Generated<string>;
  suppliercontactphone: string;
  suppliercontactemail: string;
  rfc: string | null;
  diascredito: number;
}

interface ClientsTable extends Kept {
  clientname: string;
  clientnameFold: string;
  clientcontactperson: string;
  clientcontactphone: string;
  clientcontactemail: string;
}

interface JobsTable extends Kept {
  jobtitle: string;
  jobtitleFold: string;
  jobdescription: string;
  jobstartdate: PlainDate | null;
  jobduedate: PlainDate | null;
  clientId: number;
}

interface RubrosTable extends Kept {
  nombrerubro: string;
  nombrerubroFold: string;
  descripcionrubro: string;
}

interface FundingSourcesTable extends Kept {
  origenderecursonombre: string;
  origenderecursonombreFold: string;
  origenderecursodescripcion: string;
  /** of the firm's own account */
  clabe: string | null;
}

/** An account is confirmed by another person than those who captured or changed it. */
interface SupplierAccountsTable extends Kept {
  supplierId: number;
  clabe: string;
  titular: string;
  createdBy: number;
  editedBy: number;
  changedOn: PlainDate;
  trustedBy: number | null;
  trustedAt: Instant | null;
}
