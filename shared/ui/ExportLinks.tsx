import { type ExportFormat, exportPath, withQuery } from '../urls.ts';
import { Button, LinkButton } from './Button.tsx';
import { Disclosure } from './Disclosure.tsx';
import { Icon } from './Icon.tsx';

interface ExportLinksProps {
  list: string;
  defaultFormat: ExportFormat;
  /** the list's current parameters; an export always contains the whole filtered list */
  query: Readonly<Record<string, string | number | null | undefined>>;
  /** the page's lesser acts: buttons, and on phones entries of the menu of formats */
  acts?: readonly { text: string; href: string }[];
}

const FORMAT_NAMES: Record<ExportFormat, string> = {
  pdf: 'PDF',
  xlsx: 'Excel (XLSX)',
  csv: 'CSV',
  json: 'JSON',
};

export function ExportLinks({ list, defaultFormat, query, acts = [] }: ExportLinksProps) {
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
    <>
      <div className="split">
        <LinkButton href={exportHref(defaultFormat)} icon="export" data-follow-filter="">
          <span className="roomy">
            Exportar <span>{FORMAT_NAMES[defaultFormat].replace(/ .*/, '')}</span>
          </span>
        </LinkButton>
        <Button
          type="button"
          className="split-more"
          aria-label={acts.length > 0 ? 'Más formatos y acciones' : 'Exportar: otros formatos'}
          popoverTarget="formats"
        >
          {acts.length > 0 ? <span className="on-card">Más</span> : <Icon name="export" />}
          <Icon name="chevron" />
        </Button>
        <div className="popover formats" id="formats" popover="auto">
          {acts.length > 0 && (
            <div className="on-card">
              {acts.map(({ text, href }) => (
                <a key={href} className="option" href={href}>
                  {text}
                </a>
              ))}
            </div>
          )}
          {renderFormatOption('pdf')}
          {renderFormatOption('xlsx')}
          {renderFormatOption('csv')}
          <Disclosure summary="Más formatos">{renderFormatOption('json')}</Disclosure>
        </div>
      </div>
      {acts.map(({ text, href }) => (
        <LinkButton key={href} href={href} className="on-wide">
          {text}
        </LinkButton>
      ))}
    </>
  );
}
