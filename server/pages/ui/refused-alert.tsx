import type { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LocalizedText } from '../../shell/localized-text.tsx';

export const RefusedAlert = ({ problem }: { problem: Pick<DomainError, 'message'> | undefined }) =>
  problem && (
    <Alert tone="error">
      <LocalizedText text={problem.message} />
    </Alert>
  );
