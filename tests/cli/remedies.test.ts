import { describe, expect, it } from 'vitest';
import { describeError, describeRemark, remedyWords } from '../../cli/remedies.ts';
import { DomainError } from '../../shared/errors.ts';
import { type Remark, remark, rowId, withRemedy } from '../../shared/remarks.ts';
import type { Remedy } from '../../shared/remedies.ts';

describe('the command line says what helps', () => {
  const said: [message: string, remedy: Remedy, line: string][] = [
    [
      'La base de datos no está al día.',
      'migrate',
      'La base de datos no está al día: ejecuta `saldo db migrate`.',
    ],
    [
      'La base de datos está dañada.',
      'restore-backup',
      'La base de datos está dañada: restaura una copia con saldo db restore.',
    ],
    ['/a/b ya existe.', 'replace-file', '/a/b ya existe: usa otro nombre, o --force para reemplazarlo.'],
    [
      'La copia rompe una regla (pagos 3: x).',
      'restore-anyway',
      'La copia rompe una regla (pagos 3: x). Con --force se restaura como está.',
    ],
    ['Tiene: «Enero», «Febrero».', 'choose-sheet', 'Tiene: «Enero», «Febrero». Dilo con --sheet.'],
    [
      'No existe la obra «Torre».',
      'create-missing',
      'No existe la obra «Torre». Con --create-missing se dan de alta.',
    ],
    ['Lo hace otro.', 'act-as', 'Lo hace otro. Indica en nombre de quién con --as.'],
    [
      'El IVA no cuadra.',
      'set-rate',
      'El IVA no cuadra. Si es la de todos los renglones, basta decirla: --set tasa=20, si fuera 20 %.',
    ],
  ];
  it.each(said)('%s (%s)', (message, remedy, line) => {
    expect(describeError(new DomainError('invalid', message, { remedy }))).toBe(line);
  });

  it('and nothing more where nothing does', () => {
    expect(describeError(new DomainError('invalid', 'Falta el nombre.'))).toBe('Falta el nombre.');
  });

  it('after a remark with the ids that it names', () => {
    const invoice: Remark = remark`la factura A-1${rowId(7)}`;
    const held = withRemedy(remark`Sustituye a ${invoice}: no se guarda.`, 'replace-former');
    expect(describeRemark(held)).toBe(
      'Sustituye a la factura A-1 (id 7): no se guarda. Con --replace toma su lugar.',
    );
  });

  it('once for many rows', () => {
    expect(remedyWords('allow-duplicates')).toBe(
      'Con --allow-duplicates se guardan también los renglones iguales.',
    );
  });
});
