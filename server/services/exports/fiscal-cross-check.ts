import type { Db } from '../../../db/schema.ts';
import { formatCount } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { CFDI_KIND_LABELS } from '../../formats/cfdi/kinds.ts';
import { createSheetColumns, dayCell, type PartialListExport } from '../../formats/sheets/sheet.ts';
import { monthField, parseShape } from '../../shapes/fields.ts';
import { crossCheckRowAnswer } from '../../shapes/fiscal.ts';
import { type CrossCheck, type CrossCheckRow, readCrossCheck, resolveMonth } from '../fiscal/cross-check.ts';
import { CROSS_CHECK_GROUP_LABELS, type CrossCheckGroupName } from '../fiscal/labels.ts';
import { fiscalTexts } from '../fiscal/texts.ts';
import { readSettings } from '../settings/settings.ts';

const SAT_DOCUMENT_GROUPS = [
  'difieren',
  'faltan',
  'iguales',
  'ajenos',
] as const satisfies readonly CrossCheckGroupName[];

type ExportedRow = CrossCheckRow & { group: CrossCheckGroupName };

/** Without `mes`, exports the current month. @throws DomainError malformed: `mes` is not a month */
export async function crossCheckExport(
  db: Db,
  { mes, que }: { mes?: string; que?: CrossCheckGroupName },
  today: PlainDate,
): Promise<PartialListExport<ExportedRow>> {
  const settings = await readSettings(db);
  const cross = await readCrossCheck(db, resolveMonth(parseShape(monthField('mes'), mes), today), settings);
  const rows = (que ? [que] : SAT_DOCUMENT_GROUPS).flatMap((group) =>
    cross[group].rows.map((row) => ({ ...row, group })),
  );
  return {
    file: `Cruce con el SAT ${cross.month.from.slice(0, 7)}`,
    sheet: {
      columns: createSheetColumns<ExportedRow>([
        { name: 'grupo', heading: 'Grupo', cell: ({ group }) => CROSS_CHECK_GROUP_LABELS[group] },
        { name: 'fecha', heading: 'Fecha', cell: ({ fecha }) => dayCell(fecha) },
        { name: 'rfc', heading: 'RFC' },
        { name: 'nombre', heading: 'Proveedor', key: true },
        { name: 'efecto', heading: 'Efecto', cell: ({ efecto }) => CFDI_KIND_LABELS[efecto] },
        { name: 'montoSat', heading: 'Monto SAT', kind: 'money' },
        { name: 'montoSaldo', heading: 'Monto Saldo', kind: 'money' },
        { name: 'estatus', heading: 'Estatus' },
        {
          name: 'fechaCancelacion',
          heading: 'Cancelado el',
          cell: ({ fechaCancelacion }) => dayCell(fechaCancelacion),
        },
        { name: 'documento', heading: 'En Saldo', cell: ({ own }) => own?.name ?? '' },
        { name: 'pagado', heading: 'Pagado', kind: 'money' },
        { name: 'uuid', heading: 'UUID' },
        { name: 'sustituidoPor', heading: 'Sustituido por', cell: (row) => row.sustituidoPor.join(', ') },
      ]),
      pages: [rows],
    },
    count: async () => rows.length,
    toRecords: (all) => all.map(crossCheckRowAnswer.toJson),
    notes: [describeGroupSums(cross), ...(settings.rfc ? [] : [fiscalTexts.rfcMissing])],
  };
}

type Sum = Pick<CrossCheck['iguales'], 'cuenta' | 'totalCents'>;

/** Writes the sums as an addition: every document of the SAT is in one of the four groups. */
export const describeGroupSums = ({ sat, iguales, difieren, faltan, ajenos }: CrossCheck): string => {
  const sum = (name: string, { cuenta, totalCents }: Sum) =>
    `${name} ${formatCount(cuenta)} (${formatMoney(totalCents)})`;
  const parts = [
    sum('iguales', iguales),
    sum('difieren', difieren),
    sum('faltan', faltan),
    sum('ajenos', ajenos),
  ];
  return `${sum('SAT', sat)} = ${parts.join(' + ')}.`;
};
