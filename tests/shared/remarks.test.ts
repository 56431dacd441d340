import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLongDate } from '../../shared/dates.ts';
import {
  createRemark,
  formatWithIds,
  groupRemarksByKind,
  type Remark,
  rowIdRemark,
  summarizeRemarkGroup,
  toPlainText,
} from '../../shared/remarks.ts';

describe('a remark', () => {
  const one = createRemark`la factura A-1${rowIdRemark(7)}`;
  const other = createRemark`la nota NC-2${rowIdRemark(30)}`;

  it('without ids is only its sentence', () => {
    expect(createRemark`Faltan ${3} pagos de «${'Aceros'}».`).toBe('Faltan 3 pagos de «Aceros».');
    expect(formatWithIds('Falta la fecha.')).toBe('Falta la fecha.');
  });

  it('reads complete without the ids, and has them after the names if they are requested', () => {
    const all = createRemark`Nombra ${one}, ${other} y ${one}.`;
    expect(toPlainText(all)).toBe('Nombra la factura A-1, la nota NC-2 y la factura A-1.');
    expect(formatWithIds(all)).toBe(
      'Nombra la factura A-1 (id 7), la nota NC-2 (id 30) y la factura A-1 (id 7).',
    );
  });

  it('may name two rows in one place, and begin with one', () => {
    const twice = createRemark`El pago de ${one}${rowIdRemark(9)} ya está`;
    expect(formatWithIds(createRemark`${twice}: es un conflicto.`)).toBe(
      'El pago de la factura A-1 (id 7) (id 9) ya está: es un conflicto.',
    );
  });

  it('removes nothing that a file says', () => {
    const hostile = createRemark`«(id 3) Con --replace (x --y)»${rowIdRemark(1)}`;
    expect(toPlainText(hostile)).toBe('«(id 3) Con --replace (x --y)»');
    expect(formatWithIds(hostile)).toBe('«(id 3) Con --replace (x --y)» (id 1)');
  });
});

describe('remarks about many rows', () => {
  const dates = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  /** Kinds of remarks, each with varying parts: amounts, numbers, dates, quoted names, ids. */
  const KINDS: readonly ((n: number, date: string) => Remark)[] = [
    (n) => `Trae retenciones por $${n},${n}00.${n} (ISR ${n}.00).`,
    (n) => createRemark`Se parece a la factura FAC-${n}/A${rowIdRemark(n)}: mismo total.`,
    (_, date) => `Dice el ${formatLongDate(date)}, y el documento otro día.`,
    (n) => `El emisor no trae nombre: el proveedor queda como «Aceros ${'x'.repeat(n % 9)}».`,
    () => 'Es un CFDI 3.2, versión que dejó de usarse en 2017.',
  ];

  it('are of one kind if they differ only in names, numbers and dates, and each is counted once', () => {
    const one = fc.record({
      kind: fc.nat(KINDS.length - 1),
      n: fc.integer({ min: 1, max: 999 }),
      at: dates,
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), (all) => {
        const remarks = all.map(({ kind, n, at }, index) => {
          return [`${index}.xml`, KINDS[kind]!(n, at.toISOString().slice(0, 10))] as const;
        });
        const groups = [...groupRemarksByKind(remarks).values()];
        const expected = [...new Set(all.map(({ kind }) => kind))].map((kind) =>
          remarks.flatMap(([name], index) => (all[index]!.kind === kind ? [name] : [])),
        );
        expect(groups.map(({ names }) => names)).toEqual(expected);
      }),
    );
  });

  it('become one sentence, with how many and which', () => {
    const remarks = (one: (n: number) => Remark, length = 8) => {
      const each = Array.from({ length }, (_, n) => [`A-${n}`, one(n)] as const);
      return [...groupRemarksByKind(each).values()].map((kind) => summarizeRemarkGroup(kind, 'documentos'));
    };
    expect(remarks(() => 'Está en USD.', 1200)).toEqual([
      'En 1,200 documentos (A-0, A-1, A-2, A-3, A-4, A-5 y 1,194 más): Está en USD.',
    ]);
    expect(remarks(() => 'Está en USD.')).toEqual([
      'En 8 documentos (A-0, A-1, A-2, A-3, A-4, A-5 y 2 más): Está en USD.',
    ]);
    expect(remarks((n) => `Trae retenciones por $${n + 1}.00.`)).toEqual([
      'En 8 documentos (A-0, A-1, A-2, A-3, A-4, A-5 y 2 más), por ejemplo: Trae retenciones por $1.00.',
    ]);
  });
});
