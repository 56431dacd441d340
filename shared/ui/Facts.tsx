import type { ReactNode } from 'react';

interface FactsProps {
  facts: Readonly<Record<string, ReactNode>>;
  /** an additional class, such as `of-document`, whose columns are as wide as a UUID */
  look?: string;
  isLiveRegion?: boolean;
}

export const Facts = ({ facts, look, isLiveRegion }: FactsProps) => (
  <dl className={look ? `facts ${look}` : 'facts'} aria-live={isLiveRegion ? 'polite' : undefined}>
    {Object.entries(facts)
      .filter(([, value]) => value)
      .map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
