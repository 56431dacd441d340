import { bankOf, lastOfClabe } from '../../../shared/banks.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { formatDate, type Instant, plainDateIn } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { BatchFile, FullBatch } from '../../../shared/payment-batches.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { offeredFiles, outdatedFiles } from '../../services/bank-files/files.ts';
import { layoutTexts } from '../../services/bank-files/layouts.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { layoutOfFile, originOf } from './layout-confirmation.tsx';

/** Shown to users who may send it: the files that were made, and those that can be. */
export async function renderBankFiles(c: AppContext, batch: FullBatch, mayApprove: boolean) {
  const { estado, files } = batch;
  const isOpen = estado === 'autorizada' || estado === 'enviada';
  if (!mayApprove || (!isOpen && files.length === 0)) return null;
  const { db, config } = c.get('deps');
  const outdated = await outdatedFiles(db, batch);
  const mayDownload = estado !== 'borrador';
  return (
    <section className="stack" id="archivos" aria-labelledby="files-title">
      <h2 id="files-title">Archivos para el banco</h2>
      {files.length > 0 && (
        <DataTable
          caption="Archivos para el banco"
          columns={columnsOf(batch, { outdated, mayDownload, timeZone: config.timeZone })}
          rows={files}
          rowKey={({ id }) => id}
        />
      )}
      {isOpen && <Offers batch={batch} {...(await offeredFiles(db, batch))} />}
    </section>
  );
}

type OffersProps = { batch: FullBatch } & Awaited<ReturnType<typeof offeredFiles>>;

function Offers({ batch, offered, waiting, withoutAccount, sourceClabe }: OffersProps) {
  const { id, version, origenderecursoId, origenderecursonombre } = batch;
  const useful = offered.filter(({ transfers }) => transfers > 0);
  return (
    <>
      <p className="hint">
        {sourceClabe ? (
          `Se carga a ${origenderecursonombre}: ${bankOf(sourceClabe)} ${lastOfClabe(sourceClabe)}. Al generar un archivo la programación queda enviada. Prueba cada plantilla con tu banco antes de usarla.`
        ) : (
          <>
            {`${origenderecursonombre} no tiene CLABE, y por eso no se ofrecen las plantillas de su banco. `}
            <a href={`${fundingSources.paths.edit}/${origenderecursoId}`}>Ponla en su página.</a>
          </>
        )}
      </p>
      {batch.files.length > 0 && useful.length > 0 && (
        <p className="hint">
          Un pago puede ir en más de una plantilla, como la del banco y el CSV: sube al banco solo un archivo
          de los que lo llevan.
        </p>
      )}
      {withoutAccount.length > 0 && (
        <p>
          <Icon name="warning" /> No van en ningún archivo, porque el proveedor no tiene una cuenta confiable:{' '}
          {withoutAccount.map(({ supplierId, suppliername, amountCents }, index) => (
            <span key={supplierId}>
              {index > 0 && ', '}
              <a href={`${pages.editSupplier}/${supplierId}#cuentas`}>{suppliername}</a>
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
      {useful.map(({ transfers, totalCents, ...stored }) => (
        <form
          key={stored.layout.plantilla}
          method="post"
          action={pages.paymentBatchStep(id, 'archivos')}
          className="actions"
          data-busy=""
        >
          <input type="hidden" name="version" value={version} />
          <input type="hidden" name="plantilla" value={stored.layout.plantilla} />
          <Button icon="file">{`Generar: ${stored.layout.nombre}`}</Button>
          <span className="hint">
            {`${counted(transfers)}, ${formatMoney(totalCents)}; plantilla ${originOf(stored)}`}
          </span>
        </form>
      ))}
    </>
  );
}

const counted = (transfers: number): string =>
  transfers === 1 ? 'una transferencia' : `${transfers} transferencias`;

interface FileOptions {
  outdated: ReadonlySet<number>;
  mayDownload: boolean;
  timeZone: string;
}

function columnsOf(
  { id: batchId }: FullBatch,
  { outdated, mayDownload, timeZone }: FileOptions,
): Column<BatchFile>[] {
  const dayOf = (at: Instant) => formatDate(plainDateIn(new Date(at), timeZone));
  const columns: (Column<BatchFile> | false)[] = [
    {
      key: 'archivo',
      label: 'Archivo',
      card: 'title',
      className: 'wraps names',
      render: (file) => (
        <>
          {file.filename} {outdated.has(file.id) && <Chip tone="danger">Ya no vale</Chip>}
          <div className="hint" title={file.sha256}>{`SHA-256 ${file.sha256.slice(0, 16)}…`}</div>
          <div className="hint" title={file.layoutSha256 ?? undefined}>
            {layoutOfFile(file)}
          </div>
        </>
      ),
    },
    { key: 'transfers', label: 'Transferencias', align: 'end' },
    moneyColumn('total', 'Total', ({ totalCents }) => totalCents),
    {
      key: 'generado',
      label: 'Lo generó',
      className: 'wraps',
      render: ({ username, createdAt }) => `${username}, ${dayOf(createdAt)}`,
    },
    {
      key: 'descargas',
      label: 'Descargas',
      className: 'wraps',
      render: ({ downloads }) =>
        downloads.map(({ username, at }) => `${username}, ${dayOf(at)}`).join('; ') || 'Ninguna',
    },
    mayDownload && {
      key: 'descargar',
      label: 'Descargar',
      card: 'foot',
      className: 'wraps names',
      render: (file) => !outdated.has(file.id) && <Download batchId={batchId} file={file} />,
    },
  ];
  return columns.filter((column) => column !== false);
}

/** A second download asks first, since a file that goes to the bank twice is paid twice. */
function Download({ batchId, file: { id, downloads, filename } }: { batchId: number; file: BatchFile }) {
  const action = pages.paymentBatchStep(batchId, `archivos/${id}/descargar`);
  const last = downloads.at(-1);
  if (!last)
    return (
      <form method="post" action={action}>
        <Button look="primary" icon="export" aria-label={`Descargar ${filename}`}>
          Descargar
        </Button>
      </form>
    );
  return (
    <details className="disclosure">
      <summary>
        <Icon name="chevron" />
        Descargar otra vez
      </summary>
      <form method="post" action={action} className="stack">
        <input type="hidden" name="otraVez" value="true" />
        <p>{`Ya lo descargó ${last.username}. Si se sube otra vez al banco, se paga dos veces.`}</p>
        <div className="actions">
          <Button look="danger" aria-label={`Descargar otra vez ${filename}`}>
            Descargar
          </Button>
        </div>
      </form>
    </details>
  );
}
