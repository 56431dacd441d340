import fc from 'fast-check';
import type { Db } from '../../db/schema.ts';
import { isErrorText, meansEmpty } from '../../server/formats/tables/cell-text.ts';
import { addDays, type PlainDate } from '../../shared/dates.ts';
import { type Cents, computeTax } from '../../shared/money.ts';
import { bankAmountOf, toPaidAmounts } from '../../shared/payments.ts';
import { cleanText, documentNumberKey, oneLine } from '../../shared/text.ts';
import {
  addClient,
  addCreditNote,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
} from './rows.ts';

/**
 * The companies include what breaks spreadsheets and their formats: separators, quotes, line breaks, leading formula
 * signs, leading zeros, accents, emoji, missing dates, mixed rates.
 */
export const arbitraryCompany = () =>
  fc
    .record({
      suppliers: fc.array(arbitrarySupplierParts(), { minLength: 1, maxLength: 5 }),
      clients: fc.array(fc.record({ ...contact(), name: arbitraryLine() }), { minLength: 1, maxLength: 3 }),
      jobs: fc.array(arbitraryJobParts(), { minLength: 1, maxLength: 4 }),
      rubros: fc.array(fc.record({ name: arbitraryLine(), description: arbitraryTextBlock() }), {
        minLength: 1,
        maxLength: 3,
      }),
      sources: fc.array(fc.record({ name: arbitraryLine(), description: arbitraryTextBlock() }), {
        minLength: 1,
        maxLength: 3,
      }),
      invoices: fc.array(arbitraryInvoiceParts(), { minLength: 1, maxLength: 12 }),
      notes: fc.array(arbitraryNoteParts(), { maxLength: 5 }),
    })
    .map((company) => ({
      ...company,
      suppliers: withDistinctNames(company.suppliers),
      clients: withDistinctNames(company.clients),
      jobs: withDistinctNames(company.jobs),
      rubros: withDistinctNames(company.rubros),
      sources: withDistinctNames(company.sources),
    }));

export type Company = ReturnType<typeof arbitraryCompany> extends fc.Arbitrary<infer T> ? T : never;

/** Stores the company unchanged; ids count from 1 in each list. */
export async function addCompany(db: Db, company: Company): Promise<void> {
  const { suppliers, clients, jobs, rubros, sources, invoices } = company;
  const { id: userId } = await addUser(db);
  for (const [index, { name, rfc, person, phone, email, days }] of suppliers.entries())
    await addSupplier(db, {
      suppliername: name,
      suppliercontactperson: person,
      suppliercontactphone: phone,
      suppliercontactemail: email,
      rfc: rfc === 'own' ? `PMA1001${10 + index}A${index}B` : rfc,
      diascredito: days,
    });
  for (const { name: clientname, person: clientcontactperson, phone, email } of clients) {
    const arbitraryContact = { clientcontactperson, clientcontactphone: phone, clientcontactemail: email };
    await addClient(db, { clientname, ...arbitraryContact });
  }
  for (const { name, description, start, days, client } of jobs)
    await addJob(db, {
      jobtitle: name,
      jobdescription: description,
      jobstartdate: start,
      jobduedate: start && days !== null ? addDays(start, days) : null,
      clientId: 1 + (client % clients.length),
    });
  for (const { name: nombrerubro, description: descripcionrubro } of rubros)
    await addRubro(db, { nombrerubro, descripcionrubro });
  for (const { name: origenderecursonombre, description: origenderecursodescripcion } of sources)
    await addFundingSource(db, { origenderecursonombre, origenderecursodescripcion });
  const numbers = new Set<string>();
  const open: OpenInvoice[] = [];
  for (const [index, parts] of invoices.entries()) {
    const supplierId = 1 + (parts.supplier % suppliers.length);
    // Invoices are identified by supplier and number, those without a number by their total, which is unique.
    const key = `${supplierId}:${documentNumberKey(parts.number)}`;
    const number = documentNumberKey(parts.number) === '' || numbers.has(key) ? '' : parts.number;
    numbers.add(key);
    const subtotal = parts.subtotal * 100 + index;
    const iva = computeTax(subtotal, parts.rate) + (parts.cfdi ? Math.abs(parts.extra) : 0);
    const other = parts.cfdi ? parts.extra : Math.abs(parts.extra);
    const total = subtotal + iva + other - parts.withheld;
    const facturaproveedorId = await addInvoice(db, {
      supplierId,
      jobId: 1 + (parts.job % jobs.length),
      rubroId: parts.rubro === null ? null : 1 + (parts.rubro % rubros.length),
      numfactura: number,
      fechaemision: parts.issued,
      fecharecepcion: parts.received,
      fechavencimiento: parts.due,
      subtotalCents: subtotal,
      tasa: parts.cfdi && parts.mixed ? null : parts.rate,
      ivaCents: iva,
      otrosimpuestosCents: other,
      retencionesCents: parts.withheld,
      comments: parts.comments,
      contrato: parts.contract,
      uuid: parts.cfdi ? `AAAAAAAA-1111-4222-8333-${String(index).padStart(12, '0')}` : null,
      metodopago: parts.cfdi ? parts.method : null,
      ...(parts.cfdi ? parts.converted : null),
      userId,
    });
    let paidCents = 0;
    for (const { cents, date, check, comments, source, exchange } of paymentsOf(parts, total)) {
      paidCents += cents;
      await addPayment(db, {
        facturaproveedorId,
        origenderecursoId: source === null ? null : 1 + (source % sources.length),
        checknum: check,
        paymentdate: date,
        ...toPaidAmountsWithExchange(cents, exchange),
        comments,
        userId,
      });
    }
    open.push({ id: facturaproveedorId, supplierId, paidCents, totalCents: total });
  }
  await addNotes(db, company.notes, open, userId);
}

const toPaidAmountsWithExchange = (cents: Cents, exchange: Cents) =>
  toPaidAmounts(cents, Math.max(1, cents + exchange));

interface OpenInvoice {
  id: number;
  supplierId: number;
  paidCents: number;
  totalCents: number;
}

/** Each note is applied to two invoices at most; a note that fits nowhere is left out. */
async function addNotes(
  db: Db,
  notes: readonly NoteParts[],
  openInvoices: readonly OpenInvoice[],
  userId: number,
) {
  const numbers = new Set<string>();
  for (const [index, parts] of notes.entries()) {
    const owing = openInvoices.filter(({ paidCents, totalCents }) => paidCents < totalCents);
    const first = owing[parts.supplier % Math.max(owing.length, 1)];
    if (!first) continue;
    const { supplierId } = first;
    const supplierInvoices = owing.filter((invoice) => invoice.supplierId === supplierId).slice(0, 2);
    const applied = supplierInvoices.map((one) =>
      toPaidAmountsWithExchange(
        Math.min(one.totalCents - one.paidCents, parts.amount * 100 + index),
        parts.exchange,
      ),
    );
    const appliedCents = applied.reduce((sum, amounts) => sum + bankAmountOf(amounts), 0);
    const totalCents = appliedCents + parts.left;
    // A credit note is identified by its UUID, else by its number, else by its day and total.
    const key = `${supplierId}:${documentNumberKey(parts.number)}`;
    const numero = numbers.has(key) ? '' : parts.number;
    numbers.add(key);
    const fecha = addDays(parts.date, index);
    const creditNoteId = await addCreditNote(db, {
      ...{ supplierId, userId, numero, fecha, totalCents, appliedCents },
      uuid: parts.cfdi ? `BBBBBBBB-1111-4222-8333-${String(index).padStart(12, '0')}` : null,
      ivaCents: parts.taxed ? Math.floor(totalCents / 8) : 0,
      otrosimpuestosCents: parts.other,
      retencionesCents: parts.withheld,
    });
    for (const [place, invoice] of supplierInvoices.entries()) {
      const amounts = applied[place]!;
      invoice.paidCents += amounts.amountCents;
      const part = { facturaproveedorId: invoice.id, paymentdate: fecha, ...amounts, userId };
      await addPayment(db, { ...part, kind: 'credito', creditNoteId });
    }
  }
}

type NoteParts = ReturnType<typeof arbitraryNoteParts> extends fc.Arbitrary<infer T> ? T : never;

function arbitraryNoteParts() {
  return fc.record({
    supplier: fc.nat(20),
    number: fc.oneof(arbitraryLine(12), fc.constantFrom('', '0007', 'NC-1', 'NC 1')),
    cfdi: fc.boolean(),
    date: arbitraryDay(),
    amount: fc.integer({ min: 10, max: 100_000 }),
    left: fc.constantFrom(0, 0, 1, 12_345),
    taxed: fc.boolean(),
    other: fc.constantFrom(0, 0, 1, -1),
    withheld: fc.constantFrom(0, 0, 125),
    exchange: fc.constantFrom(0, 0, 137, -3),
  });
}

/** Each payment is on another day, since day, amount and check identify it. */
function paymentsOf({ paid, payments }: InvoiceParts, total: number) {
  if (paid === 'none') return [];
  const each = Math.floor(total / (payments.length + (paid === 'all' ? 0 : 1)));
  const usedDays = new Set<PlainDate>();
  const takeFreeDay = (date: PlainDate): PlainDate => {
    const day = usedDays.has(date) ? takeFreeDay(addDays(date, 1)) : date;
    usedDays.add(day);
    return day;
  };
  return payments.map((payment, index) => ({
    ...payment,
    date: takeFreeDay(payment.date),
    cents: paid === 'all' && index === 0 ? total - each * (payments.length - 1) : each,
  }));
}

type InvoiceParts = ReturnType<typeof arbitraryInvoiceParts> extends fc.Arbitrary<infer T> ? T : never;

function arbitraryInvoiceParts() {
  return fc.record({
    supplier: fc.nat(20),
    job: fc.nat(20),
    rubro: fc.option(fc.nat(20)),
    number: fc.oneof(
      arbitraryLine(12),
      fc.nat(99_999).map((n) => String(n).padStart(7, '0')),
      fc.constant(''),
    ),
    issued: fc.option(arbitraryDay()),
    received: fc.option(arbitraryDay()),
    due: fc.option(arbitraryDay()),
    subtotal: fc.integer({ min: 10, max: 9_000_000 }),
    rate: fc.constantFrom(160_000, 80_000, 0, 106_667),
    extra: fc.constantFrom(0, 0, 1, -1),
    withheld: fc.constantFrom(0, 0, 125),
    comments: arbitraryTextBlock(),
    contract: fc.oneof(arbitraryLine(12), fc.constant('')),
    cfdi: fc.boolean(),
    mixed: fc.boolean(),
    method: fc.constantFrom('PUE', 'PPD', null),
    converted: fc.constantFrom(null, null, { moneda: 'USD', tipocambio: '17.1234' }),
    paid: fc.constantFrom('none', 'some', 'all'),
    payments: fc.array(
      fc.record({
        date: arbitraryDay(),
        check: fc.oneof(arbitraryLine(10), fc.constantFrom('', '00123', '+7')),
        comments: arbitraryTextBlock(),
        source: fc.option(fc.nat(20)),
        exchange: fc.constantFrom(0, 0, 18_359_978, -1),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  });
}

function arbitrarySupplierParts() {
  return fc.record({
    name: arbitraryLine(),
    rfc: fc.constantFrom('own' as const, 'own' as const, null, 'XAXX010101000'),
    ...contact(),
    days: fc.constantFrom(0, 15, 365),
  });
}

function arbitraryJobParts() {
  return fc.record({
    name: arbitraryLine(),
    description: arbitraryTextBlock(),
    start: fc.option(arbitraryDay()),
    days: fc.option(fc.nat(900)),
    client: fc.nat(20),
  });
}

function contact() {
  return {
    person: arbitraryLine(),
    phone: fc.constantFrom('', '+52 1 55 0000 1025 ext. 12', '(55) 0000-1001', '-55 0000'),
    email: fc.constantFrom('', 'a@b.mx', '=x@b.mx', '+ana@ejemplo.test'),
  };
}

const arbitraryDay = (): fc.Arbitrary<PlainDate> => fc.nat(2000).map((count) => addDays('2022-01-01', count));

const TEXT_PIECES = [
  ...'aZñÉü70 ,";=+-@./%&()',
  ...['🏗️', '€', "'", '|', '#', '<b>', 'S.A. de C.V.', '1.5', '{', '\\', '_x0041_', '_x005F_'],
];

const TEXT_STARTS = ['', '', '=', '+', '-', '@', 'Ñ'];

/** Text on one line as it is stored; a text that is read as "nothing" or as a broken formula is left out. */
function arbitraryLine(maxPieces = 24): fc.Arbitrary<string> {
  return arbitraryText(TEXT_PIECES, maxPieces).map(oneLine).filter(isText);
}

function arbitraryTextBlock(): fc.Arbitrary<string> {
  return fc.oneof(fc.constant(''), arbitraryText([...TEXT_PIECES, '\n', '\t', '  '], 40).filter(isText));
}

const arbitraryText = (pieces: string[], maxPieces: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...TEXT_STARTS),
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: maxPieces }),
    )
    .map(([start, parts]) =>
      cleanText([...(start + parts.join(''))].slice(0, 60).join(''), 'texto', 'texto', 200),
    );

/** A leading apostrophe is a spreadsheet's mark of text, and is removed on import. */
const isText = (text: string): boolean =>
  text !== '' &&
  !meansEmpty(text) &&
  !isErrorText(text) &&
  !text.startsWith("'") &&
  !/^\d[\d.,]*E\+?\d/i.test(text);

function withDistinctNames<T extends { name: string }>(rows: readonly T[]): T[] {
  const seen = new Set<string>();
  return rows.map((row, index) => {
    const key = documentNumberKey(row.name);
    const name =
      key === '' || /^\d+$/.test(key) || seen.has(key) ? `${row.name} n.º ${index + 1} x` : row.name;
    seen.add(documentNumberKey(name));
    return { ...row, name };
  });
}
