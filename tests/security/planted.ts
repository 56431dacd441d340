import type { Db } from '../../db/schema.ts';
import { updateFund } from '../../server/services/petty-cash/funds.ts';
import { createMovement, updateMovement } from '../../server/services/petty-cash/movements.ts';
import type { TestClient } from '../support/app.ts';
import { addFund, createExpenseValues } from '../support/petty-cash.ts';
import { addActor, addUser, createActor } from '../support/rows.ts';

const PLANTED = [
  ...(['suppliers', 'clients', 'jobs', 'rubros', 'sources'] as const),
  ...(['invoices', 'payments', 'funds', 'movements', 'users'] as const),
] as const;

/** Ids by list; the nth rows refer to each other. */
export type Planted = Record<(typeof PLANTED)[number], number[]>;

/** Stores one row of every list for each text, with the text in every field. */
export async function plant(db: Db, bot: TestClient, texts: readonly string[]): Promise<Planted> {
  const planted = Object.fromEntries(PLANTED.map((list) => [list, [] as number[]])) as Planted;
  const ana = await addActor(db);
  for (const text of texts) {
    const supplierId = await created(bot, '/api/suppliers/newsupplier', supplierOf(text));
    const clientId = await created(bot, '/api/clients/newclient', clientOf(text));
    const jobId = await created(bot, '/api/jobs/newjob', { ...jobOf(text), clientId });
    const rubroId = await created(bot, '/api/rubros/newrubro', rubroOf(text));
    const origenderecursoId = await created(bot, '/api/origenderecurso/neworiginofresource', sourceOf(text));
    const references = { supplierId, jobId, rubroId };
    const dates = {
      fechaemision: '2026-11-02',
      fecharecepcion: '2026-11-03',
      fechavencimiento: '2026-11-27',
    };
    const facturaproveedorId = await created(bot, '/api/facturaproveedores/newfacturaproveedor', {
      ...invoiceOf(text),
      ...references,
      ...dates,
      subtotal: 1000,
      tasa: 16,
    });
    const paymentId = await created(bot, '/api/payments/newpayment', {
      ...paymentOf(text),
      facturaproveedorId,
      origenderecursoId,
      paymentdate: '2026-11-20',
      paymentamount: 10,
    });
    // Stores petty cash through services, since it has no API.
    const { id: fundId } = await addFund(db, { ...fundOf(text, planted.funds.length), origenderecursoId });
    const spent = createExpenseValues({ ...movementOf(text), importeCents: 500, jobId, rubroId });
    const { movement } = await createMovement(db, ana, fundId, spent);
    const user = await addUser(db, { username: `usuario-${planted.users.length}`, roles: [2] });
    await nameUser(db, user.id, text);
    const ids: Record<keyof Planted, number> = {
      ...{
        suppliers: supplierId,
        clients: clientId,
        jobs: jobId,
        rubros: rubroId,
        sources: origenderecursoId,
      },
      ...{ invoices: facturaproveedorId, payments: paymentId },
      ...{ funds: fundId, movements: movement.id, users: user.id },
    };
    for (const list of PLANTED) planted[list].push(ids[list]);
  }
  return planted;
}

/** Stores other texts in those rows through the API. */
export async function replant(
  db: Db,
  bot: TestClient,
  planted: Planted,
  texts: readonly string[],
): Promise<void> {
  const ana = createActor({ userId: planted.users[0]!, roles: [1, 3] });
  for (const [index, text] of texts.entries()) {
    const put = (path: string, list: keyof Planted, body: object) =>
      changed(bot, `/api/${path}/${planted[list][index]}`, body);
    await put('suppliers', 'suppliers', supplierOf(text));
    await put('clients', 'clients', clientOf(text));
    await put('jobs', 'jobs', jobOf(text));
    await put('rubros', 'rubros', rubroOf(text));
    await put('origenderecurso', 'sources', sourceOf(text));
    await put('facturaproveedores', 'invoices', invoiceOf(text));
    await put('payments', 'payments', paymentOf(text));
    await updateFund(db, ana, planted.funds[index]!, fundOf(text, index));
    await updateMovement(db, ana, planted.movements[index]!, movementOf(text));
    await nameUser(db, planted.users[index]!, text);
  }
}

async function created(bot: TestClient, path: string, body: object): Promise<number> {
  const answer = await bot.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()).id;
}

async function changed(bot: TestClient, path: string, body: object): Promise<void> {
  const answer = await bot.put(path, body);
  if (answer.status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${await answer.text()}`);
}

/** Written past the rules, since usernames allow only letters and digits; pages have to be safe for any stored text. */
async function nameUser(db: Db, id: number, text: string): Promise<void> {
  const own = { username: `${id} ${text}`, email: `${id}${mailOf(text)}` };
  const names = { ...own, employeenumber: text, userfirstname: text, userlastname: text };
  await db.updateTable('users').set(names).where('id', '=', id).execute();
}

/** E-mail addresses allow no space; phones need a digit and have at most 40 characters. */
const mailOf = (text: string) => `${text.replace(/[\s@\u2028\u2029]/g, '/')}@x.mx`;
const phoneOf = (text: string) => `${text.slice(0, 39)}1`;

const contactOf = (prefix: string, text: string) => ({
  [`${prefix}contactperson`]: text,
  [`${prefix}contactphone`]: phoneOf(text),
  [`${prefix}contactemail`]: mailOf(text),
});

const supplierOf = (text: string) => ({ suppliername: text, ...contactOf('supplier', text) });
const clientOf = (text: string) => ({ clientname: text, ...contactOf('client', text) });
const jobOf = (text: string) => ({ jobtitle: text, jobdescription: text });
const rubroOf = (text: string) => ({ nombrerubro: text, descripcionrubro: text });
const sourceOf = (text: string) => ({ origenderecursonombre: text, origenderecursodescripcion: text });
const invoiceOf = (text: string) => ({ numfactura: text, comments: text });
const paymentOf = (text: string) => ({ checknum: text, comments: text });
/** Fund names are unique regardless of case. */
const fundOf = (text: string, index: number) => ({
  nombre: `${index} ${text}`.slice(0, 120),
  comments: text,
});
const movementOf = (text: string) => ({
  concepto: text,
  beneficiario: text.slice(0, 200),
  folio: text.slice(0, 60),
  comments: text,
});
