import { createContext, Fragment, type Key, type ReactNode, useContext } from 'react';
import { Icon } from './Icon.tsx';

export type Column<Row> = ColumnOptions<Row> &
  ({ key: string; render: (row: Row) => ReactNode } | { key: keyof Row & string; render?: undefined });

export interface ColumnOptions<Row> {
  label: string;
  align?: 'end';
  /** the header is a link that sorts; `direction` is set if the table is sorted by this column */
  sort?: { href: string; direction?: 'asc' | 'desc' };
  /** the cell may wrap, and has its text as title; a number: only if the column has a text of more letters than that */
  wraps?: boolean | number;
  text?: (row: Row) => string;
  textBelow?: (row: Row) => string | null;
  /** contains the link to the row (rowHref), which is in the first column by default */
  isRowLink?: boolean;
  /** the link's name, where the cell's text says too little; the name contains that text */
  linkName?: (row: Row) => string | undefined;
  /** its place in a row that is laid out as a grid (plan.css) */
  at?: string;
  note?: string;
  /** follows the hidden label of a column of `actions` */
  headingContent?: ReactNode;
  hideOnSmall?: boolean;
  /**
   * the cell's place on the card that shows the row below 768 px: `line` has no label, two `half` share a line, `foot`
   * and `end` are the ends of the last line before the buttons; `actions` are buttons on wide screens too
   */
  card?: 'title' | 'corner' | 'side' | 'line' | 'half' | 'foot' | 'end' | 'none' | 'actions';
  cardLabel?: (row: Row) => string;
  className?: string;
}

/** For `wraps` in columns of document numbers: longer ones, such as a CFDI's UUID, wrap to leave width for names. */
export const MAX_UNWRAPPED_LETTERS = 20;

interface DataTableProps<Row> {
  caption: string;
  showCaption?: boolean;
  /** makes the hidden caption a heading, where the page has none above the table */
  heading?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  rowHref?: (row: Row) => string | undefined;
  rowClass?: (row: Row) => string | undefined;
  /** rows with the same key have a table body of their own, which a closed `details` in its row `summary` folds */
  groupKey?: (row: Row) => Key;
  footer?: Readonly<Record<string, ReactNode>>;
  /** `report`: a matrix inside .report-frame, which is never shown as cards */
  className?: string;
}

export const SavedRowHrefContext = createContext<string | undefined>(undefined);

/** Marks cells with their column's label (for cards), and rows with their address (for islands/loader/rows.ts). */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, showCaption, heading, rows, rowKey, groupKey, footer, className = '' } = props;
  const columns = props.columns.map((column) => resolveColumn(column, rows));
  // A matrix is never shown as cards, so its rows, which may be thousands, do without the attributes for cards.
  const shared = { columns, cards: className !== 'report', rowHref: props.rowHref, rowClass: props.rowClass };
  const bodies = groupKey ? [...Map.groupBy(rows, groupKey)] : [['', rows] as const];
  const classes = ['data', className, columns.some(({ wraps }) => wraps) && 'clipped', groupKey && 'grouped'];
  const table = (
    <table className={classes.filter(Boolean).join(' ')}>
      <caption className={showCaption ? undefined : 'visually-hidden'}>
        {heading ? <h2>{caption}</h2> : caption}
      </caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <HeaderCell key={column.key} column={column} />
          ))}
        </tr>
      </thead>
      {bodies.map(([key, rowsOfBody]) => (
        <tbody key={key}>
          {rowsOfBody.map((row) => (
            <BodyRow key={rowKey(row)} row={row} {...shared} />
          ))}
        </tbody>
      ))}
      {footer && (
        <tfoot>
          <tr>
            {columns.map((column) => (
              <td key={column.key} className={column.cell} data-label={column.label}>
                {footer[column.key]}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
  return className === 'report' ? table : <div className="table-wrap">{table}</div>;
}

type ResolvedColumn<Row> = ColumnOptions<Row> & {
  key: string;
  render: (row: Row) => ReactNode;
  cell: string | undefined;
};

interface SharedRowProps<Row> extends Pick<DataTableProps<Row>, 'rowHref' | 'rowClass'> {
  columns: readonly ResolvedColumn<Row>[];
  cards: boolean;
}

function BodyRow<Row>({ row, columns, cards, rowHref, rowClass }: SharedRowProps<Row> & { row: Row }) {
  const href = rowHref?.(row);
  const saved = useContext(SavedRowHrefContext);
  const isSaved = href && href === saved;
  const ownClass = rowClass?.(row);
  const linked = columns.find((column) => column.isRowLink) ?? columns[0];
  return (
    <tr
      className={isSaved ? ['saved', ownClass].filter(Boolean).join(' ') : ownClass}
      data-href={cards ? href : undefined}
    >
      {columns.map((column) => {
        const content = column.render(row);
        const under = column.textBelow?.(row);
        const fullText = [column.text?.(row) ?? textIfString(content), under].filter(Boolean).join(' · ');
        return (
          <td
            key={column.key}
            className={column.cell}
            data-label={cards ? (column.cardLabel?.(row) ?? column.label) : undefined}
            title={column.wraps === undefined ? undefined : fullText || undefined}
          >
            {href && column === linked ? (
              <a href={href} aria-label={column.linkName?.(row)}>
                {content}
              </a>
            ) : (
              content
            )}
            {under && <div className="hint">{breakAfterAt(under)}</div>}
          </td>
        );
      })}
    </tr>
  );
}

/** An e-mail address that is too long for its line continues on the next one with its domain. */
const breakAfterAt = (text: string): ReactNode =>
  text.split(/(?<=\w@)(?=\w)/).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

/** Lets a column wrap if it has a long text, because the server does not know how wide the texts are. */
function resolveColumn<Row>(column: Column<Row>, rows: readonly Row[]): ResolvedColumn<Row> {
  const { wraps, text } = column;
  const render = column.render ?? ((row: Row) => row[column.key] as ReactNode);
  if (typeof wraps !== 'number') return { ...column, render, cell: cellClass(column) };
  const isLong = rows.some((row) => (text?.(row) ?? textIfString(render(row)) ?? '').length > wraps);
  return { ...column, render, wraps: isLong, cell: cellClass({ ...column, wraps: isLong }) };
}

const textIfString = (content: ReactNode) => (typeof content === 'string' ? content : undefined);

function HeaderCell<Row>({ column }: { column: ResolvedColumn<Row> }) {
  const { label, note, sort, headingContent } = column;
  const text = sort ? (
    <a href={sort.href}>
      {label}
      <Icon name={sort.direction === 'desc' ? 'sort-desc' : 'sort-asc'} />
    </a>
  ) : column.card === 'actions' ? (
    <>
      <span className="visually-hidden">{label}</span>
      {headingContent}
    </>
  ) : (
    label
  );
  return (
    <th scope="col" className={column.cell} aria-sort={sort?.direction && `${sort.direction}ending`}>
      {text}
      {note && <small> ({note})</small>}
    </th>
  );
}

function cellClass<Row>({
  align,
  wraps,
  at,
  hideOnSmall,
  card,
  className,
}: ColumnOptions<Row>): string | undefined {
  const classes = [
    align === 'end' && 'num',
    wraps && 'clip',
    at && `at-${at}`,
    hideOnSmall && 'hide-sm',
    card === 'actions' ? 'row-actions' : card && `card-${card}`,
    className,
  ];
  return classes.filter(Boolean).join(' ') || undefined;
}
