import { Hono } from 'hono';
import type { DomainError } from '../../../shared/errors.ts';
import { createRefusal, toDomainError } from '../../../shared/refusal.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { PictureFile } from '../../formats/picture.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readUploadForm } from '../../http/uploads.ts';
import { LOGO_KEY } from '../../services/settings/definitions.ts';
import { MAX_LOGO_KB, readLogo, setLogo } from '../../services/settings/logo.ts';
import { redirectWithMessage, saveOrRerender } from '../../shell/render.tsx';
import { FileField } from '../ui/file-field.tsx';
import type { RenderRefused } from './form.tsx';

/** Larger than the limit for a logo, so that a logo that is too large is still received, and refused with a message. */
const MAX_SENT_MB = 5;

export const logoRoutes = (renderRefused: RenderRefused) =>
  new Hono<AppEnv>({ strict: false })
    .get(pages.logo, async (c) => {
      const logo = await readLogo(c.get('deps').db);
      const isReload = c.req.header('sec-fetch-dest') === 'document' && c.req.query('v') === undefined;
      if (!logo || isReload) return c.redirect(pages.settings, 303);
      // The address contains a hash of the bytes, so the bytes at an address never change.
      c.header('Cache-Control', 'private, max-age=31536000, immutable');
      return c.body(new Uint8Array(logo.bytes), 200, { 'Content-Type': `image/${logo.kind}` });
    })
    .post(pages.logo, (c) =>
      saveOrRerender(
        c,
        () => changeLogo(c),
        (problem, status) => renderRefused(c, { problem, status }),
      ),
    );

async function changeLogo(c: AppContext): Promise<Response> {
  const { db } = c.get('deps');
  const { fields, files } = await readUploadForm(c, MAX_SENT_MB);
  if (fields.quitar !== undefined) {
    const was = await setLogo(db, actorOf(c), undefined);
    return redirectWithMessage(
      c,
      pages.settings,
      was ? 'Se quitó el logotipo.' : 'No había logotipo que quitar.',
    );
  }
  const chosen = files[LOGO_KEY];
  if (!chosen) throw toDomainError(createRefusal('Elige la imagen del logotipo.', LOGO_KEY));
  await setLogo(db, actorOf(c), chosen.bytes);
  return redirectWithMessage(c, pages.settings, 'Se guardó el logotipo: va en el encabezado de los PDF.');
}

export async function renderLogo(c: AppContext, problem: DomainError | undefined) {
  const logo = await readLogo(c.get('deps').db);
  const error = problem?.fields?.[LOGO_KEY];
  return (
    <form method="post" action={pages.logo} encType="multipart/form-data" className="form" data-busy="">
      {logo && (
        <img
          src={withQuery(pages.logo, { v: logo.sha256.slice(0, 16) })}
          alt="El logotipo de la empresa"
          {...fitLogoSize(logo)}
        />
      )}
      <FileField
        name={LOGO_KEY}
        label="Logotipo de los PDF"
        accept=".png,.jpg,.jpeg"
        hint={`PNG o JPEG de hasta ${MAX_LOGO_KB} KB.`}
        error={error}
        focus={error !== undefined}
      />
      <div className="actions">
        <Button>Guardar logotipo</Button>
        {logo && (
          <Button look="quiet" icon="trash" name="quitar" value="1">
            Quitar logotipo
          </Button>
        )}
      </div>
    </form>
  );
}

function fitLogoSize({ width, height }: PictureFile) {
  const scale = Math.min(1, 240 / width, 80 / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
