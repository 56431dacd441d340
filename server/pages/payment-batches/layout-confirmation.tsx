import { Hono } from 'hono';
import { BANK_NAME_BY_CODE } from '../../../shared/banks.ts';
import type { BatchFile } from '../../../shared/payment-batches.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { pages } from '../../../shared/urls.ts';
import { type BankLayout, BUILT_IN_LAYOUTS, type LayoutField } from '../../formats/bank-files/layout.ts';
import { type AppContext, type AppEnv, requireSession } from '../../http/session.ts';
import {
  confirmLayout,
  getLayout,
  isConfirmed,
  layoutTexts,
  type StoredLayout,
} from '../../services/bank-files/layouts.ts';
import { type RefusedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { handleFormWithPassword } from '../ui/password-form.tsx';
import { parseVersion } from '../ui/record-form.tsx';
import { SignatureNotes } from '../ui/signature-notes.tsx';
import { NextActionBar, StepButton } from '../ui/step-bar.tsx';

const LAYOUT_CODE_SEGMENT = ':code{[a-z0-9-]+}';

export const layoutConfirmationPages = new Hono<AppEnv>({ strict: false })
  .get(pages.layoutToConfirm(LAYOUT_CODE_SEGMENT), (c) => renderLayoutConfirmation(c))
  .post(`${pages.layoutToConfirm(LAYOUT_CODE_SEGMENT)}/confirmar`, (c) => {
    const code = c.req.param('code') ?? '';
    const back = pages.layoutToConfirm(code);
    const confirmation = { title: 'Confirmar la plantilla', button: 'Confirmar', back };
    return handleFormWithPassword(c, confirmation, renderLayoutConfirmation, async ({ form, db, actor }) => {
      const { layout } = await confirmLayout(db, actor, { code, version: parseVersion(form.version) });
      return redirectWithMessage(c, back, `Se confirmó la plantilla «${layout.nombre}»: desde ahora sirve.`);
    });
  });

async function renderLayoutConfirmation(c: AppContext, { problem, status }: Partial<RefusedForm> = {}) {
  const { db, config } = c.get('deps');
  const stored = await getLayout(db, c.req.param('code') ?? '');
  const { layout, customization } = stored;
  const { userId, roles } = requireSession(c);
  const factory = BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === layout.plantilla);
  const isWaiting = !isConfirmed(stored);
  const isAuthor = Boolean(customization?.authors.includes(userId));
  const mayConfirm = isWaiting && !isAuthor && mayEnter('approval', roles);
  const authors = customization
    ? `La cambió ${customization.author}${customization.confirmer ? `, la confirmó ${customization.confirmer}` : ''}.`
    : 'De fábrica.';
  const missing = isAuthor
    ? layoutTexts.samePerson
    : mayConfirm
      ? 'Compárala con lo que el banco pide.'
      : layoutTexts.waits(layout.nombre);
  return renderPage(
    c,
    { title: 'Plantilla de banco', subtitle: layout.nombre, status },
    <div className="stack">
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <NextActionBar
        label={`Siguiente paso de la plantilla ${layout.nombre}`}
        state={
          <Chip tone={isWaiting ? 'warn' : 'done'} mark={isWaiting ? 'open' : 'full'}>
            {isWaiting ? 'Espera confirmación' : 'En uso'}
          </Chip>
        }
        missingText={isWaiting ? `${authors} ${missing}` : authors}
        nextAction={
          mayConfirm && (
            <StepButton
              action={`${pages.layoutToConfirm(layout.plantilla)}/confirmar`}
              hidden={{ version: String(customization?.version) }}
              look="primary"
              icon="check"
            >
              Confirmar la plantilla
            </StepButton>
          )
        }
      />
      <SignatureNotes notes={[customization?.note]} timeZone={config.timeZone} />
      <p>{describeLayout(layout)}</p>
      {customization && factory && describeLayout(factory) !== describeLayout(layout) && (
        <p className="note">La de fábrica: {describeLayout(factory)}</p>
      )}
      <DataTable
        caption="Campos de cada transferencia"
        columns={customization && factory ? [...FIELD_COLUMNS, BUILT_IN_FIELD_COLUMN] : FIELD_COLUMNS}
        rows={layout.campos.map((field, index) => ({ field, factoryField: factory?.campos[index], index }))}
        rowKey={({ index }) => index}
      />
      <Disclosure summary="Detalles">
        <p>{describeLayoutVersion(stored)}</p>
      </Disclosure>
    </div>,
  );
}

function describeLayout({ banco, destino, separador, extension, encabezado }: BankLayout): string {
  const bank = banco === null ? 'Cualquier banco' : (BANK_NAME_BY_CODE[banco] ?? banco);
  const parts = separador
    ? `separados por «${separador === '\t' ? 'tabulador' : separador}»`
    : 'sin separador';
  return `${bank}; ${DESTINATION_TEXTS[destino]}; .${extension}; campos ${parts}; ${encabezado ? 'con' : 'sin'} encabezado.`;
}

const DESTINATION_TEXTS: Record<BankLayout['destino'], string> = {
  mismo: 'a cuentas del mismo banco',
  otro: 'a otros bancos',
  todos: 'a cualquier banco',
};

interface LayoutFieldRow {
  field: LayoutField;
  /** the field of the built-in layout at the same position */
  factoryField: LayoutField | undefined;
  index: number;
}

const FIELD_COLUMNS: readonly Column<LayoutFieldRow>[] = [
  { key: 'campo', label: 'Campo', card: 'title', render: ({ field }) => field.campo },
  { key: 'lleva', label: 'Qué lleva', className: 'wraps', render: ({ field }) => describeField(field) },
];

const BUILT_IN_FIELD_COLUMN: Column<LayoutFieldRow> = {
  key: 'fabrica',
  label: 'De fábrica',
  className: 'wraps',
  render({ field, factoryField }) {
    if (!factoryField) return <Chip tone="warn">No lo tiene</Chip>;
    if (factoryField.campo === field.campo && describeField(factoryField) === describeField(field))
      return 'Igual';
    return (
      <>
        <Chip tone="warn">Distinto</Chip> {`${factoryField.campo}: ${describeField(factoryField)}`}
      </>
    );
  },
};

function describeField({ origen, valor, solo, ancho, relleno, alinea, caracteres }: LayoutField): string {
  return [
    origen === 'constante' ? `siempre «${valor}»` : origen,
    solo && (solo === 'mismo' ? 'solo al mismo banco' : 'solo a otros bancos'),
    ancho && (ancho === 1 ? '1 lugar' : `${ancho} lugares`),
    relleno && `relleno «${relleno}»`,
    alinea && `a la ${alinea}`,
    caracteres && `letras: ${caracteres}`,
  ]
    .filter(Boolean)
    .join(', ');
}

export const describeLayoutVersion = ({
  sha256,
  customization,
}: Pick<StoredLayout, 'sha256' | 'customization'>): string =>
  describeHashAndAuthors(sha256, customization?.author ?? null, customization?.confirmer ?? null);

export const describeLayoutOfFile = ({
  layout,
  layoutSha256,
  layoutAuthor,
  layoutConfirmer,
}: BatchFile): string =>
  layoutSha256
    ? `Plantilla ${layout}, ${describeHashAndAuthors(layoutSha256, layoutAuthor, layoutConfirmer)}`
    : `Plantilla ${layout}, de antes de que se anotara quién la cambió`;

const describeHashAndAuthors = (sha256: string, author: string | null, confirmer: string | null): string =>
  [
    author ? 'propia' : 'de fábrica',
    `SHA-256 ${sha256.slice(0, 16)}…`,
    author && `la cambió ${author}`,
    confirmer && `la confirmó ${confirmer}`,
  ]
    .filter(Boolean)
    .join(', ');
