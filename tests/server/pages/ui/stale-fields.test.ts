import { expect, it } from 'vitest';
import { findFieldDifferences } from '../../../../server/pages/ui/stale-fields.tsx';
import type { RecordField } from '../../../../shared/record-fields.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addRubro } from '../../../support/rows.ts';

const FIELDS: readonly RecordField[] = [
  { name: 'concept', label: 'Concepto', kind: 'textarea' },
  { name: 'day', label: 'Fecha', kind: 'date' },
  { name: 'rate', label: 'Tasa', kind: 'rate' },
  { name: 'amount', label: 'Cantidad', kind: 'money', required: true },
  { name: 'taxes', label: 'Impuestos', kind: 'money' },
  { name: 'rubroId', label: 'Rubro', kind: 'ref', catalog: 'rubros' },
  { name: 'kind', label: 'Tipo', kind: 'select', options: [{ value: 'gasto', label: 'Gasto' }] },
];

describeEachInLongLane('what somebody else saved meanwhile', (fresh) => {
  const stored = {
    concept: 'Gasolina\ny casetas',
    day: '2026-11-02',
    rate: '16',
    amount: '1160.50',
    kind: '',
  };
  const differences = async (posted: Record<string, string>, more: Record<string, string> = {}) =>
    (await findFieldDifferences(fresh.db, FIELDS, { ...stored, taxes: '0.00', ...more }, posted)).map(
      (row) => [row.label, row.stored, row.yours],
    );

  it('is no difference if it means the same, or was not sent', async () => {
    expect(await differences({})).toEqual([]);
    expect(
      await differences({ concept: ' Gasolina\r\ny casetas ', amount: '$1,160.5', taxes: '', rate: '8+8' }),
    ).toEqual([]);
  });

  it('is shown in readable form if it differs', async () => {
    expect(
      await differences({ day: '2026-11-03', rate: '8', amount: '100*2', taxes: '3', kind: 'gasto' }),
    ).toEqual([
      ['Fecha', 'Mon, 02 Nov 2026', 'Tue, 03 Nov 2026'],
      ['Tasa', '16 %', '8 %'],
      ['Cantidad', '$1,160.50', '$200.00'],
      ['Impuestos', '$0.00', '$3.00'],
      ['Tipo', '', 'Gasto'],
    ]);
    expect(await differences({ amount: '', concept: '2026-11-02' })).toEqual([
      ['Concepto', 'Gasolina\ny casetas', '2026-11-02'],
      ['Cantidad', '$1,160.50', ''],
    ]);
  });

  it('is shown by the name of a reference, even if the name was typed', async () => {
    const rubroId = String(await addRubro(fresh.db, { nombrerubro: 'Acero' }));
    const other = String(await addRubro(fresh.db, { nombrerubro: 'Concreto' }));
    expect(await differences({ rubroId: other }, { rubroId })).toEqual([['Rubro', 'Acero', 'Concreto']]);
    expect(await differences({ nombrerubro: 'Concreto' }, { rubroId })).toEqual([
      ['Rubro', 'Acero', 'Concreto'],
    ]);
    expect(await differences({ nombrerubro: 'Acero' }, { rubroId })).toEqual([]);
    expect(await differences({ rubroId: '' }, { rubroId })).toEqual([['Rubro', 'Acero', '']]);
  });
});
