import { z } from 'zod';
import type { BalanceQuery } from '../services/balances.ts';
import { dateField, idField, numberField, textField } from './fields.ts';

const filter = {
  weeknum: numberField('weeknum'),
  yr: numberField('yr'),
  corte: dateField('Corte'),
  supplierId: idField('Proveedor'),
  jobId: idField('Obra'),
};

export const balanceQueryShape = z.strictObject(filter);

export const balancePageShape = z.strictObject({
  ...filter,
  /** what a picker's text field holds where there is no script */
  suppliername: textField('Proveedor', 200, 'suppliername'),
  jobtitle: textField('Obra', 200, 'jobtitle'),
  /** the supplier whose invoices show in a long report */
  abierto: idField('abierto'),
});

export type AskedBalances = z.output<typeof balancePageShape>;

export const toBalanceQuery = (asked: z.output<typeof balanceQueryShape>): BalanceQuery => ({
  corte: asked.corte,
  week: asked.weeknum,
  year: asked.yr,
  supplierId: asked.supplierId,
  jobId: asked.jobId,
});
