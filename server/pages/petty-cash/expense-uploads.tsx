import type { Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { toDecimalText } from '../../../shared/money.ts';
import type { PettyCashFund } from '../../../shared/petty-cash.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages } from '../../../shared/urls.ts';
import { isCfdiQr } from '../../formats/cfdi/cfdi-qr.ts';
import { readIsolated } from '../../formats/reading/isolated-reader.ts';
import { type AppContext, actorOf, requireSession } from '../../http/session.ts';
import { readUploadForm } from '../../http/uploads.ts';
import { attachFile, requireAttachableFile } from '../../services/attachments.ts';
import { readDocument } from '../../services/documents/read-cfdi.ts';
import { addUpload, deleteUpload, readUpload } from '../../services/files.ts';
import { readPrintedExpense } from '../../services/petty-cash/printed-expense.ts';
import { handleParsedForm } from '../../shell/render.tsx';
import { FileField } from '../ui/file-field.tsx';
import type { FieldTexts } from '../ui/record-fields.tsx';
import type { FormState } from '../ui/record-form.tsx';

const MAX_UPLOAD_MB = 8;

/** For each file input, the hidden field with the id of its upload, which keeps the file if the form is shown again. */
const UPLOAD_ID_FIELDS = { foto: 'fotoId', xml: 'xmlId' } as const;
type FileControlName = keyof typeof UPLOAD_ID_FIELDS;

export type MovementFormValues = Record<string, string>;

/** Stores the posted files as uploads. @throws DomainError too-large, malformed */
export async function handleMovementForm(
  c: AppContext,
  renderRefused: Parameters<typeof handleParsedForm>[2],
  handle: Parameters<typeof handleParsedForm>[3],
) {
  const { fields, files } = await readUploadForm(c, MAX_UPLOAD_MB);
  const form = { ...fields };
  return handleParsedForm(c, form, renderRefused, async (posted) => {
    for (const [name, hidden] of Object.entries(UPLOAD_ID_FIELDS) as [FileControlName, string][]) {
      const file = files[name];
      if (!file) continue;
      requireAttachableFile(file.bytes, name);
      form[hidden] = await addUpload(posted.db, posted.actor, file);
    }
    return handle(posted);
  });
}

/** Removes the ids of uploads, because they differ each time and the idempotency key compares the form. */
export function withoutUploadIds(form: MovementFormValues): MovementFormValues {
  const { fotoId: _photo, xmlId: _xml, ...rest } = form;
  return rest;
}

/** @throws DomainError not-found where an upload has expired */
export async function attachUploads(trx: Trx, c: AppContext, form: MovementFormValues, movementId: number) {
  const actor = actorOf(c);
  for (const hidden of Object.values(UPLOAD_ID_FIELDS)) {
    const id = form[hidden];
    if (!id) continue;
    const { filename, bytes } = await readUpload(trx, actor.userId, id);
    await attachFile(trx, actor, { movementId }, { filename, bytes });
    await deleteUpload(trx, actor.userId, id);
  }
}

interface FilledForm {
  values: MovementFormValues;
  /** the values come from a CFDI or its QR code */
  isRead?: boolean;
  warnings?: readonly string[];
}

/**
 * Fills the form from the XML, or from the QR code printed on the document (`lee=qr`). The user supplies job, rubro and
 * concept; a photo alone fills in nothing, unless the browser has found the QR code of a CFDI in it.
 */
export async function fillForm(
  c: AppContext,
  form: MovementFormValues,
  movementId?: number,
): Promise<FilledForm> {
  if (form.lee === 'foto' && !isCfdiQr(form.qr ?? '')) return { values: form };
  if (form.lee) return fillFormFromQr(c, form, movementId);
  const { userId } = requireSession(c);
  if (!form.xmlId) throw fileError('xml', 'Elige el XML del CFDI.');
  const { filename, bytes } = await readUpload(c.get('deps').db, userId, form.xmlId);
  const signal = c.req.raw.signal;
  const document = await readDocument(c.get('deps').db, { filename, bytes }, { signal, userId });
  if (document.kind !== 'I')
    throw fileError('xml', 'No es el CFDI de un gasto: es una nota de crédito o un REP.');
  const { draft, suppliername } = document.issued;
  const values = {
    ...form,
    comprobante: 'cfdi',
    uuid: draft.uuid ?? '',
    folio: draft.numfactura.slice(0, 60),
    fecha: draft.fechaemision,
    beneficiario: suppliername.slice(0, 200),
    importe: toDecimalText(draft.totalCents),
    iva: toDecimalText(draft.ivaCents),
    comprobarAntes: '',
  };
  return { values, isRead: true };
}

/** @throws DomainError where the document is already stored; the form is filled in nevertheless */
async function fillFormFromQr(
  c: AppContext,
  form: MovementFormValues,
  movementId?: number,
): Promise<FilledForm> {
  const code = form.qr ?? (await readQrOfPhoto(c, form.fotoId));
  if (!code) throw fileError('foto', NO_QR_CODE_TEXT);
  const { fields, warnings, problem } = await readPrintedExpense(c.get('deps').db, code, movementId);
  const values = Object.assign(form, fields);
  if (problem) throw problem;
  return { values, warnings, isRead: true };
}

async function readQrOfPhoto(c: AppContext, fotoId: string | undefined): Promise<string | undefined> {
  if (!fotoId) throw fileError('foto', 'Toma la foto del comprobante o elígela: el QR se lee de ella.');
  const { userId } = requireSession(c);
  const { filename, bytes } = await readUpload(c.get('deps').db, userId, fotoId);
  return readIsolated('code', { name: filename, bytes }, { signal: c.req.raw.signal, userId });
}

const NO_QR_CODE_TEXT =
  'En la foto no se ve ningún QR: tómala de cerca, con luz, con el código entero, o captura el gasto a mano.';

const fileError = (name: FileControlName, message: string) =>
  new DomainError('invalid', message, { fields: { [name]: message } });

/** @param readFileHref address that fills the form from a file */
export async function renderFileControls(
  c: AppContext,
  readFileHref: string,
  { values, problem }: FormState,
) {
  const errors: FieldTexts = problem?.fields ?? {};
  const names = await readUploadFilenames(c, values);
  const files = (
    <>
      {Object.values(UPLOAD_ID_FIELDS).map(
        (hidden) =>
          values[hidden] && <input key={hidden} type="hidden" name={hidden} value={values[hidden]} />,
      )}
      <div className="with-code">
        <FileField
          name="foto"
          label="Foto del ticket"
          accept="image/*"
          capture="environment"
          isPhoto
          sentFilename={names.foto}
          hint={names.foto ? `Se guardará ${names.foto}.` : 'Toma la foto o elige una. Máximo 5 MB.'}
          error={errors.foto}
        />
        {/* With script it takes the photo if there is none yet. */}
        <Button
          name="lee"
          value="qr"
          formAction={readFileHref}
          data-part=""
          data-code="foto"
          aria-describedby="qr-note"
        >
          Leer el QR
        </Button>
        <p id="qr-note" className="hint">
          Si el papel trae el QR de un CFDI, llena proveedor, total y UUID. No dice la moneda: un total en
          dólares se captura en pesos.
        </p>
      </div>
    </>
  );
  // With script, choosing the XML submits the form; without script, this button does.
  const xml = (
    <div className="stack">
      <FileField
        name="xml"
        label="XML del CFDI"
        accept=".xml,text/xml,application/xml"
        sentFilename={names.xml}
        hint={names.xml ? `Se guardará ${names.xml}.` : 'Si tienes el XML, los campos se llenan solos.'}
        error={errors.xml}
        submitsOnChoice
      />
      <Button formAction={readFileHref} className="without-script">
        Leer el XML
      </Button>
    </div>
  );
  return { files, xml };
}

async function readUploadFilenames(c: AppContext, values: FieldTexts): Promise<FieldTexts> {
  const { userId } = requireSession(c);
  const names: Record<string, string> = {};
  for (const [name, hidden] of Object.entries(UPLOAD_ID_FIELDS)) {
    const id = values[hidden];
    if (!id) continue;
    const upload = await readUpload(c.get('deps').db, userId, id).catch(() => undefined);
    if (upload) names[name] = upload.filename;
  }
  return names;
}

interface ExpenseButtonsProps {
  fund: Pick<PettyCashFund, 'id' | 'nombre'>;
  look: 'primary' | 'quiet';
}

export const NewExpenseLinks = ({ fund: { id, nombre }, look }: ExpenseButtonsProps) => (
  <div className="expense">
    <LinkButton
      href={pages.newPettyCashMovement(id)}
      look={look}
      icon={look === 'primary' ? 'plus' : undefined}
      aria-label={`Nuevo gasto en ${nombre}`}
      data-new={look === 'primary' ? '' : undefined}
    >
      Nuevo gasto
    </LinkButton>
    <form
      method="post"
      action={pages.readNewPettyCashXml(id)}
      encType="multipart/form-data"
      className="needs-script"
      data-busy=""
    >
      <input type="hidden" name="lee" value="foto" />
      <span className={`btn btn-${look} file`} data-tip="Foto del ticket">
        <Icon name="camera" />
        <input
          type="file"
          name="foto"
          accept="image/*"
          capture="environment"
          aria-label={`Foto del ticket de un gasto en ${nombre}`}
          data-part=""
          data-photo=""
          data-code=""
        />
      </span>
    </form>
  </div>
);
