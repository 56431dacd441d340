import { dialectOf } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { type InvoiceValues, invoiceRow } from '../../server/services/invoices/rows.ts';
import { storedToken } from '../../server/services/session/tokens.ts';
import { HOME_ZONE, type PlainDate, plainDateIn } from '../../shared/dates.ts';
import { type Cents, RATE_SCALE, taxOf } from '../../shared/money.ts';
import { fold, numberKey } from '../../shared/text.ts';
import { rowOf } from './stored.ts';

/** When tests happen, unless they say otherwise: noon in Mexico City, Friday of week 47. */
export const NOW = '2026-11-20T18:00:00.000Z';
export const TODAY: PlainDate = '2026-11-20';

/** Somebody who acts; `addActor` makes one whose user is stored too. */
export function actor(part: Partial<Actor> = {}): Actor {
  return { userId: 0, username: 'sistema', roles: [], origin: 'system', at: NOW, today: TODAY, ...part };
}

export interface StoredUser {
  id: number;
  username: string;
  email: string;
  roles: number[];
}

let counter = 0;

/** A user with these roles and no password; `password` takes a hash. */
export async function addUser(
  db: Db,
  part: {
    username?: string;
    email?: string;
    roles?: number[];
    active?: boolean;
    mustChangePassword?: boolean;
    passwordExpiresAt?: string;
    password?: string;
  } = {},
): Promise<StoredUser> {
  const username = part.username ?? `usuario${++counter}`;
  const email = part.email ?? `${username}@saldo.test`;
  const roles = part.roles ?? [1];
  const moments = { createdAt: NOW, updatedAt: NOW };
  const { id } = await db
    .insertInto('users')
    .values({
      ...moments,
      username,
      email,
      name: username,
      emailVerified: dialectOf(db) === 'postgres' ? false : 0,
      image: null,
      employeenumber: null,
      userfirstname: 'Nombre',
      userlastname: 'Apellido',
      active: part.active === false ? 0 : 1,
      mustChangePassword: part.mustChangePassword ? 1 : 0,
      passwordExpiresAt: part.passwordExpiresAt ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (roles.length > 0) {
    const rows = roles.map((roleId) => ({ userId: id, roleId }));
    await db.insertInto('user_roles').values(rows).execute();
  }
  const account = {
    accountId: String(id),
    providerId: 'credential',
    userId: id,
    password: part.password ?? null,
  };
  await db
    .insertInto('accounts')
    .values({ ...account, ...moments } as never)
    .execute();
  return { id, username, email, roles };
}

/** A stored user who acts from the API at NOW. */
export async function addActor(db: Db, part: Partial<Actor> = {}): Promise<Actor> {
  const { id, username, roles } = await addUser(db, { roles: part.roles ? [...part.roles] : [1, 3] });
  return actor({ userId: id, username, roles, origin: 'api', ...part });
}

/** The token of a new user who is signed in now, on the machine's own clock: for servers of their own. */
export async function addToken(db: Db, roles: number[] = [1, 3]): Promise<string> {
  return addSession(db, (await addUser(db, { roles })).id, new Date());
}

/** A session as signing in would have made it; the answer is its token. */
export async function addSession(db: Db, userId: number, at: string | Date = NOW): Promise<string> {
  const token = `token-de-prueba-${process.pid}-${++counter}`;
  const moment = new Date(at).toISOString();
  await db
    .insertInto('sessions')
    .values({
      token: storedToken(token),
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

const kept = { importId: null, createdAt: NOW, updatedAt: NOW };

/** Each of these answers the new row's id. */
export async function addSupplier(
  db: Db,
  part: { suppliername?: string; rfc?: string; diascredito?: number } = {},
): Promise<number> {
  const suppliername = part.suppliername ?? `Proveedor ${++counter}`;
  const contact = {
    suppliercontactperson: 'Ana',
    suppliercontactpersonFold: 'ana',
    suppliercontactphone: '5550001001',
    suppliercontactemail: 'a@b.mx',
  };
  const { id } = await db
    .insertInto('suppliers')
    .values({
      ...kept,
      ...contact,
      suppliername,
      suppliernameFold: fold(suppliername),
      rfc: part.rfc ?? null,
      diascredito: part.diascredito ?? 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function addClient(db: Db, { clientname = `Cliente ${++counter}` } = {}): Promise<number> {
  const contact = {
    clientcontactperson: 'Luis',
    clientcontactphone: '5550001002',
    clientcontactemail: 'c@d.mx',
  };
  const { id } = await db
    .insertInto('clients')
    .values({ ...kept, ...contact, clientname, clientnameFold: fold(clientname) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function addJob(db: Db, part: { jobtitle?: string; clientId?: number } = {}): Promise<number> {
  const jobtitle = part.jobtitle ?? `Obra ${++counter}`;
  const clientId = part.clientId ?? (await addClient(db));
  const { id } = await db
    .insertInto('jobs')
    .values({
      ...kept,
      jobtitle,
      jobtitleFold: fold(jobtitle),
      jobdescription: '',
      jobstartdate: '2026-01-01',
      jobduedate: '2027-12-31',
      clientId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function addRubro(db: Db, { nombrerubro = `Rubro ${++counter}` } = {}): Promise<number> {
  const { id } = await db
    .insertInto('rubros')
    .values({ ...kept, nombrerubro, nombrerubroFold: fold(nombrerubro), descripcionrubro: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function addFundingSource(
  db: Db,
  { origenderecursonombre = `Origen ${++counter}` } = {},
): Promise<number> {
  const origenderecursonombreFold = fold(origenderecursonombre);
  const { id } = await db
    .insertInto('funding_sources')
    .values({ ...kept, origenderecursonombre, origenderecursonombreFold, origenderecursodescripcion: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface InvoiceParts extends Partial<InvoiceValues> {
  paidCents?: Cents;
  uuid?: string | null;
  /** of one that was converted, with its rate */
  moneda?: string;
  tipocambio?: string;
  userId?: number;
  createdAt?: string;
}

/** 1,000.00 + 16 % for a new supplier and job, unpaid, unless it is told otherwise. */
export async function addInvoice(db: Db, part: InvoiceParts = {}): Promise<number> {
  const numfactura = part.numfactura ?? `F-${++counter}`;
  const { subtotalCents = 100_000, otrosimpuestosCents = 0, retencionesCents = 0 } = part;
  const tasa = part.tasa === undefined ? 16 * RATE_SCALE : part.tasa;
  const ivaCents = part.ivaCents ?? taxOf(subtotalCents, tasa ?? 0);
  const { supplierId = await addSupplier(db), createdAt: at = NOW } = part;
  const { diascredito } = await rowOf(db, 'suppliers', { id: supplierId }, ['diascredito']);
  const { id } = await db
    .insertInto('invoices')
    .values({
      ...invoiceRow(
        {
          ...part,
          supplierId,
          jobId: part.jobId ?? (await addJob(db)),
          rubroId: part.rubroId ?? null,
          numfactura,
          subtotalCents,
          tasa,
          ivaCents,
          otrosimpuestosCents,
          retencionesCents,
          totalCents: part.totalCents ?? subtotalCents + ivaCents + otrosimpuestosCents - retencionesCents,
        },
        diascredito,
        { at, today: plainDateIn(new Date(at), HOME_ZONE), userId: 0, importId: null },
      ),
      userId: part.userId ?? null,
      paidCents: part.paidCents ?? 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A credit note of 100.00, without tax unless it says so, nothing of it applied. */
export async function addCreditNote(
  db: Db,
  part: {
    supplierId: number;
    userId: number;
    numero?: string;
    totalCents?: Cents;
    ivaCents?: Cents;
    fecha?: PlainDate;
  },
): Promise<number> {
  const { supplierId, userId, numero = `NC-${++counter}`, fecha = TODAY } = part;
  const { totalCents = 10_000, ivaCents = 0 } = part;
  const { id } = await db
    .insertInto('credit_notes')
    .values({
      ...kept,
      supplierId,
      userId,
      numero,
      numeroKey: numberKey(numero),
      fecha,
      subtotalCents: totalCents - ivaCents,
      ivaCents,
      otrosimpuestosCents: 0,
      retencionesCents: 0,
      totalCents,
      moneda: 'MXN',
      detail: '{}',
      comments: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A payment, and the invoice's paid sum with it. */
export async function addPayment(
  db: Db,
  part: {
    facturaproveedorId: number;
    amountCents: Cents;
    importebancoCents?: Cents;
    userId: number;
    paymentdate?: PlainDate;
    origenderecursoId?: number | null;
    checknum?: string;
  },
): Promise<number> {
  const checknum = part.checknum ?? '';
  const { id } = await db
    .insertInto('payments')
    .values({
      ...kept,
      comments: '',
      paymentdate: TODAY,
      origenderecursoId: null,
      ...part,
      checknum,
      checknumFold: fold(checknum),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('invoices')
    .set((eb) => ({ paidCents: eb('paidCents', '+', part.amountCents) }))
    .where('id', '=', part.facturaproveedorId)
    .execute();
  return id;
}
