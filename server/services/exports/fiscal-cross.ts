import type { Db } from '../../../db/schema.ts';
import { formatCount } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { CFDI_KINDS } from '../../formats/sat/kinds.ts';
import { columnsOf, dayCell, type ListRows } from '../../formats/sheets/sheet.ts';
import { monthField, parseShape } from '../../shapes/fields.ts';
import { crossRowAnswer } from '../../shapes/fiscal.ts';
import { type Cross, type CrossRow, monthIn, readCross } from '../fiscal/cross.ts';
import { CROSS_LABELS, type CrossGroupName } from '../fiscal/labels.ts';
import { fiscalTexts } from '../fiscal/texts.ts';
import { readSettings } from '../settings/settings.ts';

const ALL_DOCUMENTS = [
  'difieren',
  'faltan',
  'iguales',
  'ajenos',
] as const satisfies readonly CrossGroupName[];

type ExportedRow = CrossRow & { group: CrossGroupName };

/** @throws DomainError malformed (no month) */
export async function crossExport(
  db: Db,
  { mes, que }: { mes?: string; que?: CrossGroupName },
  today: PlainDate,
): Promise<ListRows<ExportedRow>> {
  const settings = await readSettings(db);
  const cross = await readCross(db, monthIn(parseShape(monthField('mes'), mes), today), settings);
  const rows = (que ? [que] : ALL_DOCUMENTS).flatMap((group) =>
    cross[group].rows.map((row) => ({ ...row, group })),
  );
  return {
    file: `Cruce con el SAT ${cross.month.from.slice(0, 7)}`,
    sheet: {
      columns: columnsOf<ExportedRow>([
        { name: 'grupo', heading: 'Grupo', cell: ({ group }) => CROSS_LABELS[group] },
        { name: 'fecha', heading: 'Fecha', cell: ({ fecha }) => dayCell(fecha) },
        { name: 'rfc', heading: 'RFC' },
        { name: 'nombre', heading: 'Proveedor', key: true },
        { name: 'efecto', heading: 'Efecto', cell: ({ efecto }) => CFDI_KINDS[efecto] },
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
    toRecords: (all) => all.map(crossRowAnswer.toJson),
    notes: [describeTieOut(cross), ...(settings.rfc ? [] : [fiscalTexts.rfcMissing])],
  };
}

type Sum = Pick<Cross['iguales'], 'cuenta' | 'totalCents'>;

/** Every document of the SAT is in one of four groups, and the sums are told as they are added. */
export const describeTieOut = ({ sat, iguales, difieren, faltan, ajenos }: Cross): string => {
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
