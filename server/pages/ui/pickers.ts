import type { Db } from '../../../db/schema.ts';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import type {
  CreationField,
  PickerColumn,
  PickerCreation,
  PickerFallback,
  PickerSpec,
} from '../../../islands/pickers/picker.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import { type Catalog, describeCatalogPickerSorts } from '../../../shared/catalogs/catalog.ts';
import { DomainError } from '../../../shared/errors.ts';
import { localize } from '../../../shared/language.ts';
import { createRefusal, throwIfRefused, toDomainError } from '../../../shared/refusal.ts';
import type { FieldProps } from '../../../shared/ui/Field.tsx';
import { api, pages } from '../../../shared/urls.ts';
import type { Filter } from '../../lists/filter.ts';
import { invoiceList } from '../../lists/invoices.ts';
import { getRow, getRowByNameOrId, readCatalogOptions } from '../../services/catalogs/reading.ts';
import { getInvoiceByNumberOrId } from '../../services/invoices/finding.ts';
import { createSortOptions, fieldsOfNewRow, findProposedValue, shownColumns } from './catalog-controls.ts';

/** With more options than this, the <select> for the main field of a form becomes a text field. */
export const MAX_SELECT_OPTIONS = 500;

/** Limit for a picker's <select> without script. It is low, because all users get the options but few see them. */
const MAX_FALLBACK_OPTIONS = 50;

/** No name is longer, so longer texts are refused without a query. */
const MAX_TYPED_NAME_LENGTH = 400;

export const catalogPicker = (catalog: Catalog): PickerSpec => ({
  ...pickerWithoutCreation(catalog),
  create: describePickerCreation(catalog),
});

export function pickerWithoutCreation(catalog: Catalog): PickerSpec {
  const types = new Map(catalog.fields.map((field) => [field.name, field.type]));
  return {
    title: catalog.texts.picker,
    searchUrl: `${catalog.paths.api}/search/`,
    suggestUrl: `${catalog.paths.api}/suggest/`,
    detailColumns: listDistinguishingColumns(catalog),
    filterParam: catalog.nameField,
    filterLabel: catalog.texts.filter,
    sortOptions: createSortOptions(
      Object.fromEntries(describeCatalogPickerSorts(catalog).map(({ name, label }) => [name, label])),
    ),
    columns: shownColumns(catalog).map(
      ({ name, label, hideOnSmall }): PickerColumn => ({
        key: name,
        label,
        hideOnSmall,
        format: types.get(name) === 'date' ? 'date' : 'text',
      }),
    ),
    nameKey: catalog.nameField,
    suggestsByName: true,
  };
}

/** Columns that distinguish rows of the same name: the row that they belong to, or a supplier's RFC. */
const listDistinguishingColumns = ({ fields }: Catalog): PickerColumn[] =>
  fields.flatMap(({ name, label, type, ref }): PickerColumn[] => {
    if (ref) return [{ key: `${name.replace(/Id$/, '')}.${catalogOf(ref).nameField}`, label }];
    return type === 'rfc' ? [{ key: name, label }] : [];
  });

const { id, fechavencimiento, total } = invoiceList.sorts;

export const invoicePicker = (): PickerSpec => ({
  title: 'Seleccionar factura',
  searchUrl: `${api.invoices}/search/?status=por-pagar`, // only invoices with a balance can be paid
  suggestUrl: `${api.invoices}/suggest/`,
  detailColumns: [
    { key: 'supplier.suppliername', label: 'Proveedor' },
    { key: 'pending', label: 'Pendiente', format: 'pending' },
  ],
  filterParam: 'numfactura',
  filterLabel: 'Número de factura',
  sortOptions: createSortOptions({ id, fechavencimiento, total }),
  columns: [
    { key: 'numfactura', label: 'Factura' },
    { key: 'supplier.suppliername', label: 'Proveedor' },
    { key: 'job.jobtitle', label: 'Obra', hideOnSmall: true },
    { key: 'total', label: 'Total', format: 'money', hideOnSmall: true },
    { key: 'pending', label: 'Pendiente', format: 'pending' },
    { key: 'vencimientoTexto', label: 'Vencimiento' },
  ],
  nameKey: 'numfactura',
  create: { title: 'Nueva factura', page: pages.newInvoice }, // an invoice has too many fields for a dialog
});

function describePickerCreation(catalog: Catalog): PickerCreation {
  const { paths, texts } = catalog;
  const fields = fieldsOfNewRow(catalog).map(({ kind, catalog: noun, ...control }): CreationField => {
    const field = catalog.fields.find(({ name }) => name === control.name)!;
    return {
      ...control,
      ...(kind === 'ref'
        ? { picker: catalogPicker(catalogOf(noun!)) }
        : { kind: kind as FieldProps['kind'] }),
      ...(control.isProposal && { value: findProposedValue(field) }),
      hint: (field.defaultSetting ? 'Si lo dejas vacío, los de la configuración.' : control.hint) as
        | string
        | undefined,
    };
  });
  return {
    title: texts.create,
    page: paths.create,
    form: { url: paths.api + paths.apiCreate, saveLabel: localize(texts.save), fields },
  };
}

/** The picker's control without script: a <select>, or a text field that contains `typed`. */
export async function readPickerFallback(db: Db, catalog: Catalog, typed = ''): Promise<PickerFallback> {
  return (await readChoice(db, catalog, null, typed)).noscript;
}

async function readChoice(db: Db, catalog: Catalog, id: number | null, typed = '') {
  const options = await readCatalogOptions(db, catalog, MAX_FALLBACK_OPTIONS);
  const option = options?.find(({ value }) => value === id);
  const chosen = option ? option.label : await readChosenName(db, catalog, id);
  const noscript: PickerFallback = options
    ? { options }
    : { name: catalog.nameField, value: chosen ?? typed, placeholder: catalog.texts.filter };
  return { chosen, noscript };
}

export interface PickerContent {
  picker: PickerSpec;
  chosen: string | null;
  typed?: string;
  noscript: PickerFallback;
  /** why the row is proposed, if it is */
  proposalHint?: string;
}

export async function readPickerContent(
  db: Db,
  catalog: Catalog,
  name: string,
  values: Readonly<Partial<Record<string, string>>>,
): Promise<PickerContent> {
  const typed = values[catalog.nameField];
  const { chosen, noscript } = await readChoice(db, catalog, parseOptionalId(values[name]), typed);
  return { picker: catalogPicker(catalog), chosen, typed: chosen === null ? typed : undefined, noscript };
}

export const parseOptionalId = (text = ''): number | null =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text) || null : null;

export async function readChosenName(db: Db, catalog: Catalog, id: number | null): Promise<string | null> {
  if (id === null) return null;
  const row = await getRow(db, catalog, id).catch((error: unknown) => {
    if (error instanceof DomainError) return undefined;
    throw error;
  });
  return row ? String(row[catalog.nameField]) : `#${id}`;
}

export async function readFilterPicker(
  db: Db,
  { name, label, all: emptyLabel, catalog, none }: Extract<Filter, { kind: 'ref' }>,
  value: number | null,
  typed = '',
): Promise<FilterField> {
  const noneText = value === 0 ? none : undefined;
  const { chosen, noscript } = await readChoice(db, catalog, noneText ? null : value, noneText ?? typed);
  if ('options' in noscript) noscript.noneLabel = none;
  return {
    kind: 'picker',
    name,
    label,
    emptyLabel,
    value,
    chosen: noneText ?? chosen,
    picker: pickerWithoutCreation(catalog),
    noscript,
  };
}

/**
 * An unchanged name means `previous`, even if other rows have the same name.
 * @throws DomainError invalid, naming the picker's field, if no row or several rows have the name
 */
export async function resolvePickedId(
  db: Db,
  catalog: Catalog,
  idName: string,
  posted: Readonly<Partial<Record<string, string>>>,
  previous?: { id: number | null; name: string | null },
): Promise<string | undefined> {
  const typed = posted[catalog.nameField]?.trim();
  if (posted[idName]?.trim() || !typed) return posted[idName] ?? typed;
  if (previous?.id && typed === previous.name?.trim()) return String(previous.id);
  if (typed.length > MAX_TYPED_NAME_LENGTH)
    throwIfRefused(createRefusal(`No existe ${catalog.texts.one} con un nombre tan largo.`, idName));
  return getFoundIdOrRefuse(getRowByNameOrId(db, catalog, typed), idName);
}

/** Returns the id of the chosen invoice, or of the invoice whose number was typed. @throws DomainError naming the picker's field */
export async function resolvePickedInvoiceId(
  db: Db,
  { facturaproveedorId, numfactura }: Readonly<Partial<Record<string, string>>>,
): Promise<string | undefined> {
  const typed = numfactura?.trim();
  // A number that was sent empty means no invoice, unlike one that was not sent.
  if (facturaproveedorId?.trim() || !typed) return facturaproveedorId ?? typed;
  return getFoundIdOrRefuse(
    getInvoiceByNumberOrId(db, typed.slice(0, MAX_TYPED_NAME_LENGTH)),
    'facturaproveedorId',
  );
}

async function getFoundIdOrRefuse(found: Promise<{ id: number }>, idName: string): Promise<string> {
  try {
    return String((await found).id);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw toDomainError(createRefusal(error.message, idName));
  }
}
