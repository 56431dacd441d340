interface ChoicesProps {
  label: string;
  choices: readonly { label: string; href: string; isCurrent: boolean }[];
}

export const Choices = ({ label: name, choices }: ChoicesProps) => (
  <nav className="periods" aria-label={name}>
    {choices.map(({ label, href, isCurrent }) => (
      <a key={label} href={href} aria-current={isCurrent ? 'true' : undefined}>
        {label}
      </a>
    ))}
  </nav>
);

interface ViewsProps {
  label: string;
  views: readonly { text: string; href: string; isCurrent: boolean }[];
}

/** Parts of the rows below, of which one is shown. */
export const Views = ({ label, views }: ViewsProps) => (
  <nav className="views" aria-label={label}>
    <ul>
      {views.map(({ text, href, isCurrent }) => (
        <li key={href}>
          <a href={href} aria-current={isCurrent ? 'page' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
