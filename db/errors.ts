/** What the two databases call the same refusals. */
const CODES = {
  unique: ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'],
  reference: ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'],
  check: ['SQLITE_CONSTRAINT_CHECK', '23514'],
} as const;

export function isViolation(error: unknown, of: keyof typeof CODES): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (CODES[of] as readonly string[]).includes(code);
}
