import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  createSheetColumns,
  dayCell,
  moneyCell,
  type PartialListExport,
} from '../../formats/sheets/sheet.ts';
import { monthField, parseShape } from '../../shapes/fields.ts';
import { diotRowAnswer, unreportedPaymentAnswer } from '../../shapes/fiscal-returns.ts';
import { resolveMonth } from '../fiscal/cross-check.ts';
import {
  DIOT_COLUMNS,
  DIOT_OPERATIONS,
  type Diot,
  type DiotRow,
  EXCLUSION_CAUSES,
  readDiot,
  type UnreportedPayment,
} from '../fiscal/diot.ts';
import { fiscalTexts } from '../fiscal/texts.ts';
import { readSettings } from '../settings/settings.ts';

type ExportedRow = DiotRow | UnreportedPayment;

/**
 * The paid amounts of the DIOT's rows and of the unreported payments add up to all that was paid.
 * @throws DomainError malformed
 */
export async function diotExport(
  db: Db,
  mes: string | undefined,
  today: PlainDate,
): Promise<PartialListExport<ExportedRow>> {
  const month = resolveMonth(parseShape(monthField('mes'), mes), today);
  const settings = await readSettings(db);
  const diot = await readDiot(db, month, settings);
  const rows = [...diot.rows, ...diot.noReportado.rows];
  return {
    file: `DIOT ${month.from.slice(0, 7)}`,
    sheet: {
      columns: createSheetColumns<ExportedRow>([
        {
          name: 'nombre',
          heading: 'Proveedor',
          key: true,
          cell: (row) => ('causa' in row ? row.proveedor : row.nombre),
        },
        { name: 'rfc', heading: 'RFC', cell: ({ rfc }) => rfc },
        {
          name: 'operacion',
          heading: 'Operación',
          cell: (row) => ('causa' in row ? '' : `${row.operacion} ${DIOT_OPERATIONS[row.operacion]}`),
        },
        {
          name: 'pagado',
          heading: 'Pagado',
          cell: (row) => moneyCell('causa' in row ? row.importeCents : row.pagadoCents),
        },
        ...DIOT_COLUMNS.map(({ name, label, centsOf }) => ({
          ...{ name, heading: label },
          cell: (row: ExportedRow) => ('causa' in row ? null : moneyCell(centsOf(row))),
        })),
        {
          name: 'causa',
          heading: 'No se reporta',
          cell: (row) => ('causa' in row ? EXCLUSION_CAUSES[row.causa] : ''),
        },
        { name: 'fecha', heading: 'Fecha', cell: (row) => ('causa' in row ? dayCell(row.fecha) : null) },
        { name: 'documento', heading: 'Documento', cell: (row) => ('causa' in row ? row.documento : '') },
      ]),
      pages: [rows],
    },
    count: async () => rows.length,
    toRecords: (all) =>
      all.map((row) => ('causa' in row ? unreportedPaymentAnswer.toJson(row) : diotRowAnswer.toJson(row))),
    notes: [describeDiot(diot), ...(settings.rfc ? [] : [fiscalTexts.rfcMissing])],
  };
}

export const describeDiot = (diot: Diot): string =>
  `Pagado ${formatMoney(diot.pagadoCents)} = archivo ${formatMoney(diot.archivoCents)} − ISR y otras retenciones ${formatMoney(diot.retenidoCents)} + notas de crédito ${formatMoney(diot.notasCents)} + no reportado ${formatMoney(diot.noReportado.totalCents)} − redondeo ${formatMoney(diot.redondeoCents)}.`;
