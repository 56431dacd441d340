/** What solves a problem: cli/remedies.ts says it in words, server/pages/ui/remedies.ts offers a control for some. */
export type Remedy =
  | 'migrate'
  /** copy the database with the version of the program that it belongs to, and restore that */
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
