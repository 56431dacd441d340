import type { ReactNode } from 'react';
import { pluralize } from '../../../shared/counts.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { cellText } from '../../formats/tables/cell-text.ts';
import { DAY_ORDER_FORMATS } from '../../formats/tables/days.ts';
import { fieldsOf } from '../../formats/tables/fields.ts';
import type { ColumnPlan, PlanQuestion, RawCell, RawTable, TableKind } from '../../formats/tables/table.ts';
import { REMEDY_CONTROL_LABELS } from '../ui/remedies.ts';
import { IMPORT_KINDS, IMPORTABLE_KINDS, LINE_NOUN } from './kinds.ts';
import { MissingFields, type NameOptionsByField, SharedValueFields } from './missing-fields.tsx';
import { fieldLabelOf, hasOpenQuestions, importColumnKey, type PlannedUpload } from './plan.ts';
import { COLUMNS_WORKSHEET_PARAMETER, type ImportQuery, UNUSED_COLUMN } from './query.ts';

interface ColumnsFormProps {
  plannedUpload: PlannedUpload;
  query: ImportQuery;
  action: string;
  optionsByField: NameOptionsByField;
}

/** A GET form, so that the address contains all answers to questions about the file. */
export function ColumnsForm({ plannedUpload, query, action, optionsByField }: ColumnsFormProps) {
  const { table, plan } = plannedUpload;
  const sheets = table.sheets?.filter(({ hidden, name }) => !hidden || name === table.sheet) ?? [];
  const used = plan.columns.filter(({ field }) => field !== null).length;
  const isSpoken = query.columns.size > 0 || Object.keys(query.set).length > 0;
  return (
    <form method="get" action={action} className="import-plan" data-busy="">
      <div className="filters">
        <KindField kind={query.kind} />
        {sheets.length > 1 && (
          <>
            <input type="hidden" name={COLUMNS_WORKSHEET_PARAMETER} value={table.sheet} />
            <Field
              name="sheet"
              label="Hoja"
              kind="select"
              value={table.sheet}
              options={sheets.map(({ name, rows }) => ({
                value: name,
                label: rows > 0 ? `${name} (${pluralize(rows, ...LINE_NOUN)})` : name,
              }))}
            />
          </>
        )}
        <AmountAndDateFormatFields plannedUpload={plannedUpload} query={query} />
      </div>
      <MissingFields plannedUpload={plannedUpload} query={query} optionsByField={optionsByField} />
      <Disclosure
        summary={`Columnas: ${used} de ${plan.columns.length} se usan`}
        isOpen={hasOpenQuestions(plannedUpload) || isSpoken}
      >
        <div className="table-wrap">
          <ColumnsTable plannedUpload={plannedUpload} query={query} />
        </div>
        <SharedValueFields plannedUpload={plannedUpload} query={query} optionsByField={optionsByField} />
      </Disclosure>
      <OptionFields query={query} table={table} />
      <div className="actions">
        <Button look={hasOpenQuestions(plannedUpload) ? 'primary' : undefined}>Actualizar vista</Button>
      </div>
    </form>
  );
}

export const KindField = ({ kind }: { kind: TableKind }) => (
  <Field
    name="kind"
    label="Se importa a"
    kind="select"
    value={kind}
    options={IMPORTABLE_KINDS.map((one) => ({ value: one, label: IMPORT_KINDS[one].label }))}
  />
);

function AmountAndDateFormatFields({
  plannedUpload: { plan },
  query,
}: Pick<ColumnsFormProps, 'plannedUpload' | 'query'>) {
  const hasQuestion = (style: PlanQuestion['answerOption']) =>
    plan.questions.some(({ answerOption }) => answerOption === style);
  const styles = [
    {
      name: 'amount',
      label: 'El importe es',
      isShown: Boolean(query.amount) || hasQuestion('amount'),
      options: [
        { value: 'subtotal', label: 'El subtotal, antes de IVA' },
        { value: 'total', label: 'El total, con IVA' },
      ],
    },
    {
      name: 'decimal',
      label: 'Decimales',
      isShown: plan.columns.some(({ decimal }) => decimal),
      options: [
        { value: '.', label: 'Con punto: 1,234.56' },
        { value: ',', label: 'Con coma: 1.234,56' },
      ],
    },
    {
      name: 'dateFormat',
      label: 'Fechas',
      isShown: plan.columns.some(({ dateFormat }) => dateFormat),
      options: [
        { value: DAY_ORDER_FORMATS.dmy, label: `Día primero: ${DAY_ORDER_FORMATS.dmy}` },
        { value: DAY_ORDER_FORMATS.mdy, label: `Mes primero: ${DAY_ORDER_FORMATS.mdy}` },
        { value: DAY_ORDER_FORMATS.ymd, label: `Año primero: ${DAY_ORDER_FORMATS.ymd}` },
      ],
    },
  ] as const;
  return styles
    .filter(({ isShown }) => isShown)
    .map(({ name, label, options }) => (
      <Field
        key={name}
        name={name}
        label={label}
        kind="select"
        value={query[name]}
        error={hasQuestion(name) ? 'Elige una opción.' : undefined}
        options={[{ value: '', label: hasQuestion(name) ? 'Elige…' : 'Automático' }, ...options]}
      />
    ));
}

function ColumnsTable({ plannedUpload, query }: Pick<ColumnsFormProps, 'plannedUpload' | 'query'>) {
  const { table, plan } = plannedUpload;
  const fields = fieldsOf(plan.kind);
  return (
    <DataTable
      caption="Columnas del archivo"
      columns={[
        {
          key: 'header',
          label: 'Columna',
          card: 'title',
          render: ({ header, index }) => header || <i>{`Columna ${index + 1}, sin título`}</i>,
        },
        {
          key: 'field',
          label: 'Se toma como',
          render: ({ index, header, field }) => (
            <select
              name={`c${index}`}
              className="control"
              aria-label={`Se toma como: ${header || `columna ${index + 1}`}`}
              aria-invalid={findColumnQuestion(plan.questions, index) ? true : undefined}
              defaultValue={chosenFieldOf(query, index)}
            >
              <option value="">{describeAutomaticChoice(query, index, field)}</option>
              <option value={UNUSED_COLUMN}>No usar</option>
              {fields.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          ),
        },
        {
          key: 'why',
          label: 'Por qué',
          card: 'line',
          className: 'wraps',
          render: (column) => renderQuestionOrReason(column, plan.questions),
        },
        {
          key: 'values',
          label: 'Primeros valores',
          wraps: true,
          render: ({ index }) =>
            table.rows
              .slice(0, 3)
              .map(({ cells }) => formatRawCell(cells[index]).slice(0, 80))
              .filter(Boolean)
              .join(' · '),
        },
      ]}
      rows={plan.columns}
      rowKey={({ index }) => index}
    />
  );

  /** If the user has assigned the column, the automatic choice is not known. */
  function describeAutomaticChoice({ columns }: ImportQuery, index: number, field: string | null): ReactNode {
    if (columns.has(index)) return 'Automático';
    return field === null ? 'Automático: no se usa' : `Automático: ${fieldLabelOf(plan.kind, field)}`;
  }
}

const formatRawCell = (cell: RawCell | undefined): string =>
  typeof cell === 'boolean' ? (cell ? 'Sí' : 'No') : cellText(cell);

function chosenFieldOf({ columns }: ImportQuery, index: number): string {
  const field = columns.get(index);
  return field === undefined ? '' : (field ?? UNUSED_COLUMN);
}

const findColumnQuestion = (questions: readonly PlanQuestion[], index: number) =>
  questions.find(
    (question) => question.answerOption === 'map' && question.choices.includes(importColumnKey(index)),
  );

function renderQuestionOrReason({ index, why }: ColumnPlan, questions: readonly PlanQuestion[]) {
  const question = findColumnQuestion(questions, index);
  return question ? (
    <span className="tone-danger">{question.question}</span>
  ) : (
    <span className="soft">{why}</span>
  );
}

function OptionFields({ query, table }: { query: ImportQuery; table: RawTable }) {
  const offersHiddenRows = query.hidden || table.rows.some(({ hidden }) => hidden);
  const checkboxes = [
    {
      name: 'createMissing',
      label: CREATE_MISSING_LABELS[query.kind],
      value: '1',
      isOn: query.createMissing,
    },
    {
      name: 'onError',
      label: 'Omitir las filas rechazadas e importar las demás',
      value: 'skip',
      isOn: query.onError === 'skip',
    },
    {
      name: 'allowDuplicates',
      label: REMEDY_CONTROL_LABELS['allow-duplicates'],
      value: '1',
      isOn: query.allowDuplicates,
    },
    {
      name: 'hidden',
      label: offersHiddenRows && 'Dejar fuera las filas ocultas en la hoja',
      value: 'skip',
      isOn: query.hidden === 'skip',
    },
  ].filter(({ label }) => label);
  return (
    <fieldset>
      <legend className="visually-hidden">Opciones</legend>
      {checkboxes.map(({ name, label, value, isOn }) => (
        <label key={name} className="check">
          <input type="checkbox" name={name} value={value} defaultChecked={isOn} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

const CREATE_MISSING_LABELS: Partial<Record<ImportQuery['kind'], string>> = {
  jobs: 'Dar de alta los clientes que falten',
  invoices: 'Dar de alta los proveedores, obras y rubros que falten',
  payments: 'Dar de alta los orígenes de recurso que falten',
};
