import './no-network.ts'; // before anything that could look at a file
import { DomainError } from '../../../shared/errors.ts';
import { readCandidate } from '../cfdi/candidates.ts';
import type { CfdiInput, ReadingAnswer, ReadingJob } from './reading.ts';

/**
 * The reading process (see reading.ts): one file after another, each answered with what it holds or
 * why it cannot be read. It knows neither database nor settings.
 */
process.on('message', (job: ReadingJob) => {
  answerJob(job).catch((error: unknown) => {
    if (!(error instanceof DomainError)) return answer({ broken: String(error) });
    const { kind, message, code, extra, remedy } = error;
    answer({ refused: { kind, message, code, extra, remedy } });
  });
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; who asked for the reading decides what becomes of it.
process.on('SIGINT', () => undefined);

async function answerJob(job: ReadingJob): Promise<void> {
  if (job.task === 'cfdi') {
    answer({ result: readInvoice(job.input) });
    return;
  }
  const { parseTable } = await import('../tables/parse-table.ts');
  answer({ result: await parseTable(job.input, (pack, count) => answer({ pack, count })) });
}

function readInvoice({ name, bytes, options }: CfdiInput) {
  return readCandidate(
    { name, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
    { baseCurrency: 'MXN', ownRfc: '', allowMismatch: false, ...options },
  );
}

function answer(message: ReadingAnswer): void {
  process.send?.(message);
}
