import type { CatalogField } from '../../../shared/catalogs/catalog.ts';
import { JOB_NAMES, RUBRO_NAMES, SOURCE_NAMES, UUID } from './aliases.ts';

export type TableFieldType =
  | 'text' // one line
  | 'long-text'
  | 'number' // of a document: text of which nothing may be lost
  | 'money'
  | 'rate'
  | 'date'
  | 'rfc'
  | 'uuid'
  | 'email'
  | 'phone'
  | 'whole'
  | 'id'
  | 'currency'
  | 'exchange'; // what a unit of it is in pesos

export interface TableField {
  /** the field's name on the wire */
  name: string;
  label: string;
  type: TableFieldType;
  /** every row needs a value, so some column must be it */
  required: boolean;
  /** headings that people use for it, folded to letters and digits (see plan.ts); the likeliest first */
  aliases: readonly string[];
  /** the most characters, or the largest whole number */
  max: number;
  /** the field of ours that it goes into: tables have withholdings and discounts apart, an invoice has not */
  partOf?: string;
  /** the field that it makes unnecessary: an id says whom the other one would name, a total what it is made of */
  insteadOf?: string;
  /** of a list's own: why every row needs it, and what stands for it where nobody knows */
  needed?: CatalogField['needed'];
}

export const NAME = 200;
export const COMMENT = 4000;

export const field = (
  name: string,
  label: string,
  type: TableFieldType,
  max: number,
  aliases: readonly string[],
): TableField => ({ name, label, type, required: false, max, aliases });

export const required = (one: TableField): TableField => ({ ...one, required: true });

export const partOf = (whole: string, one: TableField): TableField => ({ ...one, partOf: whole });

export const insteadOf = (other: string, one: TableField): TableField => ({ ...one, insteadOf: other });

/** Of a row of ours, not of another system's: only somebody can say so, no heading does. */
export const idOf = (named: TableField, name: string, label: string): TableField =>
  insteadOf(named.name, field(name, label, 'id', Number.MAX_SAFE_INTEGER, []));

export const uuid = field('uuid', 'UUID', 'uuid', 36, UUID);
export const job = field('jobtitle', 'Obra', 'text', NAME, JOB_NAMES);
export const jobId = idOf(job, 'jobId', 'Id de obra');
export const rubro = field('nombrerubro', 'Rubro', 'text', NAME, RUBRO_NAMES);
export const source = field('origenderecursonombre', 'Origen de recurso', 'text', NAME, SOURCE_NAMES);
