import { expect, it } from 'vitest';
import { matchesWords, stemsOf } from '../../shared/words.ts';

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
  expect(matchesWords('Notas de crédito', 'NOTA DE CREDITO')).toBe(true);
  expect(matchesWords('Quién autoriza una programación', 'programaciones autorización')).toBe(true);
  expect(matchesWords('Firmar', 'firma')).toBe(true);
  expect(matchesWords('Corregir una factura', 'correo')).toBe(false);
  expect(matchesWords('Notas de crédito', 'nota de débito')).toBe(false);
  expect(matchesWords('Programación', 'programación 4')).toBe(false);
  expect(matchesWords('Ejecución', 'ej')).toBe(true);
  expect([matchesWords('Ayuda', ''), matchesWords('Ayuda', '¿?')]).toEqual([false, false]);
});
