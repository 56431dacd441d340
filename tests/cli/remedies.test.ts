import { describe, expect, it } from 'vitest';
import { describeError, describeRemark, formatRemedy } from '../../cli/remedies.ts';
import { DomainError } from '../../shared/errors.ts';
import { createRemark, type Remark, rowIdRemark, withRemedyCode } from '../../shared/remarks.ts';
import type { RemedyCode } from '../../shared/remedies.ts';

describe('the remedy on the command line', () => {
  // The other remedies occur in the tests of their commands.
  const cases: [message: string, remedy: RemedyCode, line: string][] = [
    ['Está dañada.', 'restore-backup', 'Está dañada: restaura una copia con saldo db restore.'],
    ['Rompe una regla.', 'restore-anyway', 'Rompe una regla. Con --force se restaura como está.'],
    [
      'El IVA no cuadra.',
      'set-rate',
      'El IVA no cuadra. Si es la de todos los renglones, basta decirla: --set tasa=20, si fuera 20 %.',
    ],
  ];
  it.each(cases)('names the option for %s (%s)', (message, remedy, line) => {
    expect(describeError(new DomainError('invalid', message, { remedy }))).toBe(line);
  });

  it('follows a remark with the ids that it names', () => {
    const invoice: Remark = createRemark`la factura A-1${rowIdRemark(7)}`;
    const held = withRemedyCode(createRemark`Sustituye a ${invoice}: no se guarda.`, 'replace-former');
    expect(describeRemark(held)).toBe(
      'Sustituye a la factura A-1 (id 7): no se guarda. Con --replace toma su lugar.',
    );
  });

  it('is worded for many rows at once', () => {
    expect(formatRemedy('allow-duplicates')).toBe(
      'Con --allow-duplicates se guardan también los renglones iguales.',
    );
  });
});
