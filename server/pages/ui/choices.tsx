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
