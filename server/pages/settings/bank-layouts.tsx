import { Hono } from 'hono';
import { BANK_NAME_BY_CODE } from '../../../shared/banks.ts';
import { formatLongDate, plainDateIn } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { createRefusal, toDomainError } from '../../../shared/refusal.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { OwnPasswordField } from '../../../shared/ui/OwnPasswordField.tsx';
import { pages } from '../../../shared/urls.ts';
import { formatLayout } from '../../formats/bank-files/layout.ts';
import { needsPasswordConfirmation, requirePasswordConfirmation } from '../../http/confirmation.ts';
import { sendBytes } from '../../http/downloads.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readUploadForm } from '../../http/uploads.ts';
import {
  getLayout,
  isConfirmed,
  layoutTexts,
  readLayouts,
  resetLayout,
  type StoredLayout,
  saveLayout,
} from '../../services/bank-files/layouts.ts';
import { redirectWithMessage, saveOrRerender } from '../../shell/render.tsx';
import { describeLayoutVersion } from '../payment-batches/layout-confirmation.tsx';
import { FileField } from '../ui/file-field.tsx';
import { handleFormWithPassword } from '../ui/password-form.tsx';
import type { RenderRefused } from './form.tsx';

const FILE_FIELD = 'plantilla';
const BACK_HREF = pages.settingsOfBanks;
const MAX_UPLOAD_MB = 1;

const LAYOUTS_PATH = `${pages.settings}/plantillas`;
const layoutPath = (code: string) => `${LAYOUTS_PATH}/${code}`;

export const bankLayoutRoutes = (renderRefused: RenderRefused) =>
  new Hono<AppEnv>({ strict: false })
    // A browser that reloads a refused form sends a GET to the form's address.
    .get(LAYOUTS_PATH, (c) => c.redirect(BACK_HREF, 303))
    .get(`${layoutPath(':code')}/restablecer`, (c) => c.redirect(BACK_HREF, 303))
    .get(layoutPath(':code'), async (c) => {
      const { layout } = await getLayout(c.get('deps').db, c.req.param('code') ?? '');
      return sendBytes(c, {
        filename: `${layout.plantilla}.json`,
        bytes: Buffer.from(formatLayout(layout), 'utf8'),
      });
    })
    .post(LAYOUTS_PATH, (c) =>
      saveOrRerender(
        c,
        async () => {
          const { fields, files } = await readUploadForm(c, MAX_UPLOAD_MB);
          await requirePasswordConfirmation(c, fields.currentpassword);
          const file = files[FILE_FIELD];
          if (!file) throw toDomainError(createRefusal('Elige el archivo de la plantilla.', FILE_FIELD));
          const stored = await saveLayout(c.get('deps').db, actorOf(c), decodeLayoutText(file.bytes));
          const { nombre } = stored.layout;
          if (isConfirmed(stored))
            return redirectWithMessage(
              c,
              BACK_HREF,
              `No había nada que guardar: la plantilla «${nombre}» ya es así.`,
            );
          return redirectWithMessage(c, BACK_HREF, `Se guardó la plantilla. ${layoutTexts.waits(nombre)}`);
        },
        (problem, status) => renderRefused(c, { problem, status }),
      ),
    )
    .post(`${layoutPath(':code')}/restablecer`, (c) =>
      handleFormWithPassword(
        c,
        { title: 'Quitar la plantilla propia', button: 'Quitarla', back: BACK_HREF },
        renderRefused,
        async ({ db, actor }) => {
          await resetLayout(db, actor, c.req.param('code') ?? '');
          return redirectWithMessage(c, BACK_HREF, 'La plantilla quedó como viene con Saldo.');
        },
      ),
    );

/** @throws DomainError invalid bad_layout where the file is not UTF-8 */
function decodeLayoutText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const message = 'La plantilla no es un archivo de texto UTF-8.';
    throw new DomainError('invalid', message, { code: 'bad_layout', fields: { [FILE_FIELD]: message } });
  }
}

export async function renderBankLayouts(c: AppContext, problem: DomainError | undefined) {
  const { db, config } = c.get('deps');
  const { [FILE_FIELD]: error, currentpassword } = problem?.fields ?? {};
  return (
    <section className="form" aria-labelledby="layouts">
      <h2 id="layouts">Plantillas de transferencias</h2>
      <p className="note">
        Descarga una, cambia en un editor de texto el renglón que el banco cambió y súbela: sirve desde que
        otra persona, de Dirección o Contabilidad, la confirma. Prueba cada cambio con un pago pequeño.
      </p>
      <DataTable
        caption="Plantillas de banco"
        columns={bankLayoutColumns(config.timeZone)}
        rows={await readLayouts(db)}
        rowKey={({ layout }) => layout.plantilla}
      />
      <form
        method="post"
        action={LAYOUTS_PATH}
        encType="multipart/form-data"
        className="form"
        data-busy=""
        noValidate
      >
        <FileField
          name={FILE_FIELD}
          label="Plantilla cambiada"
          accept=".json"
          hint="El archivo JSON de una plantilla; con otro nombre en «plantilla» se agrega una más."
          error={error}
          focus={error !== undefined}
        />
        {needsPasswordConfirmation(c) && <OwnPasswordField id="layout-password" error={currentpassword} />}
        <div className="form-actions">
          <Button>Subir plantilla</Button>
        </div>
      </form>
    </section>
  );
}

const bankLayoutColumns = (timeZone: string): readonly Column<StoredLayout>[] => [
  {
    key: 'nombre',
    label: 'Plantilla',
    card: 'title',
    className: 'wraps names',
    render: ({ layout: { plantilla, nombre } }) => <a href={layoutPath(plantilla)}>{nombre}</a>,
  },
  {
    key: 'banco',
    label: 'Banco que paga',
    render: ({ layout: { banco } }) => (banco === null ? 'Cualquiera' : (BANK_NAME_BY_CODE[banco] ?? banco)),
  },
  {
    key: 'changed',
    label: 'Versión',
    className: 'wraps',
    render: (stored) => (
      <>
        {stored.customization
          ? `Propia, del ${formatLongDate(plainDateIn(new Date(stored.customization.changedAt), timeZone))}. `
          : 'De fábrica'}
        {!isConfirmed(stored) && (
          <a href={pages.layoutToConfirm(stored.layout.plantilla)}>Espera confirmación</a>
        )}
        {stored.customization && <CustomLayoutReset stored={stored} />}
      </>
    ),
  },
];

const CustomLayoutReset = ({ stored }: { stored: StoredLayout }) => (
  <>
    <div className="hint">{describeLayoutVersion(stored)}</div>
    <form method="post" action={`${layoutPath(stored.layout.plantilla)}/restablecer`} data-busy="">
      <Button look="quiet" aria-label={`Quitar la versión propia de ${stored.layout.nombre}`}>
        Quitar la propia
      </Button>
    </form>
  </>
);
