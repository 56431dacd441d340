import type { ReactNode } from 'react';
import type { Catalog, CatalogField } from '../../../shared/catalogs/catalog.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { currentLanguage } from '../../../shared/language.ts';
import { lastOverdueDay } from '../../../shared/overdue.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { createCatalogList } from '../../lists/catalogs.ts';
import {
  type JobCostAndDebt,
  readJobCostsAndDebts,
  readSupplierDebts,
  type SupplierDebt,
} from '../../services/catalogs/figures.ts';
import { type CatalogRow, getRow, searchCatalog } from '../../services/catalogs/reading.ts';
import { createZeroCost } from '../../services/costs.ts';
import { readSupplierNameRenderer } from '../fiscal/list-69b.tsx';
import { openInvoicesHref } from '../reports/addresses.ts';
import { CostFigure } from '../reports/results-figures.tsx';
import { shownColumns } from '../ui/catalog-controls.ts';
import { showList } from '../ui/list-page.tsx';

export function createCatalogListPage(catalog: Catalog) {
  const { texts, paths, nameField } = catalog;
  const list = createCatalogList(catalog);
  // On a phone the row of buttons has room for two words.
  const [first, second, ...more] = texts.create.split(' ');
  const create = (
    <LinkButton href={paths.create} look="primary" icon="plus" data-new="">
      <span>
        {first} {second}
        {more.length > 0 && <span className="roomy"> {more.join(' ')}</span>}
      </span>
    </LinkButton>
  );
  return (c: AppContext) =>
    showList(c, list, {
      className: 'catalog',
      create: (
        <>
          {catalog === suppliers && (
            <LinkButton href={pages.accounts}>
              <span>
                Cuentas<span className="roomy"> bancarias</span>
              </span>
            </LinkButton>
          )}
          {catalog === fundingSources && <LinkButton href={pages.pettyCash}>Caja chica</LinkButton>}
          {create}
        </>
      ),
      async read(_c, search) {
        const query = { ...search, text: search[nameField] as string | undefined, today: c.get('today') };
        const found = await searchCatalog(c.get('deps').db, catalog, query);
        const { db } = c.get('deps');
        const renderName =
          catalog === suppliers
            ? await readSupplierNameRenderer(
                db,
                found.rows.map(({ rfc }) => rfc),
              )
            : undefined;
        return { ...found, renderName, columns: await readFigureColumns(c, catalog.noun, found.rows) };
      },
      columns: ({ columns, renderName }) => catalogColumns(catalog, columns, renderName),
      rowHref: ({ id }) => `${paths.edit}/${id}`,
      findOne: (_c, id) => getRow(c.get('deps').db, catalog, id).catch(() => undefined),
      noMatches: {
        title: ({ [nameField]: text }) => `Nada coincide con «${text}».`,
        hint: 'Prueba con otra parte del nombre.',
        clear: 'Quitar filtro',
      },
      empty: { title: `Todavía no hay ${texts.many}`, hint: texts.emptyHint, action: create },
    });
}

/** Field types whose texts wrap. Other texts would break within a word or fill many lines, so they stay on one line. */
const WRAPPED_TYPES = new Set<CatalogField['type'] | undefined>(['text', 'phone']);
const UNWRAPPED_FIELD_TYPES = new Set<CatalogField['type'] | undefined>(['email', 'textarea']);

/** By the catalog's noun. On Spanish screens, field `name` is shown in the column of field `over`, below its text. */
const FIELD_SHOWN_BELOW: Readonly<Record<string, { name: string; over: string }>> = {
  suppliers: { name: 'suppliercontactemail', over: 'suppliercontactperson' },
  jobs: { name: 'jobdescription', over: 'jobtitle' },
};

function catalogColumns(
  catalog: Catalog,
  more: readonly Column<CatalogRow>[],
  renderName?: (name: string, rfc: unknown) => ReactNode,
): Column<CatalogRow>[] {
  // Next to figures there is space for one text column, so the second text is below it, or beside it on wide screens.
  const below = currentLanguage() === 'es' ? FIELD_SHOWN_BELOW[catalog.noun] : undefined;
  const columns = shownColumns(catalog).map(({ name, label, hideOnSmall }): Column<CatalogRow> => {
    const field = catalog.fields.find((one) => one.name === name);
    const isName = name === catalog.nameField;
    const hasEmailBelow = below?.over === name && catalog === suppliers;
    return {
      key: name,
      label,
      hideOnSmall: below?.over === name ? undefined : hideOnSmall,
      isRowLink: isName,
      wraps: UNWRAPPED_FIELD_TYPES.has(field?.type) || hasEmailBelow ? false : undefined,
      textBelow: below?.over === name ? (row) => (row[below.name] as string | null) || null : undefined,
      className:
        below?.name === name ? 'wide-only' : isName || WRAPPED_TYPES.has(field?.type) ? 'wraps' : undefined,
      card: isName ? 'title' : name === 'id' ? 'corner' : below?.over === name ? 'none' : undefined,
      align: name === 'id' ? 'end' : undefined,
      render: (row) =>
        isName && renderName ? (
          renderName(String(row[name]), row.rfc)
        ) : field?.type === 'date' ? (
          <DateText date={row[name] as string | null} />
        ) : (
          // A telephone number may break only before its extension.
          String(row[name] ?? '').replace(/ (?=\d+$)/, field?.type === 'phone' ? '\u00a0' : ' ')
        ),
    };
  });
  const edit: Column<CatalogRow> = {
    key: 'edit',
    label: 'Editar',
    card: 'actions',
    className: 'card-side',
    render: (row) => (
      <LinkButton
        href={`${catalog.paths.edit}/${row.id}`}
        look="quiet"
        icon="edit"
        tip={`Editar ${row[catalog.nameField]}`}
      />
    ),
  };
  return [...columns, ...more, edit];
}

async function readFigureColumns(
  c: AppContext,
  noun: string,
  rows: readonly CatalogRow[],
): Promise<Column<CatalogRow>[]> {
  const { db } = c.get('deps');
  const ids = rows.map(({ id }) => id);
  if (noun === 'suppliers') {
    const today = c.get('today');
    const figures = await readSupplierDebts(db, ids, today);
    return supplierFigureColumns(today, ({ id }) => figures.get(id));
  }
  if (noun === 'jobs') {
    const figures = await readJobCostsAndDebts(db, ids);
    return jobFigureColumns(({ id }) => figures.get(id));
  }
  return [];
}

type FigureLookup<Figures> = (row: CatalogRow) => Figures | undefined;

const figureColumn = (
  key: string,
  label: string,
  render: Column<CatalogRow>['render'],
): Column<CatalogRow> => ({ key, label, align: 'end', card: 'half', render });

function supplierFigureColumns(today: PlainDate, of: FigureLookup<SupplierDebt>): Column<CatalogRow>[] {
  const debtAddress = ({ id }: CatalogRow, days?: { from?: PlainDate; to: PlainDate }) =>
    openInvoicesHref({ supplierId: id, ...days });
  return [
    figureColumn('owed', 'Saldo', (row) => (
      <LinkedMoney cents={of(row)?.owedCents} href={debtAddress(row)} />
    )),
    figureColumn('overdue', 'Vencido', (row) => (
      <LinkedMoney
        cents={of(row)?.overdueCents}
        href={debtAddress(row, { to: lastOverdueDay(today) })}
        isLate
      />
    )),
    {
      key: 'nextDue',
      label: 'Próx. vencimiento',
      render: (row) => {
        const day = of(row)?.nextDue;
        return (
          day && (
            <a href={debtAddress(row, { from: day, to: day })}>
              <DateText date={day} />
            </a>
          )
        );
      },
    },
  ];
}

function jobFigureColumns(of: FigureLookup<JobCostAndDebt>): Column<CatalogRow>[] {
  return [
    figureColumn('cost', 'Costo sin IVA', (row) => {
      const { costCents = 0, creditCents = 0 } = of(row) ?? {};
      return <CostFigure query={{ jobId: row.id }} cost={{ ...createZeroCost(), costCents, creditCents }} />;
    }),
    figureColumn('owed', 'Por pagar', (row) => (
      <LinkedMoney
        cents={of(row)?.owedCents}
        href={withQuery(pages.invoices, { jobId: row.id, status: 'por-pagar' })}
      />
    )),
  ];
}

const LinkedMoney = ({ cents = 0, ...props }: { cents?: number; href: string; isLate?: boolean }) => (
  <Money cents={cents} {...props} dash />
);
