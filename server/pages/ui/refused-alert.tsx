import type { DomainError } from '../../../shared/errors.ts';
import type { ControlField } from '../../../shared/record-fields.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LocalizedText } from '../../shell/localized-text.tsx';

export type LabelledFields = readonly Pick<ControlField, 'name' | 'label'>[];

interface RefusedAlertProps {
  problem: Pick<DomainError, 'message' | 'fields'> | undefined;
  fields?: LabelledFields;
}

export const RefusedAlert = ({ problem, fields }: RefusedAlertProps) =>
  problem && (
    <Alert tone="error" footer={<FaultyFieldLinks problem={problem} names={fields} />}>
      <LocalizedText text={problem.message} />
    </Alert>
  );

interface FaultyFieldLinksProps {
  problem: Pick<DomainError, 'message' | 'fields'>;
  names?: LabelledFields;
}

/** If several fields are wrong, links to each of them, because the focus is on the first one only. */
export function FaultyFieldLinks({ problem, names = [] }: FaultyFieldLinksProps) {
  const { message, fields = {} } = problem;
  const wrong = names.filter(({ name }) => fields[name]);
  if (wrong.length < 2) return null;
  return (
    <ul>
      {wrong.map(({ name, label }) => (
        <li key={name}>
          <a href={`#${name}`}>{label}</a>
          {fields[name] !== message && `: ${fields[name]}`}
        </li>
      ))}
    </ul>
  );
}
