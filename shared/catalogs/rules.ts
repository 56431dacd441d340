import { findClabeProblem, normalizeClabe } from '../banks.ts';
import type { Refusal } from '../refusal.ts';
import { hasRfcCheckDigit, isGenericRfc, isRfc, normalizeRfc } from '../rfc.ts';
import { cleanLine, cleanText, fold, isEmail } from '../text.ts';
import { type Catalog, type CatalogField, columnNameOf } from './catalog.ts';

export type CatalogValue = string | number | null;

/** Values by field name; an absent field stays unchanged. Dates are plain dates, references ids. */
export type CatalogFieldValues = Readonly<Record<string, CatalogValue | undefined>>;

/**
 * A creation needs every required field. An edit validates only the fields that it sends, and skips values equal to the
 * `stored` ones: an invalid RFC from a CFDI must not prevent anybody from adding the supplier's phone number.
 */
export function checkCatalogRow(
  catalog: Catalog,
  draft: CatalogFieldValues,
  operation: 'create' | 'edit',
  stored: CatalogFieldValues = {},
): Refusal | undefined {
  const missing = catalog.required.filter((name) =>
    operation === 'edit' && draft[name] === undefined ? false : isEmpty(draft[name]),
  );
  const fields: Record<string, string> = {};
  for (const name of missing) fields[name] = 'Falta este dato.';
  for (const field of catalog.fields) {
    const value = draft[columnNameOf(field)];
    if (isEmpty(value) || value === stored[columnNameOf(field)]) continue;
    const problem = checkValue(field, value!);
    if (problem) fields[field.name] ??= problem;
  }
  const dateOrder = checkDateOrder(catalog, draft, stored);
  if (dateOrder) fields[dateOrder.name] ??= dateOrder.message;
  const balance = checkBalanceHasDay(catalog, draft, stored);
  if (balance) fields[balance.name] ??= balance.message;
  const [first] = Object.values(fields);
  if (first === undefined) return undefined;
  const required = operation === 'create' ? catalog.texts.requiredOnCreate : catalog.texts.requiredOnEdit;
  return { message: missing.length > 0 ? required : first, fields };
}

export function catalogWarnings(catalog: Catalog, row: CatalogFieldValues): string[] {
  return catalog.fields.flatMap(({ name, type }) => {
    const value = row[name];
    if (type !== 'rfc' || typeof value !== 'string' || !value || isGenericRfc(value)) return [];
    if (!isRfc(value)) return [`El RFC ${value} no tiene la forma de un RFC.`];
    return hasRfcCheckDigit(value) ? [] : [`El dígito verificador del RFC ${value} no corresponde.`];
  });
}

/**
 * Returns the draft as it is stored, with the folded copies; an empty RFC becomes null.
 * @throws DomainError invalid (too long, control characters), naming the field
 */
export function cleanCatalogValues(
  catalog: Catalog,
  draft: CatalogFieldValues,
): Record<string, CatalogValue | undefined> {
  const clean: Record<string, CatalogValue | undefined> = {};
  for (const field of catalog.fields) {
    const value = draft[columnNameOf(field)];
    if (value === undefined) continue;
    clean[columnNameOf(field)] = cleanValue(field, value);
    if (field.foldedColumn) clean[field.foldedColumn] = fold(String(clean[field.name]));
  }
  return clean;
}

function cleanValue({ name, label, type, max }: CatalogField, value: CatalogValue): CatalogValue {
  if (type === 'date' || type === 'whole' || type === 'money' || type === 'ref') return value;
  const text = String(value ?? '');
  if (type === 'textarea') return cleanText(text, label, name, max);
  if (type === 'rfc') return cleanText(normalizeRfc(text), label, name, max) || null;
  if (type === 'clabe') return cleanText(normalizeClabe(text), label, name, MAX_TYPED_LENGTH) || null;
  return cleanLine(text, label, name, max);
}

/** The longest RFC or CLABE as typed, with dashes and spaces; without them the field's own limit applies. */
export const MAX_TYPED_LENGTH = 60;

function checkValue({ label, type, max }: CatalogField, value: string | number): string | undefined {
  if (type === 'email' && !isEmail(String(value))) return 'Email is invalid.';
  if (type === 'phone' && !/\d/.test(String(value))) return `${label}: lleva al menos un dígito.`;
  if (type === 'rfc' && !isRfc(String(value))) {
    return 'El RFC no es válido: lleva 12 o 13 caracteres, como GOMA850315H27.';
  }
  if (type === 'clabe') return findClabeProblem(String(value));
  const isWhole = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
  if (type === 'whole' && !isWhole) return `${label}: debe estar entre 0 y ${max}.`;
  return undefined;
}

/** The first date field of a catalog is the start, the second one the end. */
function checkDateOrder(catalog: Catalog, draft: CatalogFieldValues, stored: CatalogFieldValues) {
  const [start, end] = catalog.fields.filter((field) => field.type === 'date');
  if (!start || !end) return undefined;
  const dateOf = ({ name }: CatalogField) => (draft[name] === undefined ? stored[name] : draft[name]);
  const from = dateOf(start);
  const to = dateOf(end);
  if (isEmpty(from) || isEmpty(to) || String(to) >= String(from)) return undefined;
  const message = `La ${end.label.toLowerCase()} no puede ser anterior a la ${start.label.toLowerCase()}.`;
  return { name: end.name, message };
}

/** The amount in a catalog is a balance (saldobanco), which says nothing without its day. */
function checkBalanceHasDay(catalog: Catalog, draft: CatalogFieldValues, stored: CatalogFieldValues) {
  const money = catalog.fields.find(({ type }) => type === 'money');
  const day = money && catalog.fields.find(({ type }) => type === 'date');
  if (!money || !day) return undefined;
  const [lacksAmount, lacksDay] = [money, day].map((field) => {
    const member = columnNameOf(field);
    return isEmpty(draft[member] === undefined ? stored[member] : draft[member]);
  });
  if (lacksAmount === lacksDay) return undefined;
  const message = `El ${money.label.toLowerCase()} lleva su fecha: captura los dos, o ninguno.`;
  return { name: lacksAmount ? money.name : day.name, message };
}

const isEmpty = (value: CatalogValue | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
