import type { RemedyCode } from '../../../shared/remedies.ts';

/** Label of the control that remedies a refusal. Refusals that only the server's operator can remedy have none. */
export const REMEDY_CONTROL_LABELS = {
  'choose-sheet': '¿Cuál hoja se importa?',
  'choose-account': 'Cuenta',
  'replace-former': 'Sustituir',
  'create-missing': 'Dar de alta lo que falte',
  'allow-duplicates': 'Importar también las que ya están, aunque sean iguales',
  'allow-future': 'Cerrar hasta ese día de todos modos',
  'set-rate': undefined,
  'act-as': undefined,
  migrate: undefined,
  'bring-over': undefined,
  'restore-backup': undefined,
  'replace-file': undefined,
  'restore-anyway': undefined,
} as const satisfies Record<RemedyCode, string | undefined>;
