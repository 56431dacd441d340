/** A bar in a table's row, as long as the row's share of the largest one; it says nothing that its figure does not. */
export function ShareBar({ of, most }: { of: number; most: number }) {
  if (most <= 0 || of <= 0) return null;
  return (
    <svg className="share" aria-hidden="true">
      {/* what is there at all can be seen */}
      <rect width={`${Math.max(0.5, Math.round((of / most) * 1000) / 10)}%`} height="100%" />
    </svg>
  );
}
