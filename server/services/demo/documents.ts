import { demoCompany, demoRubros } from '../../../db/demo/names.ts';
import { withCheckDigit } from '../../../db/demo/suppliers.ts';
import type { Trx } from '../../../db/schema.ts';
import { addDays, formatDate, type PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { plainText } from '../../../shared/remarks.ts';
import { fold } from '../../../shared/text.ts';
import { attachFile } from '../attachments.ts';
import type { Actor } from '../audit/audit.ts';
import { importCfdi } from '../cfdi/import.ts';
import {
  buildDemoCfdi,
  buildDemoReceipt,
  type DemoDocument,
  type DemoParty,
  printDemoPdf,
  totalsOf,
  uuidOf,
} from './cfdi.ts';

/**
 * What the last days brought as CFDI, loaded the way users load it: an invoice paid in parts with its PDF and the
 * receipt of its first payment, one with several rates, one in dollars, one with a credit note.
 */
export async function loadDemoDocuments(trx: Trx, by: Actor, today: PlainDate): Promise<void> {
  const actor = { ...by, ...(await accountant(trx)) };
  const [concrete, cement, electric, steel] = [
    await partyNamed(trx, 'Concretos Premezclados del Bravo'),
    await partyNamed(trx, 'Materiales Cumbres'),
    await partyNamed(trx, 'Electricidad Industrial Volta'),
    await partyNamed(trx, 'Aceros Tepeyac'),
  ];
  const receptor = { rfc: withCheckDigit(demoCompany.rfc), nombre: demoCompany.empresa };
  const inParts: DemoDocument = {
    tipo: 'I',
    serie: 'CP',
    folio: '7741',
    fecha: addDays(today, -12),
    emisor: concrete,
    receptor,
    metodoPago: 'PPD',
    conceptos: [
      { descripcion: "Concreto premezclado f'c 250 kg/cm²", cantidad: 42, unitCents: 248_500, rate: 16 },
      { descripcion: 'Servicio de bombeo', cantidad: 42, unitCents: 31_000, rate: 16 },
    ],
  };
  const mixed: DemoDocument = {
    ...inParts,
    serie: 'MC',
    folio: '30218',
    fecha: addDays(today, -6),
    emisor: cement,
    metodoPago: 'PUE',
    conceptos: [
      { descripcion: 'Cemento gris, saco de 50 kg', cantidad: 180, unitCents: 21_450, rate: 16 },
      { descripcion: 'Agua purificada, garrafón de 20 l', cantidad: 60, unitCents: 4200, rate: 0 },
    ],
  };
  const dollars: DemoDocument = {
    ...inParts,
    serie: 'V',
    folio: '1187',
    fecha: addDays(today, -4),
    emisor: electric,
    metodoPago: 'PUE',
    dollars: { rate: '18.4210' },
    conceptos: [
      { descripcion: 'Tablero de distribución de 42 circuitos', cantidad: 2, unitCents: 241_500, rate: 16 },
    ],
  };
  const credited: DemoDocument = {
    ...inParts,
    serie: 'AT',
    folio: '5520',
    fecha: addDays(today, -3),
    emisor: steel,
    metodoPago: 'PUE',
    conceptos: [
      { descripcion: 'Varilla corrugada 3/8, tonelada', cantidad: 6, unitCents: 1_894_000, rate: 16 },
    ],
  };
  const note: DemoDocument = {
    ...credited,
    tipo: 'E',
    serie: 'NC',
    folio: '88',
    fecha: addDays(today, -1),
    conceptos: [{ descripcion: 'Devolución de varilla', cantidad: 1, unitCents: 947_000, rate: 16 }],
    credits: uuidOf(credited),
  };
  const load = loader(trx, actor, today);
  const id = await load(inParts, { rubro: 'concreto', fecharecepcion: addDays(today, -11) });
  await attachFile(trx, actor, id, { filename: `${nameOf(inParts)}.pdf`, bytes: print(inParts) });
  await load(mixed, { rubro: 'agregados', fecharecepcion: addDays(today, -5) });
  await load(dollars, { rubro: 'electrica', fecharecepcion: addDays(today, -3) });
  await load(credited, { rubro: 'acero', fecharecepcion: addDays(today, -2) });
  await load(note, {});
  const paid = { paidOn: addDays(today, -5), amountCents: 5_000_000, invoice: inParts };
  const receipt = { ...inParts, ...paid, serie: 'P', folio: '902', fecha: addDays(today, -2) };
  await load(receipt, {}, buildDemoReceipt(receipt));
}

/** The colleague who captures what comes in. */
async function accountant(trx: Trx): Promise<Pick<Actor, 'userId' | 'username'>> {
  const found = trx
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.userId', 'users.id')
    .select(['users.id as userId', 'username'])
    .where('roleId', '=', ACCOUNTING)
    .orderBy('users.id');
  return found.executeTakeFirstOrThrow();
}

async function partyNamed(trx: Trx, name: string): Promise<DemoParty> {
  const { suppliername, rfc } = await trx
    .selectFrom('suppliers')
    .select(['suppliername', 'rfc'])
    .where('suppliernameFold', 'like', `${fold(name)}%`)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  return { rfc: rfc!, nombre: suppliername };
}

/** @returns what stores one document, for the newest work that is under way; the invoice's id, 0 where it is none */
function loader(trx: Trx, actor: Actor, today: PlainDate) {
  return async (
    document: Pick<DemoDocument, 'serie' | 'folio'>,
    { rubro, fecharecepcion }: { rubro?: keyof typeof demoRubros; fecharecepcion?: PlainDate },
    xml = buildDemoCfdi(document as DemoDocument),
  ): Promise<number> => {
    const name = `${nameOf(document)}.xml`;
    const { files } = await importCfdi(trx, actor, [{ name, bytes: Buffer.from(xml) }], {
      jobId: await jobUnderWay(trx, today),
      rubroId: rubro && (await idOf(trx, rubro)),
      fecharecepcion,
      fundingSourceId: await firstSource(trx),
      source: name,
    });
    const { outcome, reason = '', invoiceId = 0 } = files[0]!;
    if (outcome === 'refused') throw new Error(`${name}: ${plainText(reason)}`);
    return invoiceId;
  };
}

/** Contabilidad, as the roles are seeded. */
const ACCOUNTING = 2;

const nameOf = ({ serie, folio }: Pick<DemoDocument, 'serie' | 'folio'>): string => `${serie}-${folio}`;

async function jobUnderWay(trx: Trx, today: PlainDate): Promise<number> {
  const { id } = await trx
    .selectFrom('jobs')
    .select('id')
    .where('jobstartdate', '<=', today)
    .where('jobduedate', '>=', today)
    .orderBy('jobstartdate', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}

async function idOf(trx: Trx, rubro: keyof typeof demoRubros): Promise<number> {
  const { nombrerubro } = demoRubros[rubro];
  const found = trx.selectFrom('rubros').select('id').where('nombrerubroFold', '=', fold(nombrerubro));
  return (await found.executeTakeFirstOrThrow()).id;
}

async function firstSource(trx: Trx): Promise<number> {
  const found = trx.selectFrom('funding_sources').select('id').orderBy('id');
  return (await found.executeTakeFirstOrThrow()).id;
}

function print(document: DemoDocument): Buffer {
  const { emisor, receptor, fecha, conceptos } = document;
  const { subtotalCents, ivaCents, totalCents } = totalsOf(document);
  return printDemoPdf([
    emisor.nombre,
    `RFC ${emisor.rfc}`,
    '',
    `Factura ${nameOf(document)}, ${formatDate(fecha)}`,
    `Receptor: ${receptor.nombre}, RFC ${receptor.rfc}`,
    `Folio fiscal: ${uuidOf(document)}`,
    '',
    ...conceptos.map(
      ({ descripcion, cantidad, unitCents }) =>
        `${cantidad} × ${descripcion}: ${formatMoney(cantidad * unitCents)}`,
    ),
    '',
    `Subtotal ${formatMoney(subtotalCents)}   IVA ${formatMoney(ivaCents)}   Total ${formatMoney(totalCents)}`,
    '',
    'Documento de demostración, sin validez fiscal.',
  ]);
}
