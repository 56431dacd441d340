import { addDays, type Instant, type PlainDate } from '../../shared/dates.ts';
import { dueDay } from '../../shared/invoices-due.ts';
import { fold, normalizeAccount, numberKey } from '../../shared/text.ts';
import { dialectOf } from '../open.ts';
import type { Trx } from '../schema.ts';
import { type DemoBudget, makeBudgets } from './budgets.ts';
import { type DemoCompany, type DemoInvoice, makeCompany } from './company.ts';
import {
  creditedOf,
  creditNoteRows,
  creditRows,
  type DemoCredit,
  insertReceipts,
  makeCredits,
} from './credit-notes.ts';
import { demoClients, demoJobs, demoRubros, demoSources, demoUsers } from './names.ts';
import { type DemoPettyCash, makePettyCash } from './petty-cash.ts';
import { type DemoRun, DemoWriter, hashOf, SOURCE } from './writer.ts';

interface DemoOptions {
  today: PlainDate;
  /** the moment at which it is done */
  at: Instant;
}

/** Fills the lists of an empty database. @returns one run for each list, in the order of filling */
export async function insertDemo(trx: Trx, { today, at }: DemoOptions): Promise<DemoRun[]> {
  const company = makeCompany(today);
  const { users, run } = await insertUsers(trx, at);
  const writer = new DemoWriter(trx, at, users[0]!);
  const suppliers = await writer.insert('suppliers', 'suppliers', supplierRows(company));
  const clients = await writer.insert('clients', 'clients', clientRows());
  const jobs = await writer.insert('jobs', 'jobs', jobRows(clients, today));
  const rubros = await writer.insert('rubros', 'rubros', rubroRows());
  const sources = await writer.insert('funding-sources', 'funding_sources', sourceRows());
  const to = { suppliers, jobs, rubros, sources, users, at };
  const credits = makeCredits(company, today);
  const invoices = await writer.insert('invoices', 'invoices', invoiceRows(company, credits, to));
  const notes = await writer.insert('credit-notes', 'credit_notes', creditNoteRows(credits, to));
  const payments = [...paymentRows(company, invoices, to), ...creditRows(credits, invoices, notes, to)];
  const paymentIds = await writer.insert('payments', 'payments', payments);
  const cash = makePettyCash(company, today);
  const [fundId] = await writer.insert('petty-cash-funds', 'petty_cash_funds', fundRows(cash, to));
  const filled = await insertReplenishments(trx, cash, fundId!, to);
  const movements = movementRows(cash, fundId!, filled.ids, to);
  await writer.insert('petty-cash-movements', 'petty_cash_movements', movements);
  await insertBudgets(trx, writer, makeBudgets(company, cash), to);
  const receipts = await insertReceipts(trx, { company, invoices, payments, paymentIds, to, today });
  return [run, ...writer.runs, filled, receipts];
}

/** Colleagues of the administrator. They have no password until somebody gives them one. */
async function insertUsers(trx: Trx, at: Instant): Promise<{ users: number[]; run: DemoRun }> {
  const users: number[] = [];
  const created: number[] = [];
  for (const [index, [userfirstname, userlastname, roles]] of demoUsers.entries()) {
    const username = normalizeAccount(fold(`${userfirstname}.${userlastname}`));
    const taken = await trx
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirst();
    if (taken) {
      users.push(taken.id);
      continue;
    }
    const { id } = await trx
      .insertInto('users')
      .values({
        username,
        email: `${username}@valledelroble.test`,
        name: `${userfirstname} ${userlastname}`,
        emailVerified: dialectOf(trx) === 'postgres' ? false : 0,
        image: null,
        createdAt: at,
        updatedAt: at,
        employeenumber: String(101 + index),
        userfirstname,
        userlastname,
        passwordExpiresAt: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const account = { accountId: String(id), providerId: 'credential', userId: id, password: null };
    // the columns left out are those of providers that are not used
    await trx
      .insertInto('accounts')
      .values({ ...account, createdAt: at, updatedAt: at } as never)
      .execute();
    await trx
      .insertInto('user_roles')
      .values(roles.map((roleId) => ({ userId: id, roleId })))
      .execute();
    users.push(id);
    created.push(id);
  }
  return { users, run: { entity: 'users', source: SOURCE, sha256: hashOf(demoUsers), ids: created } };
}

const supplierRows = ({ suppliers }: DemoCompany) =>
  suppliers.map((supplier) => ({
    suppliername: supplier.suppliername,
    suppliernameFold: fold(supplier.suppliername),
    suppliercontactperson: supplier.suppliercontactperson,
    suppliercontactpersonFold: fold(supplier.suppliercontactperson),
    suppliercontactphone: supplier.suppliercontactphone,
    suppliercontactemail: supplier.suppliercontactemail,
    rfc: supplier.rfc,
    diascredito: supplier.diascredito,
  }));

const clientRows = () =>
  demoClients.map(([clientname, clientcontactperson], index) => ({
    clientname,
    clientnameFold: fold(clientname),
    clientcontactperson,
    clientcontactphone: `(81) 5${120 + index}-${3000 + 17 * index}`,
    clientcontactemail: '',
  }));

const jobRows = (clients: number[], today: PlainDate) =>
  demoJobs.map(([jobtitle, jobdescription, client, start, end]) => ({
    jobtitle,
    jobtitleFold: fold(jobtitle),
    jobdescription,
    jobstartdate: addDays(today, start),
    jobduedate: addDays(today, end),
    clientId: clients[client],
  }));

const rubroRows = () =>
  Object.values(demoRubros).map(({ nombrerubro, descripcionrubro }) => ({
    nombrerubro,
    nombrerubroFold: fold(nombrerubro),
    descripcionrubro,
  }));

const sourceRows = () =>
  demoSources.map(([origenderecursonombre, origenderecursodescripcion]) => ({
    origenderecursonombre,
    origenderecursonombreFold: fold(origenderecursonombre),
    origenderecursodescripcion,
  }));

/** What the company's indexes stand for. */
interface To {
  suppliers: number[];
  jobs: number[];
  rubros: number[];
  sources: number[];
  users: number[];
  at: Instant;
}

const invoiceRows = (
  company: DemoCompany,
  credits: readonly DemoCredit[],
  { suppliers, jobs, rubros, users, at }: To,
) =>
  company.invoices.map((invoice, index) => {
    const { supplier, job, rubro, payments, ...own } = invoice;
    const captured = capturedAt(invoice.fecharecepcion, index, at);
    // In office hours no clock of Mexico is on another day than UTC.
    const fechacaptura = captured.slice(0, 10);
    return {
      ...own,
      fechacaptura,
      vence: dueDay({ ...own, fechacaptura }, company.suppliers[supplier]!.diascredito),
      supplierId: suppliers[supplier],
      jobId: jobs[job],
      rubroId: rubro === null ? null : rubros[rubro],
      numfacturaFold: fold(invoice.numfactura),
      numfacturaKey: numberKey(invoice.numfactura),
      paidCents: paidOf(invoice) + creditedOf(credits, index),
      uuid: null,
      metodopago: payments.length > 1 ? 'PPD' : null,
      userId: users[index % 3],
      createdAt: captured,
      updatedAt: captured,
    };
  });

const paidOf = ({ payments }: DemoInvoice): number =>
  payments.reduce((sum, payment) => sum + payment.amountCents, 0);

/** In the order in which they were made. */
const paymentRows = ({ invoices }: DemoCompany, invoiceIds: number[], { sources, users, at }: To) =>
  invoices
    .flatMap(({ payments }, index) =>
      payments.map((payment) => ({ ...payment, invoiceId: invoiceIds[index] })),
    )
    .sort((a, b) => (a.paymentdate < b.paymentdate ? -1 : a.paymentdate > b.paymentdate ? 1 : 0))
    .map(({ source, checknum, paymentdate, amountCents, invoiceId }, index) => {
      const made = capturedAt(paymentdate, index, at);
      return {
        facturaproveedorId: invoiceId,
        origenderecursoId: sources[source],
        checknum,
        checknumFold: fold(checknum),
        paymentdate,
        amountCents,
        kind: 'pago' as const,
        creditNoteId: null,
        comments: '',
        userId: users[1 + (index % 2)],
        createdAt: made,
        updatedAt: made,
      };
    });

const fundRows = (cash: DemoPettyCash, { sources, users, at }: To) => {
  const opened = capturedAt(cash.openedOn, 0, at);
  return [
    {
      nombre: cash.nombre,
      nombreFold: fold(cash.nombre),
      responsableId: users[cash.holder],
      jobId: null,
      montofijoCents: cash.montofijoCents,
      topeCents: null,
      origenderecursoId: sources[cash.origin],
      pagosOrigenId: sources[cash.paying],
      openedOn: cash.openedOn,
      comments: '',
      createdAt: opened,
      updatedAt: opened,
    },
  ];
};

/** What filled the box up again, asked for by its holder and authorised by Contabilidad; like users, no import brings it. */
async function insertReplenishments(
  trx: Trx,
  { replenishments, holder }: DemoPettyCash,
  fundId: number,
  { users, at }: To,
): Promise<DemoRun> {
  const rows = replenishments.map((fecha, index) => {
    const made = capturedAt(fecha, index, at);
    const people = { requestedBy: users[holder]!, authorizedBy: users[1]! };
    return { fundId, fecha, ...people, comments: '', createdAt: made, updatedAt: made, version: 2 };
  });
  const stored =
    rows.length === 0
      ? []
      : await trx.insertInto('petty_cash_replenishments').values(rows).returning('id').execute();
  const ids = stored.map(({ id }) => id).sort((a, b) => a - b);
  return { entity: 'petty-cash-replenishments', source: SOURCE, sha256: hashOf(rows), ids };
}

const movementRows = (
  { movements, holder, origin }: DemoPettyCash,
  fundId: number,
  replenishments: readonly number[],
  { jobs, rubros, users, sources, at }: To,
) =>
  movements.map(({ job, rubro, replenishment, ...movement }, index) => {
    const made = capturedAt(movement.fecha, index, at);
    const isExpense = movement.tipo === 'gasto';
    return {
      ...movement,
      fundId,
      uuid: null,
      subtotalCents: movement.importeCents,
      ivaCents: 0,
      jobId: job === null ? null : jobs[job],
      rubroId: rubro === null ? null : rubros[rubro],
      comprobarAntes: null,
      replenishmentId: replenishment === null ? null : replenishments[replenishment],
      countId: null,
      origenderecursoId: isExpense ? null : sources[origin],
      comments: '',
      userId: users[isExpense ? holder : 1],
      createdAt: made,
      updatedAt: made,
    };
  });

/** The budgets, each with what it was first and since. */
async function insertBudgets(
  trx: Trx,
  writer: DemoWriter,
  budgets: readonly DemoBudget[],
  { jobs, rubros, users, at }: To,
): Promise<void> {
  const rows = budgets.map(({ job, rubro, amountCents, originalCents }) => ({
    jobId: jobs[job],
    rubroId: rubro === null ? null : rubros[rubro],
    amountCents,
    version: amountCents === originalCents ? 1 : 2,
  }));
  const ids = await writer.insert('budgets', 'budgets', rows);
  const changes = budgets.flatMap(({ originalCents, amountCents }, index) => {
    const made = { budgetId: ids[index]!, userId: users[0]!, importId: null, createdAt: at };
    const first = { ...made, amountCents: originalCents, motivo: 'Presupuesto inicial' };
    const since = { ...made, amountCents, motivo: 'Convenio modificatorio 1' };
    return amountCents === originalCents ? [first] : [first, since];
  });
  await trx.insertInto('budget_changes').values(changes).execute();
}

/** Some time in that day's office hours in Mexico, and never later than now. */
function capturedAt(day: PlainDate, index: number, at: Instant): Instant {
  const minutes = String(index % 60).padStart(2, '0');
  const moment = `${day}T${16 + (index % 7)}:${minutes}:00.000Z`;
  return moment < at ? moment : at;
}
