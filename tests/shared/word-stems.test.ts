import { expect, it } from 'vitest';
import { containsAllWords, stemsOf } from '../../shared/word-stems.ts';

it('the forms of a word share their stem', () => {
  for (const forms of [
    'autorizar autorización autorizaciones autorizada autorizadas autorizado',
    'respaldo respaldos respaldar',
    'factura facturas facturar facturación',
    'programar programación programado programaciones',
    'anticipo anticipos',
    'nota notas',
    'gasto gastos',
    'vencida vencidas vencer vencidos',
  ])
    expect([forms, new Set(stemsOf(forms)).size]).toEqual([forms, 1]);
});

it('a question finds a text that has all its words, whatever their order, case, accents and form', () => {
  expect(containsAllWords('Notas de crédito', 'NOTA DE CREDITO')).toBe(true);
  expect(containsAllWords('Quién autoriza una programación', 'programaciones autorización')).toBe(true);
  expect(containsAllWords('Firmar', 'firma')).toBe(true);
  expect(containsAllWords('Corregir una factura', 'correo')).toBe(false);
  expect(containsAllWords('Notas de crédito', 'nota de débito')).toBe(false);
  expect(containsAllWords('Programación', 'programación 4')).toBe(false);
  expect(containsAllWords('Ejecución', 'ej')).toBe(true);
  expect([containsAllWords('Ayuda', ''), containsAllWords('Ayuda', '¿?')]).toEqual([false, false]);
});
