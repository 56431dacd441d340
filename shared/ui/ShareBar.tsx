/** Screen readers skip the bar, because the figure next to it says the same. */
export function ShareBar({ value, max }: { value: number; max: number }) {
  if (max <= 0 || value <= 0) return null;
  return (
    <svg className="share" aria-hidden="true">
      {/* anything above zero stays visible */}
      <rect width={`${Math.max(0.5, Math.round((value / max) * 1000) / 10)}%`} height="100%" />
    </svg>
  );
}
