import { type ExportFormat, exportPath, withQuery } from '../urls.ts';
import { Button, LinkButton } from './Button.tsx';
import { Disclosure } from './Disclosure.tsx';
import { Icon } from './Icon.tsx';

interface ExportLinksProps {
  list: string;
  first: ExportFormat;
  /** the list's current parameters; an export always contains the whole filtered list */
  query: Readonly<Record<string, string | number | null | undefined>>;
}

const FORMAT_NAMES: Record<ExportFormat, string> = {
  pdf: 'PDF',
  xlsx: 'Excel (XLSX)',
  csv: 'CSV',
  json: 'JSON',
};

export function ExportLinks({ list, first, query }: ExportLinksProps) {
  const { limit: _limit, cursor: _cursor, shown: _shown, sorttype, ...filter } = query;
  const direction = typeof sorttype === 'string' ? sorttype.toUpperCase() : undefined;
  const exportHref = (format: ExportFormat) =>
    withQuery(exportPath(list, format), { ...filter, sorttype: direction });
  const renderFormatOption = (format: ExportFormat) => (
    <a className="option" href={exportHref(format)} data-follow-filter="">
      {FORMAT_NAMES[format]}
    </a>
  );
  return (
    <div className="split">
      <LinkButton href={exportHref(first)} icon="export" data-follow-filter="">
        <span className="roomy">
          Exportar <span>{FORMAT_NAMES[first].replace(/ .*/, '')}</span>
        </span>
      </LinkButton>
      <Button
        type="button"
        className="split-more"
        aria-label="Exportar: otros formatos"
        popoverTarget="formats"
      >
        <Icon name="export" />
        <Icon name="chevron" />
      </Button>
      <div className="popover formats" id="formats" popover="auto">
        {renderFormatOption('pdf')}
        {renderFormatOption('xlsx')}
        {renderFormatOption('csv')}
        <Disclosure summary="Más formatos">{renderFormatOption('json')}</Disclosure>
      </div>
    </div>
  );
}
