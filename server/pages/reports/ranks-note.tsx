import { placesOf, type Ranks } from '../../../shared/ranks.ts';

interface RanksNoteProps {
  ranks: Ranks;
  /** "Obras de mayor costo" */
  of: string;
  addressOf: (part: number) => string;
}

/** What of a ranking shows, and the way to the rest of it; nothing where all of it does. */
export function RanksNote({ ranks, of, addressOf }: RanksNoteProps) {
  const { part, most, count } = ranks;
  if (count <= most) return null;
  const { start, end } = placesOf(ranks);
  const said = (number: number) => number.toLocaleString('es-MX');
  return (
    <p className="note">
      {of}: {said(start + 1)} a {said(end)} de {said(count)}. El resto está junto al final de la tabla.
      {part > 1 && (
        <>
          {' '}
          <a href={addressOf(part - 1)}>Anteriores</a>
        </>
      )}
      {end < count && (
        <>
          {' '}
          <a href={addressOf(part + 1)}>Siguientes</a>
        </>
      )}
    </p>
  );
}
