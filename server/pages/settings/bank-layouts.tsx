import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { BANKS } from '../../../shared/banks.ts';
import { plainDateIn, sayDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { pages } from '../../../shared/urls.ts';
import { layoutText } from '../../formats/bank-files/layout.ts';
import { sendBytes } from '../../http/content-disposition.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { readSentForm } from '../../http/uploads.ts';
import {
  getLayout,
  readLayouts,
  resetLayout,
  type StoredLayout,
  saveLayout,
} from '../../services/bank-files/layouts.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { FileField } from '../ui/file-field.tsx';
import { Section } from './sections.tsx';

type Again = (c: AppContext, problem: DomainError, status: ContentfulStatusCode) => Promise<Response>;

const FILE = 'plantilla';
const MOST_MB = 1;

/** The layouts of files for banks: taken home, changed in a text editor, and brought back. */
export const bankLayoutRoutes = (again: Again) =>
  new Hono<AppEnv>({ strict: false })
    .get(pages.bankLayout(':code'), async (c) => {
      const layout = await getLayout(c.get('deps').db, c.req.param('code') ?? '');
      return sendBytes(c, {
        filename: `${layout.plantilla}.json`,
        bytes: Buffer.from(layoutText(layout), 'utf8'),
      });
    })
    .post(pages.bankLayouts, (c) =>
      change(c, again, async () => {
        const { [FILE]: file } = (await readSentForm(c, MOST_MB)).files;
        if (!file) throw missingFile();
        const { nombre } = await saveLayout(c.get('deps').db, actorOf(c), textOf(file.bytes));
        return `Se guardó la plantilla «${nombre}».`;
      }),
    )
    .post(`${pages.bankLayout(':code')}/restablecer`, (c) =>
      change(c, again, async () => {
        await resetLayout(c.get('deps').db, actorOf(c), c.req.param('code') ?? '');
        return 'La plantilla quedó como viene con Saldo.';
      }),
    );

const missingFile = () => {
  const message = 'Elige el archivo de la plantilla.';
  return new DomainError('invalid', message, { fields: { [FILE]: message } });
};

/** @throws DomainError invalid bad_layout */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const message = 'La plantilla no es un archivo de texto UTF-8.';
    throw new DomainError('invalid', message, { code: 'bad_layout', fields: { [FILE]: message } });
  }
}

const change = (c: AppContext, again: Again, work: () => Promise<string>) =>
  answerForm(
    c,
    async () => redirectWith(c, `${pages.settings}#plantillas-de-banco`, await work()),
    (problem, status) => again(c, problem, status),
  );

export async function renderBankLayouts(c: AppContext, error: string | undefined) {
  const { db, config } = c.get('deps');
  return (
    <Section title="Plantillas de banco">
      <p className="note">
        Cómo quiere cada banco el archivo de transferencias. Descarga una, cambia en un editor de texto el
        renglón que el banco cambió y súbela: vale desde el archivo siguiente. Los bancos no publican
        versiones, así que prueba cada una con un pago pequeño.
      </p>
      <div className="table-wrap">
        <DataTable
          caption="Plantillas de banco"
          columns={columnsOf(config.timeZone)}
          rows={await readLayouts(db)}
          rowKey={({ layout }) => layout.plantilla}
        />
      </div>
      <form method="post" action={pages.bankLayouts} encType="multipart/form-data" data-busy="" noValidate>
        <FileField
          name={FILE}
          label="Plantilla cambiada"
          accept=".json"
          hint="El archivo JSON de una plantilla; con otro nombre en «plantilla» se agrega una más."
          error={error}
          focus={error !== undefined}
        />
        <div className="form-actions">
          <Button>Subir plantilla</Button>
        </div>
      </form>
    </Section>
  );
}

const columnsOf = (timeZone: string): readonly Column<StoredLayout>[] => [
  {
    key: 'nombre',
    label: 'Plantilla',
    card: 'title',
    className: 'wraps names',
    render: ({ layout: { plantilla, nombre } }) => <a href={pages.bankLayout(plantilla)}>{nombre}</a>,
  },
  {
    key: 'banco',
    label: 'Banco que paga',
    render: ({ layout: { banco } }) => (banco === null ? 'Cualquiera' : (BANKS[banco] ?? banco)),
  },
  { key: 'campos', label: 'Campos', align: 'end', render: ({ layout }) => layout.campos.length },
  {
    key: 'changed',
    label: 'Versión',
    render: ({ changedAt }) =>
      changedAt ? `Propia, del ${sayDate(plainDateIn(new Date(changedAt), timeZone))}` : 'De fábrica',
  },
  {
    key: 'restablecer',
    label: 'Restablecer',
    card: 'foot',
    render: ({ layout: { plantilla, nombre }, changedAt }) =>
      changedAt && (
        <form method="post" action={`${pages.bankLayout(plantilla)}/restablecer`} data-busy="">
          <Button look="quiet" aria-label={`Quitar la versión propia de ${nombre}`}>
            Quitar la propia
          </Button>
        </form>
      ),
  },
];
