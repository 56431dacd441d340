import { readChangelog } from '../ui/changelog.ts';

/** As the changelog has it: in English, for those who keep Saldo running. */
export function Changes() {
  const releases = readChangelog();
  if (releases.length === 0) return <p>Esta instalación no trae su lista de cambios.</p>;
  return (
    <>
      <p>Lo que cambió para quienes usan Saldo, lo más nuevo primero. Está en inglés.</p>
      {releases.map(({ title, points }) => (
        <div key={title} lang="en">
          <h2>{title}</h2>
          <ul>
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
