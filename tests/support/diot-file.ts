/** Reads the file by the layout of the SAT alone: 54 fields, whole pesos, CRLF. */
export interface DiotLine {
  rfc: string;
  operacion: string;
  /** for each rate: the base, what was returned of it, and its IVA */
  norte8: [number, number, number];
  sur8: [number, number, number];
  tasa16: [number, number, number];
  retenido: number;
  exento: number;
  tasa0: number;
  noObjeto: number;
}

const USED_FIELDS = new Set([1, 2, 3, 8, 9, 10, 11, 12, 13, 18, 20, 22, 48, 50, 51, 52, 54]);

export function readDiotFile(text: string): DiotLine[] {
  if (text === '') return [];
  if (!text.endsWith('\r\n')) throw new Error('the last line is not ended');
  return text
    .slice(0, -2)
    .split('\r\n')
    .map((line) => {
      const fields = line.split('|');
      if (fields.length !== 54) throw new Error(`${fields.length} fields`);
      const at = (field: number) => fields[field - 1]!;
      fields.forEach((value, index) => {
        const isUsed = USED_FIELDS.has(index + 1);
        const isNumber = ![1, 2, 3, 54].includes(index + 1);
        if (value !== '' && !isUsed) throw new Error(`field ${index + 1} is ${value}`);
        if (isNumber && value !== '' && !/^[1-9]\d*$/.test(value)) throw new Error(`«${value}» is no amount`);
      });
      if (at(1) !== '04' || at(54) !== '01' || !/^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/.test(at(3)))
        throw new Error(`the line begins or ends otherwise: ${line}`);
      const parsePesos = (field: number) => Number(at(field) || 0);
      return {
        ...{ operacion: at(2), rfc: at(3) },
        norte8: [parsePesos(8), parsePesos(9), parsePesos(18)],
        sur8: [parsePesos(10), parsePesos(11), parsePesos(20)],
        tasa16: [parsePesos(12), parsePesos(13), parsePesos(22)],
        ...{
          retenido: parsePesos(48),
          exento: parsePesos(50),
          tasa0: parsePesos(51),
          noObjeto: parsePesos(52),
        },
      };
    });
}

/** Sums what the file reports as paid, less what it reports as returned. */
export const sumDiotFile = (lines: readonly DiotLine[]): number =>
  lines.reduce(
    (sum, { norte8, sur8, tasa16, retenido, exento, tasa0, noObjeto }) =>
      [norte8, sur8, tasa16].reduce((all, [base, returned, iva]) => all + base - returned + iva, sum) -
      retenido +
      (exento + tasa0 + noObjeto),
    0,
  );
