import { Fragment, type PropsWithChildren } from 'react';
import { formatCount } from '../../../shared/counts.ts';

const MAX_LINKS = 3;

/** Links to the first of the rows that a note counts, and says how many more there are. */
export const FirstLinks = ({ items }: { items: readonly { text: string; href: string }[] }) => (
  <>
    {items.slice(0, MAX_LINKS).map(({ text, href }, index) => (
      <Fragment key={href}>
        {index > 0 && ', '}
        <a href={href}>{text}</a>
      </Fragment>
    ))}
    {items.length > MAX_LINKS && ` y ${formatCount(items.length - MAX_LINKS)} más`}
  </>
);

/** On a phone, leads from a shortened list to the whole one. */
export const WholeListLink = ({ href, children }: PropsWithChildren<{ href: string }>) => (
  <div className="on-card no-print">
    <p className="actions note">
      <a href={href}>{children}</a>
    </p>
  </div>
);
