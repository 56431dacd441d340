import { z } from 'zod';
import { catalogOf, catalogs } from '../../shared/catalogs/all.ts';
import { type Catalog, type CatalogField, columnNameOf, toApiRow } from '../../shared/catalogs/catalog.ts';
import { type CatalogFieldValues, MAX_TYPED_LENGTH } from '../../shared/catalogs/rules.ts';
import type { CatalogRow } from '../services/catalogs/reading.ts';
import * as member from './answer-members.ts';
import { Answer, savedAnswer } from './answers.ts';
import {
  dateField,
  idField,
  longTextField,
  moneyOrNoneField,
  parseShape,
  requireFilledFields,
  textField,
  versionField,
  wholeNumberField,
} from './fields.ts';
import { situationMember } from './list-69b.ts';

export const catalogShapes: Record<string, ReturnType<typeof createShapes>> = Object.fromEntries(
  catalogs.map((catalog) => [catalog.noun, createShapes(catalog)]),
);

/** A field may be sent under its alias; its own name takes precedence. @throws DomainError malformed or invalid */
export function parseNewRow(catalog: Catalog, body: unknown): CatalogFieldValues {
  const sent = parseShape(catalogShapes[catalog.noun]!.create, body) as SentRow;
  const named = catalog.fields.map(({ name, alias }) => [name, sent[name] ?? (alias && sent[alias])]);
  return toCatalogFieldValues(catalog, Object.fromEntries(named));
}

const toCatalogFieldValues = ({ fields }: Catalog, sent: SentRow): CatalogFieldValues =>
  Object.fromEntries(fields.map((field) => [columnNameOf(field), sent[field.name]]));

/** @throws DomainError malformed or invalid */
export function parseRowChange(
  catalog: Catalog,
  body: object,
): { draft: CatalogFieldValues; id?: number | null; version?: number } {
  const { id, version, ...sent } = parseShape(catalogShapes[catalog.noun]!.change, body) as SentRow & {
    id?: number | null;
    version?: number;
  };
  const integerFields = catalog.fields.filter(({ type }) => type === 'whole');
  requireFilledFields(
    body,
    Object.fromEntries(
      integerFields.map(({ name, label, max }) => [name, `${label}: debe estar entre 0 y ${max}.`]),
    ),
  );
  return { draft: toCatalogFieldValues(catalog, sent), id, version };
}

export const extendSupplierAnswer = ({ shape, toJson }: Answer<CatalogRow>) =>
  new Answer<CatalogRow>(
    (shape as z.ZodObject)
      .extend({
        sat69b: situationMember,
        regimenFiscal: member.nullableText('El de su último CFDI; null: ninguno lo dice'),
      })
      .meta({ id: 'OneSupplier' }),
    (row) => {
      const { sat69b, regimenFiscal } = row as object as Record<'sat69b' | 'regimenFiscal', unknown>;
      return { ...toJson(row), sat69b, regimenFiscal };
    },
  );

type SentRow = Record<string, string | number | null | undefined>;

function createShapes(catalog: Catalog) {
  const { fields, nameField } = catalog;
  const { name, example } = catalog.schema;
  const aliases = fields.flatMap((field) =>
    field.alias
      ? [
          [
            field.alias,
            fieldShape(field).meta({ description: `Otro nombre de ${field.name}`, deprecated: true }),
          ],
        ]
      : [],
  );
  return {
    create: z
      .strictObject({ ...fieldShapes(fields), ...Object.fromEntries(aliases) })
      .meta({ id: `New${name}`, ...requiredMembersMeta(catalog), examples: [example] }),
    change: z
      .strictObject({ ...fieldShapes(fields), id: idField('id'), version: versionField })
      .meta({ id: `${name}Change`, examples: [{ [nameField]: example[nameField] }] }),
    ...createAnswers(catalog, name),
  };
}

function createAnswers(catalog: Catalog, name: string) {
  const { fields, texts } = catalog;
  const members = fields.map((field) => [field.name, toAnswerMember(field)]);
  const references = fields.flatMap(({ name: column, ref }) =>
    ref ? [[column.replace(/Id$/, ''), referenceMember(ref)]] : [],
  );
  const description = `Un registro de ${texts.list}.`;
  const shape = z
    .strictObject({
      id: member.rowId('Número del registro'),
      version: member.rowVersion,
      ...Object.fromEntries([...members, ...references]),
    })
    .meta({ id: name, description });
  const row = new Answer<CatalogRow>(shape, (stored) => toApiRow(catalog, stored));
  return { row, saved: savedAnswer('row', row, { id: `Saved${name}`, description }) };
}

/** If a required field has an alias, either name suffices. */
function requiredMembersMeta({ required, fields }: Catalog) {
  const aliasOf = (name: string) => fields.find((field) => field.name === name)?.alias;
  const [aliased] = required.filter(aliasOf);
  return {
    required: required.filter((name) => !aliasOf(name)),
    ...(aliased ? { anyOf: [{ required: [aliased] }, { required: [aliasOf(aliased)] }] } : {}),
  };
}

function referenceMember(noun: string) {
  const { nameField, fields } = catalogOf(noun);
  const { label } = fields.find(({ name }) => name === nameField)!;
  return z.strictObject({ id: member.rowId('Número del registro'), [nameField]: member.text(label) });
}

function toAnswerMember({ label, type }: CatalogField) {
  if (type === 'date') return member.nullableDay(label);
  if (type === 'ref') return member.rowId(label);
  if (type === 'whole') return member.count(label);
  if (type === 'money') return member.amount(label).nullable();
  return type === 'rfc' || type === 'clabe' ? member.nullableText(label) : member.text(label);
}

function fieldShapes(fields: readonly CatalogField[]) {
  return Object.fromEntries(fields.map((field) => [field.name, fieldShape(field)]));
}

function fieldShape({ name, label, type, max }: CatalogField) {
  if (type === 'date') return dateField(label);
  if (type === 'ref') return idField(label);
  if (type === 'whole') return wholeNumberField(label, 0, max);
  if (type === 'money') return moneyOrNoneField(label);
  if (type === 'textarea') return longTextField(label, max, name);
  return textField(label, type === 'rfc' || type === 'clabe' ? MAX_TYPED_LENGTH : max, name);
}
