/**
 * A remedy is the help against a refusal, as data: the command line words it as an option or a command (cli/remedies.ts), a
 * page as one of its controls (server/pages/ui/remedies.ts), or neither says anything.
 */
export type Remedy =
  /** make the database, or bring its form up to date */
  | 'migrate'
  /** copy the database with the program that it is of, and restore that */
  | 'bring-over'
  /** put a backup in the place of the database */
  | 'restore-backup'
  /** write over the file that is there */
  | 'replace-file'
  /** restore a backup that breaks rules as it is */
  | 'restore-anyway'
  /** say which sheet of the workbook is meant */
  | 'choose-sheet'
  /** say which account of a bank's file is meant */
  | 'choose-account'
  /** let a CFDI take the place of the one that it replaces */
  | 'replace-former'
  /** add to other lists what rows name and is not there */
  | 'create-missing'
  /** store rows that are there already, and equal */
  | 'allow-duplicates'
  /** say at which rate all rows are taxed */
  | 'set-rate'
  /** say in whose name it is done */
  | 'act-as'
  /** close up to a day that is still to come */
  | 'allow-future';
