import type { Db } from '../../../db/schema.ts';
import { USUAL_PROPOSAL_HINT } from '../../../islands/forms/FormControl.tsx';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import type { UsualJobAndRubro } from '../../services/invoices/usual-job-and-rubro.ts';
import { readPickerContent } from '../ui/pickers.ts';
import type { FieldTexts } from '../ui/record-fields.tsx';
import { jobOrRubroControlName, proposedValueControlName, type RefusedReview } from './choice-fields.ts';
import { type DocumentRow, documentNameOf } from './document-rows.tsx';

export interface ReviewedDocument extends DocumentRow {
  id: string;
  isNewInvoice: boolean;
  usualJobAndRubro?: UsualJobAndRubro;
}

/** A document has controls of its own for job and rubro, which override those of the form. */
export const jobAndRubroColumn = (refusedReview: RefusedReview | undefined): Column<ReviewedDocument> => ({
  key: 'place',
  label: 'Obra y rubro',
  card: 'line',
  className: 'wraps names',
  render: ({ usualJobAndRubro, ...row }) =>
    row.isNewInvoice && (
      <div className="field">
        <JobOrRubroInput
          row={row}
          catalog={jobs}
          proposed={usualJobAndRubro?.job?.jobtitle}
          sent={refusedReview}
        />
        <JobOrRubroInput
          row={row}
          catalog={rubros}
          proposed={usualJobAndRubro?.rubro?.nombrerubro}
          sent={refusedReview}
        />
      </div>
    ),
});

interface JobOrRubroInputProps {
  row: ReviewedDocument;
  catalog: Catalog;
  proposed?: string;
  sent?: RefusedReview;
}

function JobOrRubroInput({ row, catalog, proposed, sent }: JobOrRubroInputProps) {
  const field = jobOrRubroControlName(catalog, row.id);
  const value = sent ? sent.form[field] : proposed;
  const error = sent?.problem.fields?.[field];
  const [label, same] = catalog === jobs ? ['Obra', 'Misma obra'] : ['Rubro', 'Mismo rubro'];
  return (
    <div>
      <input
        name={field}
        list={catalog.noun}
        className="control"
        defaultValue={value}
        placeholder={same}
        aria-label={`${label} de ${documentNameOf(row)}`}
        aria-invalid={error ? true : undefined}
        autoComplete="off"
      />
      {proposed !== undefined && (
        <input type="hidden" name={proposedValueControlName(field)} value={proposed} />
      )}
      {proposed !== undefined && value === proposed && !error && (
        <div className="hint proposal">{USUAL_PROPOSAL_HINT}</div>
      )}
      {error && <div className="field-error">{error}</div>}
    </div>
  );
}

/** Longer lists of names are not included in the page, because the datalist would be too large. */
const MAX_DATALIST_LETTERS = 20_000;

/** Reads a picker that without script is a text field with a datalist; `names` are the datalist's options. */
export async function readDatalistPicker(db: Db, catalog: Catalog, field: string, values: FieldTexts) {
  const parts = await readPickerContent(db, catalog, field, values);
  const { noscript, chosen } = parts;
  const id = catalog.noun;
  const all = 'options' in noscript ? [...new Set(noscript.options.map(({ label }) => label))] : [];
  const names = all.join('').length > MAX_DATALIST_LETTERS ? [] : all;
  const text = { name: catalog.nameField, value: chosen ?? values[catalog.nameField] ?? '', list: id };
  return { id, names, parts: { ...parts, noscript: { ...text, placeholder: catalog.texts.filter } } };
}

export const NameDatalist = ({ id, names }: { id: string; names: readonly string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
);
