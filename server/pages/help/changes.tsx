import { NEWS } from '../ui/news.ts';

export const Changes = () => (
  <>
    <p>Lo que cambió para quienes usan Saldo, lo más nuevo primero.</p>
    {NEWS.map(({ version, points }) => (
      <div key={version}>
        <h2>Versión {version}</h2>
        <ul>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </div>
    ))}
  </>
);
