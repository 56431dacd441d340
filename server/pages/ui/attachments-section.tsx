import { formatDate, plainDateIn } from '../../../shared/dates.ts';
import { formatFileSize } from '../../../shared/text.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import type { AttachmentKind } from '../../formats/file-kinds.ts';
import { type Attachment, MAX_ATTACHMENTS } from '../../services/attachments.ts';
import { FileField } from './file-field.tsx';

interface AttachmentsProps {
  address: string;
  /** words such as "de la factura", for the question before a file is removed */
  ownerPhrase: string;
  noneText: string;
  attachments: readonly Attachment[];
  /** SHA-256 of the XML to which the invoice is linked; that file cannot be removed */
  linkedHash?: string;
  timeZone: string;
}

export function Attachments({
  address,
  ownerPhrase,
  noneText,
  attachments,
  linkedHash,
  timeZone,
}: AttachmentsProps) {
  return (
    <section aria-labelledby="adjuntos" className="attachments">
      <h2 id="adjuntos">Adjuntos</h2>
      {attachments.length === 0 ? (
        <p className="soft">{noneText}</p>
      ) : (
        <ul>
          {attachments.map((attachment) => (
            <li key={attachment.id}>
              <a href={`${address}/${attachment.id}`} download="">
                <bdi>{attachment.filename}</bdi>
              </a>
              <span className="note">
                {KIND_LABELS[attachment.kind]} · {formatFileSize(attachment.size)} ·{' '}
                {formatDayAttached(attachment, timeZone)} · {attachment.username}
              </span>
              {attachment.sha256 !== linkedHash && (
                <RemovalForm
                  {...attachment}
                  ownerPhrase={ownerPhrase}
                  action={`${address}/${attachment.id}/quitar`}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {attachments.length < MAX_ATTACHMENTS && (
        <form method="post" action={address} encType="multipart/form-data" data-busy="" noValidate>
          <FileField
            name="file"
            label="Agregar un archivo"
            accept=".xml,.pdf,.png,.jpg,.jpeg,.webp"
            hint="XML de un CFDI, PDF o imagen. Máximo 5 MB."
            isPhoto
          />
          <Button icon="attach">Adjuntar</Button>
        </form>
      )}
    </section>
  );
}

function RemovalForm({
  filename,
  ownerPhrase,
  action,
}: Attachment & { ownerPhrase: string; action: string }) {
  return (
    <Disclosure summary="Quitar" label={`Quitar ${filename}`}>
      <form method="post" action={action} data-busy="">
        <p>
          ¿Quitar <bdi>{filename}</bdi> {ownerPhrase}? No se puede deshacer.
        </p>
        <Button look="danger">Quitar archivo</Button>
      </form>
    </Disclosure>
  );
}

const KIND_LABELS: Record<AttachmentKind, string> = { cfdi: 'CFDI', pdf: 'PDF', imagen: 'Imagen' };

const formatDayAttached = ({ createdAt }: Attachment, timeZone: string): string =>
  formatDate(plainDateIn(new Date(createdAt), timeZone));
