import type { Db } from '../../../db/schema.ts';
import { abbreviateClabe, bankNameOf } from '../../../shared/banks.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { pluralize } from '../../../shared/counts.ts';
import { formatDate, type Instant, plainDateIn } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  type BatchFile,
  batchTexts,
  type FullBatch,
  listForeignLineLabels,
  listPayableForeignLines,
} from '../../../shared/payment-batches.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages } from '../../../shared/urls.ts';
import {
  findOutdatedFiles,
  type OfferedLayout,
  readOfferedLayouts,
} from '../../services/bank-files/files.ts';
import { layoutTexts } from '../../services/bank-files/layouts.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { StepButton } from '../ui/step-bar.tsx';
import { describeLayoutOfFile } from './layout-confirmation.tsx';

export async function readBankFilesState(db: Db, batch: FullBatch) {
  const isOpen = batch.estado === 'autorizada' || batch.estado === 'enviada';
  const outdated = await findOutdatedFiles(db, batch);
  const files = {
    validFiles: batch.files.filter(({ id }) => !outdated.has(id)),
    outdatedFiles: batch.files.filter(({ id }) => outdated.has(id)),
  };
  if (!isOpen) return { ...files, makeableLayouts: [], missing: undefined };
  const { offered, ...rest } = await readOfferedLayouts(db, batch);
  return { ...files, makeableLayouts: offered.filter(({ transfers }) => transfers > 0), missing: rest };
}

type BankFilesState = Awaited<ReturnType<typeof readBankFilesState>>;

export type FileToMakeOrDownload =
  | { layoutToMake: OfferedLayout; fileToDownload?: never }
  | { layoutToMake?: never; fileToDownload: BatchFile };

/**
 * The next file to generate or download. Files that nobody has downloaded come first, then one file for each layout of
 * the funding source's bank, since each takes some of the transfers. A layout for any bank is used only if that bank
 * has none. What the bank already has is not offered again.
 */
export function findNextFile({
  validFiles,
  makeableLayouts,
}: BankFilesState): FileToMakeOrDownload | undefined {
  const download = validFiles.find(({ downloads }) => downloads.length === 0);
  if (download) return { fileToDownload: download };
  const bankSpecific = makeableLayouts.filter(({ layout }) => layout.banco !== null);
  const unsent = (bankSpecific.length > 0 ? bankSpecific : makeableLayouts).filter(
    ({ hasUnsentLines }) => hasUnsentLines,
  );
  if (validFiles.length === 0) return unsent[0] && { layoutToMake: unsent[0] };
  const isBankSpecific = (code: string) => bankSpecific.some(({ layout }) => layout.plantilla === code);
  if (!validFiles.some(({ layout }) => isBankSpecific(layout))) return undefined;
  const make = unsent.find(({ layout }) => !validFiles.some((file) => file.layout === layout.plantilla));
  return make && { layoutToMake: make };
}

export const FileMakeOrDownloadButton = ({
  batch,
  nextFile,
}: {
  batch: FullBatch;
  nextFile: FileToMakeOrDownload;
}) =>
  nextFile.layoutToMake ? (
    <MakeFileButton batch={batch} file={nextFile.layoutToMake} look="primary">
      Generar el archivo
    </MakeFileButton>
  ) : (
    <StepButton action={downloadHref(batch, nextFile.fileToDownload)} look="primary" icon="export">
      Descargar el archivo
    </StepButton>
  );

interface MakeFileButtonProps {
  batch: FullBatch;
  file: OfferedLayout;
  look?: 'primary';
  children: string;
}

export const MakeFileButton = ({ batch: { id, version }, file, look, children }: MakeFileButtonProps) => (
  <StepButton
    action={pages.paymentBatchStep(id, 'archivos')}
    hidden={{ version: String(version), plantilla: file.layout.plantilla }}
    look={look}
    icon="file"
  >
    {children}
  </StepButton>
);

export const listOtherOfferedFiles = (
  bankFilesState: BankFilesState | undefined,
  fileInStepBar: FileToMakeOrDownload | undefined,
): OfferedLayout[] =>
  (bankFilesState?.makeableLayouts ?? []).filter((offered) => offered !== fileInStepBar?.layoutToMake);

interface BankFilesProps {
  batch: FullBatch;
  bankFilesState: BankFilesState;
  /** the file that the step bar offers, which is left out here */
  fileInStepBar: FileToMakeOrDownload | undefined;
  timeZone: string;
}

export function BankFiles(props: BankFilesProps) {
  const { batch, bankFilesState, fileInStepBar } = props;
  const { missing, validFiles, outdatedFiles } = bankFilesState;
  const { files } = batch;
  if (files.length === 0 && !missing) return null;
  const renderFiles = (caption: string, rows: readonly BatchFile[]) => (
    <DataTable caption={caption} columns={bankFileColumns(props, rows)} rows={rows} rowKey={({ id }) => id} />
  );
  return (
    <Disclosure summary={<h2>Archivos para el banco</h2>} isOpen={fileInStepBar !== undefined}>
      <div className="bank-files" id="archivos">
        {validFiles.length > 0 && renderFiles('Archivos para el banco', validFiles)}
        {outdatedFiles.length > 0 && (
          <Disclosure summary={pluralize(outdatedFiles.length, 'archivo anterior', 'archivos anteriores')}>
            {renderFiles('Archivos anteriores', outdatedFiles)}
          </Disclosure>
        )}
        {missing && <FileObstacles batch={batch} {...missing} />}
        {files.length > 1 && <p>Sube al banco un solo archivo por pago.</p>}
      </div>
    </Disclosure>
  );
}

type FileObstaclesProps = { batch: FullBatch } & NonNullable<BankFilesState['missing']>;

function FileObstacles({ batch, waiting, withoutAccount, sourceClabe }: FileObstaclesProps) {
  const { origenderecursoId, origenderecursonombre } = batch;
  const foreign = listForeignLineLabels(listPayableForeignLines(batch));
  return (
    <>
      <p>
        {sourceClabe ? (
          `Se paga desde ${origenderecursonombre}: ${bankNameOf(sourceClabe)} ${abbreviateClabe(sourceClabe)}.`
        ) : (
          <>
            {`${origenderecursonombre} no tiene CLABE, y por eso no se ofrecen las plantillas de su banco. `}
            <a href={`${fundingSources.paths.edit}/${origenderecursoId}`}>Ponla en su página.</a>
          </>
        )}
      </p>
      {foreign.length > 0 && (
        <p>
          <Icon name="warning" /> {batchTexts.leftOut(foreign)}
        </p>
      )}
      {withoutAccount.length > 0 && (
        <p>
          <Icon name="warning" /> No van en ningún archivo, porque el proveedor no tiene una cuenta
          confirmada:{' '}
          {withoutAccount.map(({ supplierId, suppliername, amountCents }, index) => (
            <span key={supplierId}>
              {index > 0 && ', '}
              <a href={pages.accountsOfSupplier(supplierId)}>{suppliername}</a>
              {` (${formatMoney(amountCents)})`}
            </span>
          ))}
          .
        </p>
      )}
      {waiting.map(({ layout: { plantilla, nombre } }) => (
        <p key={plantilla}>
          <Icon name="warning" /> {layoutTexts.waits(nombre)}{' '}
          <a href={pages.layoutToConfirm(plantilla)}>Ver la plantilla</a>
        </p>
      ))}
    </>
  );
}

export const describeTransfers = ({
  transfers,
  totalCents,
}: Pick<OfferedLayout, 'transfers' | 'totalCents'>): string =>
  `${transfers === 1 ? 'una transferencia' : `${transfers} transferencias`}, ${formatMoney(totalCents)}`;

const downloadHref = ({ id }: Pick<FullBatch, 'id'>, file: BatchFile): string =>
  pages.paymentBatchStep(id, `archivos/${file.id}/descargar`);

function bankFileColumns(
  { batch, bankFilesState: { validFiles }, fileInStepBar, timeZone }: BankFilesProps,
  rows: readonly BatchFile[],
): Column<BatchFile>[] {
  const formatDay = (at: Instant) => formatDate(plainDateIn(new Date(at), timeZone));
  const isListedForDownload = (file: BatchFile) =>
    validFiles.includes(file) && file !== fileInStepBar?.fileToDownload;
  const columns: (Column<BatchFile> | false)[] = [
    {
      key: 'archivo',
      label: 'Archivo',
      card: 'title',
      className: 'wraps names',
      render: (file) => (
        <>
          {file.filename} {!validFiles.includes(file) && <Chip tone="danger">Ya no vale</Chip>}
          <Disclosure summary="Detalles" label={`Detalles de ${file.filename}`}>
            <div className="hint" title={file.sha256}>{`SHA-256 ${file.sha256.slice(0, 16)}…`}</div>
            <div className="hint" title={file.layoutSha256 ?? undefined}>
              {describeLayoutOfFile(file)}
            </div>
          </Disclosure>
        </>
      ),
    },
    { key: 'transfers', label: 'Transferencias', align: 'end' },
    moneyColumn('total', 'Total', ({ totalCents }) => totalCents),
    {
      key: 'generado',
      label: 'Lo generó',
      className: 'wraps',
      render: ({ username, createdAt }) => `${username}, ${formatDay(createdAt)}`,
    },
    {
      key: 'descargas',
      label: 'Descargas',
      className: 'wraps',
      render: ({ downloads }) =>
        downloads.map(({ username, at }) => `${username}, ${formatDay(at)}`).join('; ') || 'Ninguna',
    },
    batch.estado !== 'borrador' &&
      rows.some(isListedForDownload) && {
        key: 'descargar',
        label: 'Descargar',
        card: 'foot',
        className: 'wraps names',
        render: (file) => isListedForDownload(file) && <DownloadLink batch={batch} file={file} />,
      },
  ];
  return columns.filter((column) => column !== false);
}

/** Asks before a repeated download, since a bank that gets a file twice may pay it twice. */
function DownloadLink({ batch, file }: { batch: FullBatch; file: BatchFile }) {
  const { downloads, filename } = file;
  const action = downloadHref(batch, file);
  const last = downloads.at(-1);
  if (!last)
    return (
      <StepButton action={action} icon="export" label={`Descargar ${filename}`}>
        Descargar
      </StepButton>
    );
  return (
    <Disclosure summary="Descargar otra vez">
      <form method="post" action={action} className="stack">
        <input type="hidden" name="otraVez" value="true" />
        <p>{`Ya lo descargó ${last.username}. Si se sube otra vez al banco, se paga dos veces.`}</p>
        <div className="actions">
          <Button look="danger" aria-label={`Descargar otra vez ${filename}`}>
            Descargar
          </Button>
        </div>
      </form>
    </Disclosure>
  );
}
