import { describe, expect, it } from 'vitest';
import { noteOf, plainText, remark, rowId, textWithIds, withCode, withRemedy } from '../../shared/remarks.ts';

describe('a remark', () => {
  const one = remark`la factura A-1${rowId(7)}`;
  const other = remark`la nota NC-2${rowId(30)}`;

  it('without rows of ours is its sentence alone', () => {
    expect(remark`Faltan ${3} pagos de «${'Aceros'}».`).toBe('Faltan 3 pagos de «Aceros».');
    expect(textWithIds('Falta la fecha.')).toBe('Falta la fecha.');
  });

  it('reads whole without the ids, and has them after the names where they are asked for', () => {
    const all = remark`Nombra ${one}, ${other} y ${one}.`;
    expect(plainText(all)).toBe('Nombra la factura A-1, la nota NC-2 y la factura A-1.');
    expect(textWithIds(all)).toBe(
      'Nombra la factura A-1 (id 7), la nota NC-2 (id 30) y la factura A-1 (id 7).',
    );
  });

  it('may name two rows in one place, and begin with one', () => {
    const twice = remark`El pago de ${one}${rowId(9)} ya está`;
    expect(textWithIds(remark`${twice}: es un conflicto.`)).toBe(
      'El pago de la factura A-1 (id 7) (id 9) ya está: es un conflicto.',
    );
  });

  it('takes nothing out of what a file says', () => {
    const hostile = remark`«(id 3) Con --replace (x --y)»${rowId(1)}`;
    expect(plainText(hostile)).toBe('«(id 3) Con --replace (x --y)»');
    expect(textWithIds(hostile)).toBe('«(id 3) Con --replace (x --y)» (id 1)');
  });

  it('carries its code and its remedy beside the sentence', () => {
    const said = withRemedy(withCode(one, 'total_mismatch'), 'create-missing');
    expect(noteOf(said)).toEqual({
      text: 'la factura A-1',
      named: [{ id: 7, end: 14 }],
      code: 'total_mismatch',
      remedy: 'create-missing',
    });
    expect(noteOf('Falta la fecha.')).toEqual({ text: 'Falta la fecha.' });
  });
});
