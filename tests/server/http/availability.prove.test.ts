import { expect, it } from 'vitest';
import { quantile } from '../../security/timing.ts';
import { type Availability, measureAvailability } from '../../support/availability.ts';
import { timeLimitFactor } from '../../support/patience.ts';
import { chooseRunCount } from '../../support/proofs.ts';

const LOAD = {
  invoices: chooseRunCount(20_000, 30_000, 200_000),
  reports: chooseRunCount(10, 10, 20),
  exports: chooseRunCount(10, 10, 20),
  uploads: chooseRunCount(5, 5, 10),
  rows: chooseRunCount(5_000, 8_000, 60_000),
};

it('reports, files, uploads and an import of one user do not delay the lists and payments of others, and nobody is refused', async () => {
  const found = await measureAvailability(LOAD);
  const p99 = quantile(found.waitsDuringMs, 0.99);
  console.info(
    `${found.waitsDuringMs.length} lists and payments beside it: median ${quantile(found.waitsDuringMs, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; ` +
      `${found.seconds.toFixed(1)} s, the import ${found.importSeconds.toFixed(1)} s; RSS ${found.rssMb.toFixed(0)} MB`,
  );
  expect(refusalsOf(found)).toEqual([]);
  expect(p99).toBeLessThan(250 * timeLimitFactor());
  expect(found.rssMb).toBeLessThan(700);
}, 1_200_000);

const refusalsOf = ({ userStatusCounts, loadStatusCounts }: Availability): unknown[] => [
  ...[...userStatusCounts].filter(([status]) => status >= 400),
  ...[...loadStatusCounts].filter(([what]) => !/ (200|303)$/.test(what)),
];
