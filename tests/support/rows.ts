import type { Insertable } from 'kysely';
import { dialectOf } from '../../db/open.ts';
import type { Db, Schema } from '../../db/schema.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { type InvoiceValues, toInvoiceRow } from '../../server/services/invoices/rows.ts';
import { hashToken } from '../../server/services/session/tokens.ts';
import { HOME_ZONE, type PlainDate, plainDateIn } from '../../shared/dates.ts';
import { type Cents, computeTax, RATE_SCALE } from '../../shared/money.ts';
import { documentNumberKey, fold } from '../../shared/text.ts';
import { readRow } from './stored.ts';

/** The time of tests, unless they say otherwise: noon in Mexico City, Friday of week 47. */
export const NOW = '2026-11-20T18:00:00.000Z';
export const TODAY: PlainDate = '2026-11-20';
export const DAY = { today: TODAY, timeZone: 'America/Mexico_City' } as const;

export function createActor(overrides: Partial<Actor> = {}): Actor {
  return { userId: 0, username: 'sistema', roles: [], origin: 'system', at: NOW, today: TODAY, ...overrides };
}

export interface StoredUser {
  id: number;
  username: string;
  email: string;
  roles: number[];
}

let rowCounter = 0;

/** Stores a user with these roles and without a password; `password` takes a hash. */
export async function addUser(
  db: Db,
  overrides: Partial<Omit<StoredUser, 'id'>> & {
    active?: boolean;
    mustChangePassword?: boolean;
    passwordExpiresAt?: string;
    password?: string;
  } = {},
): Promise<StoredUser> {
  const { username = `usuario${++rowCounter}`, email = `${username}@saldo.test`, roles = [1] } = overrides;
  const moments = { createdAt: NOW, updatedAt: NOW };
  const id = await insertAndGetId(db, 'users', {
    ...{ ...moments, username, email, name: username, userfirstname: 'Nombre', userlastname: 'Apellido' },
    ...{ emailVerified: dialectOf(db) === 'postgres' ? false : 0, image: null, employeenumber: null },
    active: overrides.active === false ? 0 : 1,
    mustChangePassword: overrides.mustChangePassword ? 1 : 0,
    passwordExpiresAt: overrides.passwordExpiresAt ?? null,
  });
  if (roles.length > 0) {
    const rows = roles.map((roleId) => ({ userId: id, roleId }));
    await db.insertInto('user_roles').values(rows).execute();
  }
  const account = { accountId: String(id), providerId: 'credential', userId: id };
  const values = { ...account, password: overrides.password ?? null, ...moments };
  await db
    .insertInto('accounts')
    .values(values as never)
    .execute();
  return { id, username, email, roles };
}

export async function addActor(db: Db, overrides: Partial<Actor> = {}): Promise<Actor> {
  const { id, username, roles } = await addUser(db, {
    roles: overrides.roles ? [...overrides.roles] : [1, 3],
  });
  return createActor({ userId: id, username, roles, origin: 'api', ...overrides });
}

/** Stores a new user who is signed in now, by the machine's own clock, for separate servers; returns the token. */
export async function addToken(db: Db, roles: number[] = [1, 3]): Promise<string> {
  return addSession(db, (await addUser(db, { roles })).id, new Date());
}

export async function addSession(db: Db, userId: number, at: string | Date = NOW): Promise<string> {
  const token = `token-de-prueba-${process.pid}-${++rowCounter}`;
  const moment = new Date(at).toISOString();
  await db
    .insertInto('sessions')
    .values({
      token: hashToken(token),
      userId,
      createdAt: moment,
      updatedAt: moment,
      expiresAt: new Date(Date.parse(moment) + 30 * 86_400_000).toISOString(),
      ipAddress: '127.0.0.1',
      userAgent: 'prueba',
    })
    .execute();
  return token;
}

const IMPORT_AND_TIME_COLUMNS = { importId: null, createdAt: NOW, updatedAt: NOW };

type RowOverrides<T extends keyof Schema> = Partial<Insertable<Schema[T]>>;

async function insertAndGetId<T extends keyof Schema>(
  db: Db,
  table: T,
  row: Insertable<Schema[T]>,
): Promise<number> {
  const stored = db.insertInto(table as 'rubros').values(row as Insertable<Schema['rubros']>);
  return (await stored.returning('id').executeTakeFirstOrThrow()).id;
}

/** Each of these functions returns the new row's id. */
export async function addSupplier(db: Db, overrides: RowOverrides<'suppliers'> = {}): Promise<number> {
  const { suppliername = `Proveedor ${++rowCounter}`, suppliercontactperson = 'Ana' } = overrides;
  return insertAndGetId(db, 'suppliers', {
    ...{
      ...IMPORT_AND_TIME_COLUMNS,
      suppliercontactphone: '5550001001',
      suppliercontactemail: 'a@b.mx',
      diascredito: 0,
    },
    ...overrides,
    suppliername,
    suppliernameFold: fold(suppliername),
    suppliercontactperson,
    suppliercontactpersonFold: fold(suppliercontactperson),
  });
}

export async function addClient(db: Db, overrides: RowOverrides<'clients'> = {}): Promise<number> {
  const { clientname = `Cliente ${++rowCounter}` } = overrides;
  const contact = { clientcontactperson: 'Luis', clientcontactphone: '5550001002' };
  const row = { ...IMPORT_AND_TIME_COLUMNS, ...contact, clientcontactemail: 'c@d.mx', ...overrides };
  return insertAndGetId(db, 'clients', { ...row, clientname, clientnameFold: fold(clientname) });
}

export async function addJob(db: Db, overrides: RowOverrides<'jobs'> = {}): Promise<number> {
  const { jobtitle = `Obra ${++rowCounter}`, clientId = await addClient(db) } = overrides;
  const dates = { jobstartdate: '2026-01-01', jobduedate: '2027-12-31' };
  const row = { ...IMPORT_AND_TIME_COLUMNS, ...dates, jobdescription: '', ...overrides, clientId };
  return insertAndGetId(db, 'jobs', { ...row, jobtitle, jobtitleFold: fold(jobtitle) });
}

export async function addRubro(db: Db, overrides: RowOverrides<'rubros'> = {}): Promise<number> {
  const { nombrerubro = `Rubro ${++rowCounter}`, descripcionrubro = '' } = overrides;
  return insertAndGetId(db, 'rubros', {
    ...IMPORT_AND_TIME_COLUMNS,
    nombrerubro,
    nombrerubroFold: fold(nombrerubro),
    descripcionrubro,
  });
}

export async function addFundingSource(
  db: Db,
  overrides: RowOverrides<'funding_sources'> = {},
): Promise<number> {
  const { origenderecursonombre = `Origen ${++rowCounter}`, origenderecursodescripcion = '' } = overrides;
  const origenderecursonombreFold = fold(origenderecursonombre);
  const row = {
    ...IMPORT_AND_TIME_COLUMNS,
    origenderecursonombre,
    origenderecursonombreFold,
    origenderecursodescripcion,
  };
  return insertAndGetId(db, 'funding_sources', row);
}

export interface InvoiceOverrides extends Partial<InvoiceValues> {
  paidCents?: Cents;
  uuid?: string | null;
  metodopago?: string | null;
  /** the original amount and rate of an invoice that was converted */
  moneda?: string;
  tipocambio?: string;
  userId?: number;
  createdAt?: string;
}

/** Stores an unpaid invoice of 1,000.00 + 16 % for a new supplier and job, unless it says otherwise. */
export async function addInvoice(db: Db, overrides: InvoiceOverrides = {}): Promise<number> {
  const { numfactura = `F-${++rowCounter}`, rubroId = null, createdAt: at = NOW } = overrides;
  const { subtotalCents = 100_000, otrosimpuestosCents = 0, retencionesCents = 0 } = overrides;
  const { tasa = 16 * RATE_SCALE, ivaCents = computeTax(subtotalCents, tasa ?? 0) } = overrides;
  const { totalCents = subtotalCents + ivaCents + otrosimpuestosCents - retencionesCents } = overrides;
  const { supplierId = await addSupplier(db), jobId = await addJob(db) } = overrides;
  const { diascredito } = await readRow(db, 'suppliers', { id: supplierId }, ['diascredito']);
  const amounts = { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents };
  const invoice = { ...overrides, supplierId, jobId, rubroId, numfactura, ...amounts };
  const stamp = { at, today: plainDateIn(new Date(at), HOME_ZONE), userId: 0, importId: null };
  const { userId = null, paidCents = 0 } = overrides;
  return insertAndGetId(db, 'invoices', { ...toInvoiceRow(invoice, diascredito, stamp), userId, paidCents });
}

/** Stores a credit note of 100.00, without tax unless it says otherwise, and not applied to any invoice. */
export async function addCreditNote(
  db: Db,
  overrides: RowOverrides<'credit_notes'> & { supplierId: number; userId: number },
): Promise<number> {
  const { numero = `NC-${++rowCounter}`, totalCents = 10_000, ivaCents = 0 } = overrides;
  const { otrosimpuestosCents = 0, retencionesCents = 0 } = overrides;
  return insertAndGetId(db, 'credit_notes', {
    ...{ ...IMPORT_AND_TIME_COLUMNS, fecha: TODAY, moneda: 'MXN', detail: '{}', comments: '' },
    ...overrides,
    numero,
    numeroKey: documentNumberKey(numero),
    subtotalCents: totalCents - ivaCents - otrosimpuestosCents + retencionesCents,
    ...{ ivaCents, otrosimpuestosCents, retencionesCents, totalCents },
  });
}

/** Stores a payment, and adds it to the invoice's paid amount. */
export async function addPayment(
  db: Db,
  overrides: RowOverrides<'payments'> & { facturaproveedorId: number; amountCents: Cents; userId: number },
): Promise<number> {
  const { checknum = '', facturaproveedorId: id, amountCents } = overrides;
  const row = {
    ...IMPORT_AND_TIME_COLUMNS,
    comments: '',
    paymentdate: TODAY,
    origenderecursoId: null,
    ...overrides,
  };
  await db
    .updateTable('invoices')
    .set((eb) => ({ paidCents: eb('paidCents', '+', amountCents) }))
    .where('id', '=', id)
    .execute();
  return insertAndGetId(db, 'payments', { ...row, checknum, checknumFold: fold(checknum) });
}
