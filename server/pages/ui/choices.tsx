interface ChoicesProps {
  label: string;
  choices: readonly { label: string; href: string; isCurrent: boolean }[];
}

/** Links to alternatives, of which one is current: periods of a report, states of a list. */
export const Choices = ({ label: name, choices }: ChoicesProps) => (
  <nav className="periods" aria-label={name}>
    {choices.map(({ label, href, isCurrent }) => (
      <a key={label} href={href} aria-current={isCurrent ? 'true' : undefined}>
        {label}
      </a>
    ))}
  </nav>
);
