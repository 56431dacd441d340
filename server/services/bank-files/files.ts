import { createHash } from 'node:crypto';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { formatLongDate, plainDateIn } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import {
  type BatchFile,
  type BatchLine,
  type FullBatch,
  isPayableLine,
  listForeignLineLabels,
  listPayableForeignLines,
  batchTexts as texts,
} from '../../../shared/payment-batches.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import type { BankLayout } from '../../formats/bank-files/layout.ts';
import { requireFileMatchesOrder } from '../../formats/bank-files/verify.ts';
import { acceptsTransfer, isLayoutForBank, writeBankFile } from '../../formats/bank-files/write.ts';
import type { Actor } from '../audit/audit.ts';
import { storeFile } from '../files.ts';
import { lockAndReadBatch, requireBatchState, saveBatch } from '../payment-batches/payment-batches.ts';
import { getBatch } from '../payment-batches/reading.ts';
import {
  createSentColumns,
  markLinesSent,
  recheckBatch,
  requireApprover,
  requireSigned,
} from '../payment-batches/stages.ts';
import { haveSameValues } from '../stored-rows.ts';
import { getLayout, isConfirmed, layoutTexts, readLayouts, type StoredLayout } from './layouts.ts';
import { buildBankOrder } from './transfers.ts';

interface FileGenerationResult {
  batch: FullBatch;
  file: BatchFile;
  isExisting: boolean;
  warnings: string[];
}

/**
 * The file has the same bytes each time, until something changes. Held and paid lines, and suppliers without a
 * confirmed account, are left out.
 * @throws DomainError forbidden, not-found, stale, conflict (batch_state, unsigned, layout_waits, nothing_to_send),
 *   invalid (a figure that does not fit, a source without its CLABE; bank_file_differs)
 */
export async function generateFileAndMarkSent(
  db: Db,
  actor: Actor,
  batchId: number,
  { layout: code, version }: { layout: string; version?: number },
): Promise<FileGenerationResult> {
  requireApprover(actor);
  if (!code) throwIfRefused(createRefusal(texts.noLayout, 'plantilla'));
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadBatch(trx, batchId, version);
    requireBatchState(before, ['autorizada', 'enviada'], 'mandar al banco');
    const rules = await requireSigned(trx, before);
    const stored = await getLayout(trx, code);
    const { layout, customization } = stored;
    if (!isConfirmed(stored))
      throw new DomainError('conflict', layoutTexts.waits(layout.nombre), { code: 'layout_waits' });
    const checked = await recheckBatch(trx, actor, before, 'enviar', rules);
    const generated = await buildFile(trx, checked, layout, isSendableLine);
    if (!generated) throw new DomainError('conflict', texts.nothingToSend, { code: 'nothing_to_send' });
    const { bytes, transfers, totalCents, cuts } = generated;
    const leftOut = listForeignLineLabels(listPayableForeignLines(checked));
    const warnings = [
      ...(leftOut.length > 0 ? [texts.leftOut(leftOut)] : []),
      ...cuts,
      ...(await warnOfDuplicateTransfers(trx, checked, code, generated)),
    ];
    const sha256 = await storeFile(trx, bytes, actor.at);
    const layoutColumns = {
      layoutSha256: stored.sha256,
      layoutBy: customization?.changedBy ?? null,
      layoutConfirmedBy: customization?.confirmedBy ?? null,
    };
    await trx
      .insertInto('payment_batch_files')
      .values({
        batchId,
        layout: code,
        filename: `programacion-${batchId}-${code}.${layout.extension}`,
        sha256,
        transfers,
        totalCents,
        userId: actor.userId,
        createdAt: actor.at,
        ...layoutColumns,
      })
      // If another version of the layout writes the same bytes, the stored file refers to that version from now on.
      .onConflict((conflict) => conflict.columns(['batchId', 'layout', 'sha256']).doUpdateSet(layoutColumns))
      .execute();
    const findFile = ({ files }: FullBatch) =>
      files.find((one) => one.layout === code && one.sha256 === sha256);
    const isSent = before.estado === 'enviada';
    const existing = findFile(before);
    const current = await getBatch(trx, batchId);
    // If the bank already has the file, generating it again changes nothing.
    const isAtBank = isSent && existing !== undefined && haveSameValues(findFile(current)!, existing);
    const batch = isAtBank
      ? current
      : await saveBatch(trx, actor, before, isSent ? {} : createSentColumns(actor));
    return { batch, file: findFile(batch)!, isExisting: existing !== undefined, warnings };
  });
}

/**
 * A file is downloaded once; `again` allows it once more, for a user who was shown who downloaded it.
 * @throws DomainError forbidden, not-found, conflict (batch_state, unsigned, file_outdated, already_downloaded)
 */
export async function downloadFile(
  db: Db,
  actor: Actor,
  {
    batchId,
    fileId,
    allowsSecondDownload = false,
  }: { batchId: number; fileId: number; allowsSecondDownload?: boolean },
  timeZone: string,
): Promise<{ filename: string; bytes: Uint8Array }> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadBatch(trx, batchId);
    const file = before.files.find(({ id }) => id === fileId);
    if (!file)
      throw new DomainError('not-found', `La programación ${batchId} no tiene el archivo ${fileId}.`);
    requireBatchState(before, ['autorizada', 'enviada', 'pagada'], 'descargar su archivo');
    let sentLines: readonly BatchLine[] = [];
    if (before.estado !== 'pagada') {
      await requireSigned(trx, before);
      const current = await rebuildFile(trx, before, file, await readLayouts(trx));
      if (!current) throw new DomainError('conflict', texts.outdated, { code: 'file_outdated' });
      sentLines = current.lines;
    }
    const last = file.downloads.at(-1);
    if (last && !allowsSecondDownload) {
      const when = formatLongDate(plainDateIn(new Date(last.at), timeZone));
      throw new DomainError('conflict', texts.downloaded(last.username, when), {
        code: 'already_downloaded',
      });
    }
    await trx
      .insertInto('payment_batch_downloads')
      .values({ fileId, userId: actor.userId, at: actor.at })
      .execute();
    await markLinesSent(trx, actor, batchId, sentLines);
    await saveBatch(trx, actor, before, {});
    const { bytes } = await trx
      .selectFrom('files')
      .select('bytes')
      .where('sha256', '=', file.sha256)
      .executeTakeFirstOrThrow();
    return { filename: file.filename, bytes };
  });
}

/**
 * @returns warnings about transfers that another file orders too. A file that was downloaded may be at the bank, even
 *   if the batch was changed later.
 */
async function warnOfDuplicateTransfers(
  db: Db,
  batch: FullBatch,
  code: string,
  { sha256, suppliers }: { sha256: string; suppliers: ReadonlyMap<number, string> },
): Promise<string[]> {
  const outdated = await findOutdatedFiles(db, batch);
  const layouts = await readLayouts(db);
  const warnings: string[] = [];
  for (const { id, layout, filename, downloads, ...file } of batch.files) {
    const isOutdated = outdated.has(id);
    if (isOutdated ? downloads.length === 0 || file.sha256 === sha256 : layout === code) continue;
    const fileOrder = await tryBuildFile(db, batch, findConfirmedLayout(layouts, layout), isSendableLine);
    // If an old file can no longer be written, its transfers are unknown, so it may pay all of these suppliers.
    const otherSuppliers = fileOrder?.suppliers ?? (isOutdated ? suppliers : new Map());
    const twice = [...suppliers].filter(([supplierId]) => otherSuppliers.has(supplierId));
    if (twice.length > 0)
      warnings.push(
        texts.askedTwice(
          filename,
          twice.map(([, suppliername]) => suppliername),
        ),
      );
  }
  return warnings;
}

export async function findOutdatedFiles(db: Db, batch: FullBatch): Promise<ReadonlySet<number>> {
  const outdated = new Set<number>();
  if (batch.estado === 'pagada') return outdated;
  const layouts = await readLayouts(db);
  for (const file of batch.files) if (!(await rebuildFile(db, batch, file, layouts))) outdated.add(file.id);
  return outdated;
}

/** @returns undefined where the file would be written differently now, for example because the bank made some transfers */
async function rebuildFile(
  db: Db,
  batch: FullBatch,
  { layout, sha256 }: BatchFile,
  layouts: readonly StoredLayout[],
) {
  const generated = await tryBuildFile(db, batch, findConfirmedLayout(layouts, layout), isSendableLine);
  return generated?.sha256 === sha256 ? generated : undefined;
}

const findConfirmedLayout = (layouts: readonly StoredLayout[], code: string): BankLayout | undefined =>
  layouts.find((one) => one.layout.plantilla === code && isConfirmed(one))?.layout;

/** @returns undefined where the layout is missing, takes none of the transfers, or a rule refuses the file */
async function tryBuildFile(
  db: Db,
  batch: FullBatch,
  layout: BankLayout | undefined,
  isIncluded?: (line: BatchLine) => boolean,
) {
  if (!layout) return undefined;
  try {
    return await buildFile(db, batch, layout, isIncluded);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return undefined;
  }
}

export interface OfferedLayout extends StoredLayout {
  transfers: number;
  totalCents: Cents;
  /** whether its file has a line that the bank has not got yet */
  hasUnsentLines: boolean;
}

/**
 * Sums up the file of each layout that can be used for the batch. `withoutAccount`: the transfers to suppliers without
 * a confirmed account, which no file has.
 */
export async function readOfferedLayouts(db: Db, batch: FullBatch) {
  const order = await buildBankOrder(db, batch, isSendableLine);
  const offered: OfferedLayout[] = [];
  const waiting: StoredLayout[] = [];
  for (const stored of await readLayouts(db)) {
    if (!isLayoutForBank(stored.layout, order)) continue;
    if (!isConfirmed(stored)) waiting.push(stored);
    else {
      const transfers = filterAcceptedTransfers(stored.layout, order);
      const hasUnsentLines = transfers.some(({ lines }) => lines.some(({ sentAt }) => sentAt === null));
      offered.push({ ...stored, ...sumTransfers(transfers), hasUnsentLines });
    }
  }
  return { offered, waiting, withoutAccount: order.withoutAccount, sourceClabe: order.clabe };
}

/** Lines in another currency go into no file: how many pesos the bank will take for them is not known beforehand. */
const isSendableLine = (line: BatchLine): boolean => isPayableLine(line) && line.foreign === null;

async function buildFile(
  db: Db,
  batch: FullBatch,
  layout: BankLayout,
  isIncluded?: (line: BatchLine) => boolean,
) {
  const order = await buildBankOrder(db, batch, isIncluded);
  const transfers = isLayoutForBank(layout, order) ? filterAcceptedTransfers(layout, order) : [];
  if (transfers.length === 0) return undefined;
  const fileOrder = { ...order, transfers };
  const { text, cuts } = writeBankFile(layout, fileOrder);
  // The byte order mark is for spreadsheets, which need it to read UTF-8. Fixed-width files have plain letters only.
  const bytes = Buffer.from(layout.extension === 'csv' ? `\ufeff${text}` : text, 'utf8');
  requireFileMatchesOrder(layout, bytes, fileOrder);
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...sumTransfers(transfers),
    lines: transfers.flatMap((transfer) => transfer.lines),
    suppliers: new Map(transfers.map(({ supplierId, suppliername }) => [supplierId, suppliername])),
    cuts,
  };
}

type BankOrderOfBatch = Awaited<ReturnType<typeof buildBankOrder>>;

const filterAcceptedTransfers = (layout: BankLayout, order: BankOrderOfBatch) =>
  order.transfers.filter((transfer) => acceptsTransfer(layout, order, transfer));

const sumTransfers = (transfers: BankOrderOfBatch['transfers']) => ({
  transfers: transfers.length,
  totalCents: transfers.reduce((cents, { amountCents }) => cents + amountCents, 0),
});
