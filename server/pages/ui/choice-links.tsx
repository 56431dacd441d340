interface ChoiceLinksProps {
  label: string;
  choices: readonly { label: string; href: string; isCurrent: boolean }[];
}

export const ChoiceLinks = ({ label: name, choices }: ChoiceLinksProps) => (
  <nav className="periods" aria-label={name}>
    {choices.map(({ label, href, isCurrent }) => (
      <a key={label} href={href} aria-current={isCurrent ? 'true' : undefined}>
        {label}
      </a>
    ))}
  </nav>
);

interface ViewTabsProps {
  label: string;
  views: readonly { text: string; href: string; isCurrent: boolean }[];
}

export const ViewTabs = ({ label, views }: ViewTabsProps) => (
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
