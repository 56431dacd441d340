export interface TableOptions {
  dryRun?: boolean;
  map?: Record<string, string>;
  set?: Record<string, string>;
  sheet?: string;
  dateFormat?: string;
  amount?: 'subtotal' | 'total';
  decimal?: '.' | ',';
  createMissing?: boolean;
  onError: 'stop' | 'skip';
  rejects?: string;
  allowDuplicates?: boolean;
  json?: boolean;
  as?: string;
}
