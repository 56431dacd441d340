import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { formatMoment } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { formatFileSize } from '../../../shared/text.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { OwnPasswordField } from '../../../shared/ui/OwnPasswordField.tsx';
import { pages } from '../../../shared/urls.ts';
import { needsPasswordConfirmation, requirePasswordConfirmation } from '../../http/confirmation.ts';
import { contentDisposition } from '../../http/downloads.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { type LastBackup, readLastBackup } from '../../services/database/last-backup.ts';
import {
  auditDownload,
  createServerBackup,
  getServerBackup,
  listServerBackups,
  MAX_SERVER_BACKUPS,
} from '../../services/database/server-backups.ts';
import { handleForm, redirectWithMessage } from '../../shell/render.tsx';
import type { RenderRefused } from './form.tsx';

/** A worker makes the backup, because that reads the whole database (http/job-answers.ts). */
export const backupRoutes = (renderRefused: RenderRefused) =>
  new Hono<AppEnv>({ strict: false })
    .post(pages.backups, (c) =>
      handleForm(c, renderRefused, async ({ actor }) =>
        redirectWithMessage(
          c,
          pages.settingsOf('respaldos'),
          backupMessage(await createServerBackup(c.get('deps'), actor)),
        ),
      ),
    )
    .get(pages.backup(':name'), (c) => downloadBackup(c))
    // A backup contains all data, so a download requires a recently confirmed password.
    .post(pages.backup(':name'), (c) =>
      handleForm(c, renderRefused, async ({ form }) => {
        await requirePasswordConfirmation(c, form.currentpassword);
        return c.redirect(pages.backup(c.req.param('name') ?? ''), 303);
      }),
    );

const backupMessage = ({ bytes, problems }: { bytes: number; problems: readonly unknown[] }): string =>
  `Se hizo el respaldo (${formatFileSize(bytes)}) y se leyó de nuevo. ${describeBackupCheck(problems.length)}`;

async function downloadBackup(c: AppContext): Promise<Response> {
  const { db, config } = c.get('deps');
  const backup = getServerBackup(config.dataFolder, c.req.param('name') ?? '');
  const { name, path, bytes } = backup;
  await requirePasswordConfirmation(c, undefined);
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': contentDisposition(name),
    'Content-Length': String(bytes),
  };
  if (c.req.method === 'HEAD') return c.body(null, 200, headers);
  await auditDownload(db, actorOf(c), backup);
  const read = createReadStream(path, { highWaterMark: 256 * 1024 });
  return c.body(Readable.toWeb(read) as ReadableStream<Uint8Array>, 200, headers);
}

export async function renderBackups(c: AppContext, problem: DomainError | undefined) {
  const { db, config } = c.get('deps');
  const last = await readLastBackup(db);
  const [newest, ...older] = listServerBackups(config.dataFolder);
  const isPasswordNeeded = needsPasswordConfirmation(c);
  return (
    <section className="form" aria-label="Respaldos">
      {last ? (
        <LastBackupFacts last={last} timeZone={config.timeZone} />
      ) : (
        <p>Todavía no se ha hecho ningún respaldo.</p>
      )}
      <form method="post" action={pages.backups} data-busy="" className="actions">
        <Button icon="copy">Hacer un respaldo ahora</Button>
        {newest && !isPasswordNeeded && (
          <LinkButton href={pages.backup(newest.name)} download="" icon="export" title={newest.name}>
            Descargar el más reciente ({formatFileSize(newest.bytes)})
          </LinkButton>
        )}
      </form>
      {newest && isPasswordNeeded && (
        <form method="post" action={pages.backup(newest.name)} className="fields">
          <OwnPasswordField error={problem?.fields?.currentpassword} />
          <Button icon="export" title={newest.name}>
            Descargar el más reciente ({formatFileSize(newest.bytes)})
          </Button>
        </form>
      )}
      {!isPasswordNeeded && older.length > 0 && (
        <ul>
          {older.map(({ name, bytes }) => (
            <li key={name}>
              <a href={pages.backup(name)} download="">
                {name}
              </a>{' '}
              ({formatFileSize(bytes)})
            </li>
          ))}
        </ul>
      )}
      <p className="note">
        El servidor conserva los {MAX_SERVER_BACKUPS} últimos: descárgalos y guárdalos en otro lugar. Se
        restauran con <code>npx saldo db restore</code>.
      </p>
    </section>
  );
}

const LastBackupFacts = ({ last, timeZone }: { last: LastBackup; timeZone: string }) => (
  <Facts
    facts={{
      'Último respaldo': `${formatMoment(new Date(last.at), timeZone)}, ${last.username}`,
      Archivo: (
        <>
          <bdi>{last.file}</bdi>, {formatFileSize(last.bytes)}
        </>
      ),
      Verificación: describeBackupCheck(last.problems),
    }}
  />
);

function describeBackupCheck(problems: number | undefined): string {
  if (problems === undefined) return 'Se verificó al hacerlo.';
  if (problems === 0) return 'Se verificó: todas las reglas se cumplen.';
  const broken = problems === 1 ? 'una regla' : `${problems} reglas`;
  return `La base de datos rompe ${broken}: «saldo db check» dice cuáles.`;
}
