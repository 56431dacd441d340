/** The command line words it (cli/remedies.ts), a page makes it a control (server/pages/ui/remedies.ts), or neither. */
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
