import type { DomainError } from '../shared/errors.ts';
import { formatWithIds, type Remark, toStructuredRemark } from '../shared/remarks.ts';
import type { RemedyCode } from '../shared/remedies.ts';

const REMEDY_TEXTS = {
  migrate: ': ejecuta `saldo db migrate`.',
  'bring-over':
    ': con ese programa haz una copia, saldo db backup ARCHIVO --portable, y restáurala con este, saldo db restore ARCHIVO.',
  'restore-backup': ': restaura una copia con saldo db restore.',
  'replace-file': ': usa otro nombre, o --force para reemplazarlo.',
  'restore-anyway': ' Con --force se restaura como está.',
  'choose-sheet': ' Dilo con --sheet.',
  'choose-account': ' Dila con --cuenta.',
  'replace-former': ' Con --replace toma su lugar.',
  'allow-duplicates': ' Con --allow-duplicates se guardan también los renglones iguales.',
  'allow-future': ' Con --allow-future se cierra de todos modos.',
  'set-rate': ' Si es la de todos los renglones, basta decirla: --set tasa=20, si fuera 20 %.',
  'act-as': ' Indica en nombre de quién con --as.',
  'create-missing': ' Con --create-missing se dan de alta.',
} as const satisfies Record<RemedyCode, string>;

export const formatRemedy = (remedy: RemedyCode): string => REMEDY_TEXTS[remedy].trim();

export const describeError = ({ message, remedy }: DomainError): string => appendRemedy(message, remedy);

export const describeRemark = (remark: Remark): string =>
  appendRemedy(formatWithIds(remark), toStructuredRemark(remark).remedy);

function appendRemedy(text: string, remedy: RemedyCode | undefined): string {
  const words = remedy ? REMEDY_TEXTS[remedy] : '';
  return words.startsWith(':') && text.endsWith('.') ? text.slice(0, -1) + words : text + words;
}
