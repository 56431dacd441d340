import type * as Arithmetic from '../../shared/arithmetic.ts';
import { DomainError } from '../../shared/errors.ts';
import { formatMoney, formatMoneyWithoutSymbol, formatRate } from '../../shared/money.ts';

let arithmeticModule: typeof Arithmetic | undefined;

/** Any character that is not part of a number, or a minus after a digit. */
const OPERATOR_PATTERN = /[^\s\d$.,%-]|[\d.)]\s*-/;

export async function loadArithmeticIfNeeded(text: string): Promise<void> {
  if (!arithmeticModule && OPERATOR_PATTERN.test(text))
    arithmeticModule = await import('../../shared/arithmetic.ts').catch(() => undefined);
}

interface Evaluation {
  text?: string;
  shown: string;
}

/** @param name the field's name: `tasa` is a rate, any other an amount @param label the field's name in messages */
export function evaluateOperation(name: string, text: string, label: string): Evaluation | undefined {
  if (!arithmeticModule?.isOperation(text)) return undefined;
  try {
    if (name === 'tasa') {
      const rate = formatRate(arithmeticModule.evaluateTaxRate(text));
      return { text: rate, shown: `= ${rate} %` };
    }
    const cents = arithmeticModule.evaluateMoney(text, label);
    return { text: formatMoneyWithoutSymbol(cents), shown: `= ${formatMoney(cents)}` };
  } catch (error) {
    if (error instanceof DomainError) return { shown: error.message };
    throw error;
  }
}

export const readEvaluatedFields = <Name extends string>(
  form: HTMLFormElement | null,
  names: readonly Name[],
): Record<Name, string> =>
  Object.fromEntries(
    names.map((name) => {
      const value = (form?.elements.namedItem(name) as HTMLInputElement | null)?.value ?? '';
      return [name, evaluateOperation(name, value, '')?.text ?? value];
    }),
  ) as Record<Name, string>;
