import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CfdiDocument, readCfdi } from '../../../../server/formats/cfdi/document.ts';
import { readFigures } from '../../../../server/formats/cfdi/figures.ts';
import { type CfdiInvoice, draftInvoice } from '../../../../server/formats/cfdi/invoices.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { moneyText, rateText } from '../../../../shared/money.ts';

/** Real documents that are kept beside the project, not in it. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data/cfdi');
const manifest = join(folder, 'MANIFEST.tsv');
const OWN_RFC = 'IVD920810GU2';

type Row = Record<string, string>;

describe('every document of the manifest is read as it says', () => {
  for (const row of readRows()) {
    it(`${row.file}: ${row.expect} (${row.what})`, () => {
      checkRow(row);
    });
  }
  if (!existsSync(manifest)) {
    it.skip('skipped: ../shared/data/cfdi/MANIFEST.tsv is not on this machine, so its documents are not compared', () =>
      undefined);
  }
});

function checkRow(row: Row): void {
  const [expected = ''] = (row.expect ?? '').split(':');
  const either = /\(o /.test(row.expect ?? '');
  const outcome = readRow(row);
  if (expected === 'NOT_INVOICE') {
    expect(outcome).toMatchObject({ refused: { code: 'not_invoice' } });
    checkIdentity(row, outcome.document!);
    expect(outcome.document!.kind).toBe(row.expect?.split(':')[1]);
    return;
  }
  if (outcome.document && row.form_total) checkFigures(row, outcome.document);
  if (expected === 'REJECT' && !decidedLater(row)) {
    if (!either) expect(outcome.refused).toBeInstanceOf(DomainError);
    return;
  }
  if (refusedByOurRules(row)) {
    expect(outcome.refused?.code).toBe(refusedByOurRules(row));
    return;
  }
  expect(outcome.refused?.message).toBeUndefined();
  const { draft, warnings } = outcome.invoice!;
  expect({ numfactura: draft.numfactura, fecha: draft.fechaemision, metodo: draft.metodoPago }).toEqual({
    numfactura: row.form_numfactura,
    fecha: row.form_fechaemision,
    metodo: row.metodo_pago,
  });
  if (expected === 'IMPORT') expect(warnings).toEqual([]);
  if (expected === 'IMPORT_WARN') expect(warnings).not.toEqual([]);
}

/** What the data README refuses although the manifest would import it after a warning. */
function refusedByOurRules(row: Row): string | undefined {
  if (row.form_case === 'DESCUADRE') return 'cfdi_mismatch';
  if (row.moneda === 'MXN' || (row.version === '3.2' && /peso/i.test(row.moneda ?? ''))) return undefined;
  if (row.tipocambio === '') return 'missing_exchange_rate';
  return Number(row.tipocambio) > 1000 ? 'absurd_exchange_rate' : undefined;
}

/** Not for the pure reading to say: another document on file decides. The XML itself must be read. */
const decidedLater = (row: Row): boolean => /duplicado|repetido|sustituid/.test(row.expect ?? '');

interface Outcome {
  document?: CfdiDocument;
  invoice?: CfdiInvoice;
  refused?: DomainError;
}

function readRow(row: Row): Outcome {
  const outcome: Outcome = {};
  try {
    outcome.document = readCfdi(readFileSync(join(folder, row.file!)));
    // The company of the manifest receives only the synthetic documents.
    const ownRfc = row.file!.startsWith('sint__') ? OWN_RFC : '';
    outcome.invoice = draftInvoice(outcome.document, { baseCurrency: 'MXN', ownRfc });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    outcome.refused = error;
  }
  return outcome;
}

function checkFigures(row: Row, document: CfdiDocument): void {
  checkIdentity(row, document);
  const figures = readFigures(document);
  const { retenciones } = figures;
  expect({
    form_case: figures.formCase,
    form_subtotal: moneyText(figures.subtotalCents),
    form_tasa: figures.rate === null ? 'MIXTA' : rateText(figures.rate),
    form_iva: moneyText(figures.ivaCents),
    form_ajuste: moneyText(figures.otrosimpuestosCents - figures.retencionesCents),
    form_total: moneyText(figures.totalCents),
    total_calculado: moneyText(figures.expectedCents),
    iva_retenido: Number(moneyText(retenciones.ivaCents)),
    isr_retenido: Number(moneyText(retenciones.isrCents)),
    ieps_retenido: Number(moneyText(retenciones.iepsCents)),
    local_retenido: Number(moneyText(retenciones.localCents)),
  }).toEqual({
    form_case: row.form_case,
    form_subtotal: row.form_subtotal,
    form_tasa: row.form_tasa,
    form_iva: row.form_iva,
    form_ajuste: row.form_ajuste,
    form_total: row.form_total,
    total_calculado: row.total_calculado,
    iva_retenido: Number(row.iva_retenido),
    isr_retenido: Number(row.isr_retenido),
    ieps_retenido: Number(row.ieps_retenido),
    local_retenido: Number(row.local_retenido),
  });
  const { draft } = draftInvoice(
    { ...document, moneda: 'MXN' },
    { baseCurrency: 'MXN', allowMismatch: true },
  );
  expect(draft.totalCents).toBe(
    draft.subtotalCents + draft.ivaCents + draft.otrosimpuestosCents - draft.retencionesCents,
  );
}

function checkIdentity(row: Row, document: CfdiDocument): void {
  const related = document.relacionados.map(({ tipo, uuids }) => `${tipo}:${uuids.join(',')}`).join(';');
  expect({
    version: document.version,
    emisor: [document.emisor.rfc, document.emisor.nombre],
    receptor: [document.receptor.rfc, document.receptor.nombre],
    serie: document.serie,
    folio: document.folio,
    uuid: document.uuid ?? '',
    fecha: document.fecha,
    condiciones: document.condiciones,
    relacionados: related,
    pagos: describePagos(document),
    conceptos: document.conceptos.length,
  }).toEqual({
    version: row.version,
    emisor: [row.emisor_rfc, row.emisor_nombre],
    receptor: [row.receptor_rfc, row.receptor_nombre],
    serie: row.serie,
    folio: row.folio,
    uuid: row.uuid,
    fecha: row.fecha?.slice(0, 10),
    condiciones: row.condiciones,
    relacionados: row.relacionados,
    pagos: (row.pagos ?? '').replace(/T\d\d:\d\d:\d\d/g, '').replace(/\.0+(?= )|(\.\d*[1-9])0+(?= )/g, '$1'),
    conceptos: Number(row.n_conceptos),
  });
}

/** As the manifest writes it, days for moments and amounts without zeros at their end. */
const describePagos = ({ pagos }: CfdiDocument): string =>
  pagos
    .map(({ fecha, monto, moneda, tipoCambio, doctos }) => {
      const lines = doctos.map((docto) => `${docto.uuid}:${plain(docto.pagado ?? 0n)} ${docto.moneda}`);
      return `${fecha} ${plain(monto)} ${moneda} tc=${tipoCambio} {${lines.join(', ')}}`;
    })
    .join('; ');

const plain = (amount: bigint): string => {
  const digits = String(amount).padStart(13, '0');
  const fraction = digits.slice(-12).replace(/0+$/, '');
  return digits.slice(0, -12) + (fraction && `.${fraction}`);
};

function readRows(): Row[] {
  if (!existsSync(manifest)) return [];
  const [header = '', ...lines] = readFileSync(manifest, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  const names = header.split('\t');
  return lines.map((line) =>
    Object.fromEntries(line.split('\t').map((value, index) => [names[index] ?? '', value])),
  );
}
