import { exportOf, withQuery } from '../urls.ts';
import { Button, LinkButton } from './Button.tsx';
import { Icon } from './Icon.tsx';

type Format = Parameters<typeof exportOf>[1];

interface ExportLinksProps {
  /** the list's own address */
  list: string;
  /** the first is what "Exportar" gives; the others open beside it */
  formats: readonly [Format, ...Format[]];
  /** the list's parameters as it was read; an export is always the whole of its filter */
  query: Readonly<Record<string, string | number | null | undefined>>;
}

/** "Exportar", and where there are several formats a button that opens them; they follow the list's filter. */
export function ExportLinks({ list, formats, query }: ExportLinksProps) {
  const { cursor: _cursor, shown: _shown, sorttype, ...filter } = query;
  const direction = typeof sorttype === 'string' ? sorttype.toUpperCase() : undefined;
  const href = (format: Format) => withQuery(exportOf(list, format), { ...filter, sorttype: direction });
  const link = (
    <LinkButton href={href(formats[0])} icon="export" data-follow-filter="">
      Exportar
    </LinkButton>
  );
  if (formats.length === 1) return link;
  return (
    <div className="split">
      {link}
      <Button type="button" className="split-more" aria-label="Otros formatos" popoverTarget="formats">
        <Icon name="chevron" />
      </Button>
      <div className="popover formats" id="formats" popover="auto">
        {formats.map((format) => (
          <a key={format} className="option" href={href(format)} data-follow-filter="">
            {format.toUpperCase()}
          </a>
        ))}
      </div>
    </div>
  );
}
