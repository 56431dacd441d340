/** What solves a problem. cli/remedies.ts puts it into words; server/pages/ui/remedies.ts has controls for some. */
export type RemedyCode =
  | 'migrate'
  /** copy the database with the version of the program that it belongs to, and restore that copy */
  | 'bring-over'
  | 'restore-backup'
  | 'replace-file'
  | 'restore-anyway'
  | 'choose-sheet'
  | 'choose-account'
  | 'replace-former'
  | 'create-missing'
  | 'allow-duplicates'
  | 'set-rate'
  | 'act-as'
  | 'allow-future';
