/**
 * The solution of a refusal, as data. The command line words it as an option or a command (cli/remedies.ts), a page as
 * one of its controls (server/pages/ui/remedies.ts), or they leave it out.
 */
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
